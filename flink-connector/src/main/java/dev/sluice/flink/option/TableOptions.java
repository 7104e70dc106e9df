/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.paimon.CoreOptions;

/** Options that say which table a statement means, what the table is, and how it is opened. */
public final class TableOptions {

    private static final Family FAMILY = new Family(Side.TABLE);

    public static final ConfigOption<String> PATH = FAMILY.key("path", ValueType.text())
            .from(Origin.PAIMON)
            .unit("path or URI")
            .about("Where the table's files are. Catalogs set it; a table without a catalog needs it.")
            .definesTable()
            .fixed()
            .noDefault();

    public static final ConfigOption<Boolean> AUTO_CREATE = FAMILY.key("auto-create", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether a table without a catalog is created at its path when there is none yet.")
            .definesTable()
            .defaultsTo(false);

    public static final ConfigOption<String> BRANCH = FAMILY.key("branch", ValueType.text())
            .from(Origin.PAIMON)
            .unit("branch name")
            .about("The branch of the table that a statement works on; in a catalog written `table$branch_name`.")
            .definesTable()
            .defaultsTo("main");

    public static final ConfigOption<Boolean> SCAN_BOUNDED = FAMILY.key("scan.bounded", ValueType.bool())
            .from(Origin.PAIMON)
            .side(Side.READ)
            .unit("flag")
            .about("Whether a scan ends with the table's present content even in a streaming job. Unset: a streaming"
                    + " job goes on reading, a batch job ends.")
            .noDefault();

    static {
        FAMILY.engine(CoreOptions.MERGE_ENGINE)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("name")
                .about("What becomes of rows with the same primary key.")
                .readByEngine();
        FAMILY.engine(CoreOptions.CHANGELOG_PRODUCER)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("name")
                .about("Where the changelog for streaming reads comes from.")
                .readByEngine();
        FAMILY.engine(CoreOptions.BUCKET)
                .within(
                        "-2 (postponed), -1 (dynamic, or none for an append table) or a whole number from 1",
                        v -> v == -2 || v == -1 || v >= 1)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("buckets")
                .about("How many buckets each partition has.")
                .note("The document says -2 is for append tables only; in Paimon it is for tables with a primary key"
                        + " only, and that holds.")
                .readByEngine();
        FAMILY.engine(CoreOptions.BUCKET_KEY)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("columns")
                .about("The columns whose hash picks the bucket. Unset: the primary key without the partition columns.")
                .note("The document says it is for tables with a primary key only; Paimon needs it for append tables"
                        + " with a fixed number of buckets, and that holds.")
                .readByEngine();
        FAMILY.engine(CoreOptions.SEQUENCE_FIELD)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("columns")
                .about("The columns that say which of two rows with the same primary key is newer. Unset: the order in"
                        + " which they come.")
                .readByEngine();
        FAMILY.engine(CoreOptions.ROWKIND_FIELD)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("column")
                .about("The column that holds each row's kind: '+I', '-U', '+U' or '-D'.")
                .readByEngine();
    }

    private TableOptions() {}

    static List<OptionSpec<?>> specs() {
        return FAMILY.specs();
    }
}
