/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.paimon.CoreOptions;

/** Options that only a sink looks at. */
public final class WriteOptions {

    private static final Family FAMILY = new Family(Side.WRITE);

    public static final ConfigOption<Integer> SINK_PARALLELISM = FAMILY.key(
                    "sink.parallelism", ValueType.integerFrom(1))
            .from(Origin.VENDOR, Origin.PAIMON)
            .unit("subtasks")
            .about("How many writer subtasks write the table; with fixed buckets best as many as buckets. Unset: the"
                    + " job's parallelism.")
            .noDefault();

    public static final ConfigOption<WriteMode> WRITE_MODE = FAMILY.key("write-mode", ValueType.oneOf(WriteMode.class))
            .from(Origin.VENDOR)
            .unit("name")
            .about("Which kind of table the sink expects: append-only refuses a table with a primary key, change-log"
                    + " one without, auto takes both.")
            .note("Paimon removed the option years ago and goes by the primary key; so does `auto`. The other two"
                    + " values check the table, they do not change how it is stored.")
            .defaultsTo(WriteMode.AUTO);

    public static final ConfigOption<Integer> MAX_WRITERS_PER_TASK = FAMILY.key(
                    "write.max-writers-per-task", ValueType.integerFrom(1))
            .from(Origin.VENDOR)
            .unit("writer threads")
            .about("How many writers a sink subtask runs side by side, each on a thread of its own and with buckets of"
                    + " its own. They share the memory that one would have. 1: the task's own thread writes.")
            .note("Paimon's `write-max-writers-to-spill` is another thing: from how many open writers on they spill.")
            .defaultsTo(1);

    public static final ConfigOption<Boolean> COMPACTION_OPTIMIZATION = FAMILY.key(
                    "compaction.optimization-enabled", ValueType.bool())
            .from(Origin.VENDOR)
            .unit("flag")
            .about("Whether a writer merges small files as soon as there are two, beyond what the table's own triggers"
                    + " ask for: fewer files for readers, more work for the writer. Not for write-only tables.")
            .note(
                    "Paimon has `compaction.optimization-interval`, a schedule for full compactions; it keeps its meaning.")
            .defaultsTo(false);

    public static final ConfigOption<Boolean> MERGE_SCHEMA = FAMILY.key("write.merge-schema", ValueType.bool())
            .from(Origin.SPARK)
            .unit("flag")
            .about("Whether columns that the table does not have yet are added to it; present columns keep their type.")
            .defaultsTo(false);

    public static final ConfigOption<Boolean> MERGE_SCHEMA_TYPE_WIDENING = FAMILY.key(
                    "write.merge-schema.type-widening", ValueType.bool())
            .from(Origin.SPARK)
            .unit("flag")
            .about("Whether a column's type is widened, such as INT to BIGINT, when wider values come in. Needs"
                    + " `write.merge-schema`.")
            .defaultsTo(false);

    public static final ConfigOption<Boolean> MERGE_SCHEMA_EXPLICIT_CAST = FAMILY.key(
                    "write.merge-schema.explicit-cast", ValueType.bool())
            .from(Origin.SPARK)
            .unit("flag")
            .about("Whether a column's type may also change with loss, such as BIGINT to INT. Needs"
                    + " `write.merge-schema.type-widening`.")
            .defaultsTo(false);

    public static final ConfigOption<Boolean> REQUIRED_CONFIGURATION_CHECK = FAMILY.key(
                    "required-configuration-check.enabled", ValueType.bool())
            .alias("requiredSparkConfsCheck.enabled", Origin.SPARK)
            .from(Origin.SPARK)
            .unit("flag")
            .about("Whether a streaming write is refused when the job lacks what it needs to commit: checkpoints.")
            .note("On Spark it looks at the session's extensions and catalog; here at the job's checkpointing.")
            .defaultsTo(true);

    public static final ConfigOption<String> SINK_OPERATOR_UID_SUFFIX = FAMILY.key(
                    "sink.operator-uid.suffix", ValueType.text())
            .from(Origin.PAIMON)
            .unit("text")
            .about(
                    "Ends the uids of the sink's operators (`Writer_<table>_<suffix>`), so that a changed job finds its state"
                            + " again. Unset: Flink derives the uids from the shape of the job.")
            .noDefault();

    public static final ConfigOption<Boolean> PRECOMMIT_COMPACT = FAMILY.key("precommit-compact", ValueType.bool())
            .alias("changelog.precommit-compact", Origin.PAIMON)
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether small files of one partition are put together between writing and committing.")
            .defaultsTo(false);

    public static final ConfigOption<Integer> COMPACTION_PARALLELISM = FAMILY.key(
                    "unaware-bucket.compaction.parallelism", ValueType.integerFrom(1))
            .from(Origin.PAIMON)
            .unit("subtasks")
            .about("How many subtasks merge the files of an append table. Unset: as many as write it.")
            .noDefault();

    public static final ConfigOption<Boolean> CLUSTERING_SORT_IN_CLUSTER = FAMILY.key(
                    "sink.clustering.sort-in-cluster", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether a clustering write also sorts what each subtask got.")
            .defaultsTo(true);

    public static final ConfigOption<Integer> CLUSTERING_SAMPLE_FACTOR = FAMILY.key(
                    "sink.clustering.sample-factor", ValueType.integerFrom(20))
            .from(Origin.PAIMON)
            .unit("samples per subtask")
            .about("How many rows are sampled, for each writer subtask, to cut the ranges of a clustering write.")
            .defaultsTo(100);

    static {
        FAMILY.engine(CoreOptions.WRITE_BUFFER_SIZE)
                .within("a size above 0 such as '256 mb'", v -> v.getBytes() > 0)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("size")
                .about("How much a writer gathers in memory before it writes a sorted file.")
                .readByEngine();
        FAMILY.engine(CoreOptions.SNAPSHOT_TIME_RETAINED)
                .within("a duration above 0 such as '1 h'", v -> !v.isZero())
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("duration")
                .about("How long a snapshot stays readable before it is expired.")
                .readByEngine();
        FAMILY.engine(CoreOptions.SNAPSHOT_NUM_RETAINED_MIN)
                .within("a whole number from 1", v -> v >= 1)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("snapshots")
                .about("How many snapshots stay however old they are.")
                .readByEngine();
        FAMILY.engine(CoreOptions.SNAPSHOT_NUM_RETAINED_MAX)
                .within("a whole number from 1", v -> v >= 1)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("snapshots")
                .about("How many snapshots stay at most however young they are.")
                .note("The document gives no default; in Paimon it is the greatest integer, which is the same.")
                .readByEngine();
    }

    private WriteOptions() {}

    static List<OptionSpec<?>> specs() {
        return FAMILY.specs();
    }
}
