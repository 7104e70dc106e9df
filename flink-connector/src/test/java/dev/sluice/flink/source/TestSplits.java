/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source;

import dev.sluice.flink.source.split.PaimonSplit;
import java.util.List;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryRowWriter;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.source.DataSplit;

/** Splits of tables that need not exist. */
public final class TestSplits {

    private TestSplits() {}

    public static DataSplit engineSplit(long snapshot, int bucket) {
        return engineSplit(snapshot, BinaryRow.EMPTY_ROW, bucket, List.of());
    }

    public static DataSplit engineSplit(long snapshot, BinaryRow partition, int bucket, List<DataFileMeta> files) {
        return DataSplit.builder()
                .withSnapshot(snapshot)
                .withPartition(partition)
                .withBucket(bucket)
                .withTotalBuckets(4)
                .withBucketPath("file:/warehouse/db.db/t/bucket-" + bucket)
                .withDataFiles(files)
                .isStreaming(true)
                .rawConvertible(false)
                .build();
    }

    public static BinaryRow partition(int day) {
        BinaryRow row = new BinaryRow(1);
        BinaryRowWriter writer = new BinaryRowWriter(row);
        writer.writeInt(0, day);
        writer.complete();
        return row;
    }

    public static DataFileMeta file(String name, long bytes, long rows) {
        return DataFileMeta.create(
                name,
                bytes,
                rows,
                DataFileMeta.EMPTY_MIN_KEY,
                DataFileMeta.EMPTY_MAX_KEY,
                SimpleStats.EMPTY_STATS,
                SimpleStats.EMPTY_STATS,
                0,
                rows,
                0,
                0,
                List.of(),
                Timestamp.fromEpochMillis(1_700_000_000_000L),
                0L,
                null,
                FileSource.APPEND,
                null,
                null,
                null,
                null);
    }

    public static PaimonSplit split(String id, long snapshot, int bucket) {
        return new PaimonSplit(id, engineSplit(snapshot, bucket), 0);
    }
}
