/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options that say which table a statement means and how it is opened, before it is read or written. */
public final class TableOptions {

    public static final ConfigOption<String> PATH = ConfigOptions.key("path")
            .stringType()
            .noDefaultValue()
            .withDescription("Where the table's files are. Catalogs set it; a table without a catalog needs it.");

    public static final ConfigOption<Boolean> AUTO_CREATE = ConfigOptions.key("auto-create")
            .booleanType()
            .defaultValue(false)
            .withDescription("Whether a table without a catalog is created at its path when there is none yet.");

    public static final ConfigOption<String> BRANCH = ConfigOptions.key("branch")
            .stringType()
            .defaultValue("main")
            .withDescription("The branch of the table that a statement works on.");

    public static final ConfigOption<Boolean> SCAN_BOUNDED = ConfigOptions.key("scan.bounded")
            .booleanType()
            .noDefaultValue()
            .withDescription("Whether a scan ends with the table's present content even in a streaming job."
                    + " Unset: a streaming job goes on reading, a batch job ends.");

    private TableOptions() {}
}
