/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.paimon.CoreOptions;

/** Options that only a source looks at. */
public final class ReadOptions {

    private static final Family FAMILY = new Family(Side.READ);

    public static final ConfigOption<Integer> SCAN_PARALLELISM = FAMILY.key(
                    "scan.parallelism", ValueType.integerFrom(1))
            .from(Origin.PAIMON)
            .unit("subtasks")
            .about("How many source subtasks read the table. Unset: inferred, or the job's parallelism.")
            .noDefault();

    public static final ConfigOption<Boolean> INFER_PARALLELISM = FAMILY.key("scan.infer-parallelism", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about(
                    "Whether the source takes its parallelism from what it has to read: from the number of splits of a read"
                            + " that ends, of buckets of one that goes on (if they are fixed). It does so only where neither"
                            + " `scan.parallelism` nor the job's parallelism is set (`parallelism.default` left out or -1)."
                            + " Operators chained to the source follow it.")
            .defaultsTo(true);

    public static final ConfigOption<Integer> INFER_PARALLELISM_MAX = FAMILY.key(
                    "scan.infer-parallelism.max", ValueType.integerFrom(1))
            .from(Origin.PAIMON)
            .unit("subtasks")
            .about("The most subtasks that an inferred parallelism gives a source.")
            .defaultsTo(1024);

    public static final ConfigOption<Duration> DISCOVERY_INTERVAL = FAMILY.key(
                    "continuous.discovery-interval", ValueType.positiveDuration())
            .from(Origin.PAIMON)
            .unit("duration")
            .about("The longest a streaming read waits before it looks for a new snapshot again.")
            .defaultsTo(Duration.ofSeconds(10));

    public static final ConfigOption<Integer> MAX_SNAPSHOT_COUNT = FAMILY.key(
                    "scan.max-snapshot.count",
                    ValueType.integer().within("a whole number from 1, or -1 for no limit", v -> v == -1 || v > 0))
            .from(Origin.PAIMON)
            .unit("snapshots")
            .about("The most snapshots a streaming read plans between two checkpoints; -1 is no limit.")
            .defaultsTo(-1);

    public static final ConfigOption<Integer> MAX_SPLITS_PER_TASK = FAMILY.key(
                    "scan.max-splits-per-task", ValueType.integerFrom(1))
            .from(Origin.PAIMON)
            .unit("splits")
            .about("How many planned splits a subtask may have waiting before planning pauses.")
            .defaultsTo(10);

    public static final ConfigOption<Integer> SPLIT_BATCH_SIZE = FAMILY.key(
                    "scan.split-enumerator.batch-size", ValueType.integerFrom(1))
            .from(Origin.PAIMON)
            .unit("splits")
            .about("How many splits of a bounded scan are handed to a subtask in one message.")
            .defaultsTo(10);

    public static final ConfigOption<SplitAssignMode> SPLIT_ASSIGN_MODE = FAMILY.key(
                    "scan.split-enumerator.mode", ValueType.oneOf(SplitAssignMode.class))
            .from(Origin.PAIMON)
            .unit("name")
            .about("How splits of a bounded scan reach the subtasks: evenly beforehand, or to whoever asks first.")
            .defaultsTo(SplitAssignMode.FAIR);

    public static final ConfigOption<Boolean> DEDICATED_SPLIT_GENERATION = FAMILY.key(
                    "scan.dedicated-split-generation", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether splits are planned by a task of the job instead of the job manager.")
            .defaultsTo(false);

    public static final ConfigOption<Boolean> SHUFFLE_BUCKET_WITH_PARTITION = FAMILY.key(
                    "read.shuffle-bucket-with-partition", ValueType.bool())
            .alias("streaming-read.shuffle-bucket-with-partition", Origin.PAIMON)
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether the partition counts, next to the bucket, when a streaming read picks a bucket's subtask.")
            .defaultsTo(true);

    public static final ConfigOption<Boolean> REMOVE_NORMALIZE = FAMILY.key("scan.remove-normalize", ValueType.bool())
            .alias("log.scan.remove-normalize", Origin.PAIMON)
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether a streaming read claims a complete changelog, so that Flink adds no operator that completes"
                    + " it. Aggregates are wrong if the changelog is not complete.")
            .defaultsTo(false);

    public static final ConfigOption<String> PARTITIONS = FAMILY.key("scan.partitions", ValueType.text())
            .alias("lookup.dynamic-partition", Origin.PAIMON)
            .from(Origin.PAIMON)
            .unit("partition list")
            .about("The partitions a scan or a lookup join reads: 'k1=v1,k2=v2' with ';' between two, or max_pt() or"
                    + " max_two_pt() for the one or two with the greatest value.")
            .noDefault();

    public static final ConfigOption<Boolean> CHECKPOINT_ALIGN = FAMILY.key(
                    "source.checkpoint-align.enabled", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether a checkpoint of a streaming read waits until a new snapshot has been consumed.")
            .defaultsTo(false);

    public static final ConfigOption<Duration> CHECKPOINT_ALIGN_TIMEOUT = FAMILY.key(
                    "source.checkpoint-align.timeout", ValueType.positiveDuration())
            .from(Origin.PAIMON)
            .unit("duration")
            .about("How long an aligned checkpoint waits for a snapshot before it fails; keep it below the checkpoint"
                    + " timeout.")
            .defaultsTo(Duration.ofSeconds(30));

    public static final ConfigOption<String> OPERATOR_UID_SUFFIX = FAMILY.key(
                    "source.operator-uid.suffix", ValueType.text())
            .from(Origin.PAIMON)
            .unit("text")
            .about("Ends the uids of the source's operators, which then stay the same when a job's topology changes.")
            .noDefault();

    public static final ConfigOption<Duration> BOUNDED_WATERMARK_INTERVAL = FAMILY.key(
                    "scan.bounded.watermark-interval", ValueType.positiveDuration())
            .from(Origin.VENDOR)
            .unit("duration")
            .about("Makes a streaming read a bounded one: it takes in the table's snapshots up to the one that was the"
                    + " latest when it was started, or up to `scan.bounded.watermark` if that is set, and then ends. Until"
                    + " then its watermark, if the table declares one, is emitted in steps of this length: always a whole"
                    + " multiple of it since 1970-01-01. It is not for reads that end by themselves, of a batch job or with"
                    + " `scan.bounded`.")
            .note("Only the vendor's document has it, with two sentences: the watermark advances by this interval, and"
                    + " the source ends once the watermark has passed the range of the data. That range is taken to be"
                    + " what the table holds when the read is started, so that the read always ends, also where no"
                    + " snapshot has a watermark; Paimon's `scan.bounded.watermark` names another range, and holds if"
                    + " both are set.")
            .noDefault();

    public static final ConfigOption<Boolean> ALLOW_FULL_SCAN = FAMILY.key("read.allow-full-scan", ValueType.bool())
            .alias("read.allow.fullScan", Origin.SPARK)
            .from(Origin.SPARK)
            .unit("flag")
            .about("Whether a scan of a partitioned table may come without a filter on its partitions.")
            .defaultsTo(true);

    public static final ConfigOption<Boolean> READ_CHANGELOG = FAMILY.key("read.changelog", ValueType.bool())
            .from(Origin.SPARK)
            .unit("flag")
            .about("Whether a scan returns every change as an inserted row with a column for the kind of change.")
            .defaultsTo(false);

    public static final ConfigOption<Boolean> AGGREGATE_PUSH_DOWN = FAMILY.key(
                    "scan.aggregate-push-down", ValueType.bool())
            .from(Origin.SLUICE)
            .unit("flag")
            .about("Whether a batch scan answers every COUNT, MIN and MAX, also by partition, from the table's metadata"
                    + " where that is exact. `COUNT(*)` of a table with eight columns or more is always answered so.")
            .note("Off by default because of Flink: its planner fails with an index out of bounds on statements that"
                    + " count several expressions, `COUNT(CASE ...), COUNT(CASE ...)`, of a source that answers"
                    + " aggregates.")
            .defaultsTo(false);

    public static final ConfigOption<Boolean> SPLIT_SIZE_WITH_COLUMN_PRUNING = FAMILY.key(
                    "source.split.target-size-with-column-pruning", ValueType.bool())
            .from(Origin.SPARK)
            .unit("flag")
            .about("Whether the size of a split counts only the columns that are read.")
            .defaultsTo(false);

    static {
        FAMILY.engine(CoreOptions.SCAN_MODE)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("name")
                .about("Where a read begins and whether it starts with the table's content.")
                .note("The vendor's document lists nine values; Paimon also takes `full`, an old name of `latest-full`,"
                        + " and `from-file-creation-time`. With `default`, a start position that is set picks the mode,"
                        + " so the position alone is enough although the document says it counts in one mode only.")
                .readByEngine();
        FAMILY.engine(CoreOptions.SCAN_SNAPSHOT_ID)
                .within("a whole number from 1", v -> v >= 1)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("snapshot id")
                .about("The snapshot a read begins with. A snapshot that does not exist fails the job at its start.")
                .note("The document ties it to `from-snapshot`; Paimon takes it for `from-snapshot-full` too, and that"
                        + " holds.")
                .readByEngine();
        FAMILY.engine(CoreOptions.SCAN_TIMESTAMP_MILLIS)
                .within("a whole number from 0", v -> v >= 0)
                .from(Origin.VENDOR, Origin.PAIMON)
                .unit("milliseconds since 1970-01-01 UTC")
                .about("A read begins with the latest snapshot that is not later than this.")
                .readByEngine();
        FAMILY.engine(CoreOptions.SCAN_BOUNDED_WATERMARK)
                .from(Origin.PAIMON)
                .unit("milliseconds since 1970-01-01 UTC")
                .about("A streaming read ends when it meets a snapshot with a greater watermark.")
                .readByEngine();
        FAMILY.engine(CoreOptions.SOURCE_SPLIT_TARGET_SIZE)
                .within("a size above 0 such as '128 mb'", v -> v.getBytes() > 0)
                .from(Origin.PAIMON)
                .unit("size")
                .about("How much data a split of a scan holds, about.")
                .readByEngine();
    }

    private ReadOptions() {}

    static List<OptionSpec<?>> specs() {
        return FAMILY.specs();
    }
}
