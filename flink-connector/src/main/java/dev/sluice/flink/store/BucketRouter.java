/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.Serializable;
import org.apache.paimon.casting.DefaultValueRow;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.FixedBucketRowKeyExtractor;
import org.apache.paimon.table.sink.PartitionKeyExtractor;
import org.apache.paimon.table.sink.RowKeyExtractor;
import org.apache.paimon.table.sink.RowPartitionAllPrimaryKeyExtractor;
import org.apache.paimon.table.sink.RowPartitionKeyExtractor;
import org.jspecify.annotations.Nullable;

/** Says where rows of a table belong. Not thread-safe: it keeps what it looks at. */
public final class BucketRouter {

    /** What rows of one partition go by. */
    public enum Goal {
        /** The bucket, of which the table has a fixed number. */
        BUCKET,
        /** The hash of the primary key within its partition. */
        KEY_HASH,
        /** The hash of the primary key, whatever the partition. */
        GLOBAL_KEY_HASH,
        /** Nothing: they stay together. */
        PARTITION
    }

    /** Makes a router where it is used. */
    @FunctionalInterface
    public interface Opener extends Serializable {
        BucketRouter open();
    }

    /** Extracts a row's number; the partition is known by then. */
    private interface Extractor {
        BinaryRow partition(InternalRow row);

        int number(InternalRow row);
    }

    private final Extractor extractor;
    private final @Nullable DefaultValueRow withDefaults;
    private int partitionHash;
    private int number;

    private BucketRouter(Extractor extractor, @Nullable DefaultValueRow withDefaults) {
        this.extractor = extractor;
        this.withDefaults = withDefaults;
    }

    public static BucketRouter by(Goal goal, StoreTable table) {
        FileStoreTable store = table.fileStore();
        Extractor extractor = switch (goal) {
            case BUCKET -> new ByBucket(store.createRowKeyExtractor());
            case KEY_HASH -> new ByKey(new RowPartitionKeyExtractor(store.schema()));
            case GLOBAL_KEY_HASH -> new ByKey(new RowPartitionAllPrimaryKeyExtractor(store.schema()));
            case PARTITION -> new ByPartition(new RowPartitionKeyExtractor(store.schema()), null);
        };
        return new BucketRouter(extractor, DefaultValueRow.create(store.rowType()));
    }

    /** By bucket, of which partitions have different numbers. */
    public static BucketRouter byPostponed(PostponedBuckets buckets, StoreTable table) {
        FileStoreTable store = PostponedBuckets.forWriters(table).fileStore();
        FixedBucketRowKeyExtractor keys = new FixedBucketRowKeyExtractor(store.schema());
        return new BucketRouter(new ByPostponedBucket(keys, buckets), DefaultValueRow.create(store.rowType()));
    }

    /** Rows of a partition by turns, over more of so many writers the more rows it has. */
    public static BucketRouter byTraffic(StoreTable table, int writers) {
        FileStoreTable store = table.fileStore();
        return new BucketRouter(
                new ByPartition(new RowPartitionKeyExtractor(store.schema()), new PartitionTraffic(writers)),
                DefaultValueRow.create(store.rowType()));
    }

    /** The engine puts in default values before it looks at keys, so they count here, too. */
    public void look(InternalRow row) {
        InternalRow whole = withDefaults == null ? row : withDefaults.replaceRow(row);
        partitionHash = extractor.partition(whole).hashCode();
        number = extractor.number(whole);
    }

    /** @return a number that is the same for all rows of a partition */
    public int partitionHash() {
        return partitionHash;
    }

    public int number() {
        return number;
    }

    /**
     * All rows of one bucket meet in one writer, and the buckets of one partition spread evenly.
     *
     * @return a number from 0 to {@code writers - 1}
     */
    public static int writer(int partitionHash, int number, int writers) {
        return Math.floorMod(Math.floorMod(partitionHash, writers) + Math.floorMod(number, writers), writers);
    }

    private record ByBucket(RowKeyExtractor keys) implements Extractor {
        @Override
        public BinaryRow partition(InternalRow row) {
            keys.setRecord(row);
            return keys.partition();
        }

        @Override
        public int number(InternalRow row) {
            return keys.bucket();
        }
    }

    private record ByPostponedBucket(FixedBucketRowKeyExtractor keys, PostponedBuckets buckets) implements Extractor {
        @Override
        public BinaryRow partition(InternalRow row) {
            keys.setRecord(row);
            return keys.partition();
        }

        @Override
        public int number(InternalRow row) {
            return keys.bucket(buckets.count(keys.partition()));
        }
    }

    private record ByKey(PartitionKeyExtractor<InternalRow> keys) implements Extractor {
        @Override
        public BinaryRow partition(InternalRow row) {
            return keys.partition(row);
        }

        @Override
        public int number(InternalRow row) {
            return keys.trimmedPrimaryKey(row).hashCode();
        }
    }

    /** @param traffic deals a partition's rows out, or null if they stay together */
    private record ByPartition(
            PartitionKeyExtractor<InternalRow> keys,
            @Nullable PartitionTraffic traffic) implements Extractor {
        @Override
        public BinaryRow partition(InternalRow row) {
            return keys.partition(row);
        }

        @Override
        public int number(InternalRow row) {
            return traffic == null ? 0 : traffic.next(keys.partition(row));
        }
    }
}
