/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.paimon.flink.FlinkCatalogOptions;

/** What a catalog is created with, beyond the engine's own catalog options. */
public final class PaimonCatalogOptions {

    /** Begins the keys that are written into each table a catalog creates. */
    public static final String TABLE_DEFAULT_PREFIX = "table-default.";

    private static final Family FAMILY = new Family(Side.CATALOG);

    public static final ConfigOption<UnknownOptions> UNKNOWN_OPTIONS = FAMILY.key(
                    "unknown-options", ValueType.oneOf(UnknownOptions.class))
            .from(Origin.SLUICE)
            .unit("name")
            .about("What happens to a key that nobody knows, in a statement on a table of this catalog: error fails the"
                    + " statement, warn logs it and passes the key on.")
            .defaultsTo(UnknownOptions.ERROR);

    static {
        FAMILY.engine(FlinkCatalogOptions.DEFAULT_DATABASE)
                .alias("defaultDatabase", Origin.SPARK)
                .from(Origin.PAIMON)
                .unit("database name")
                .about("The database a session is in after USE CATALOG.")
                .readByEngine();
        FAMILY.engine(FlinkCatalogOptions.DISABLE_CREATE_TABLE_IN_DEFAULT_DB)
                .from(Origin.PAIMON, Origin.SPARK)
                .unit("flag")
                .about("Whether tables cannot be created in the default database.")
                .readByEngine();
    }

    private PaimonCatalogOptions() {}

    static List<OptionSpec<?>> specs() {
        return FAMILY.specs();
    }
}
