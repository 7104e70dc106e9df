/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.sink.assign.BucketedRow;
import dev.sluice.flink.store.PostponedBuckets;
import dev.sluice.flink.store.TableWriter;
import java.io.Serializable;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.table.sink.CommitMessage;

/** How a writer takes its rows: with the bucket that an operator before it found, or without buckets. */
public interface WriterInput<T> extends Serializable {

    /** The {@link #place} of a row that has no bucket. */
    int ANY_PLACE = Integer.MIN_VALUE;

    RowData row(T value);

    /** @return {@link TableWriter#NO_BUCKET} if the table has no buckets */
    int bucket(T value);

    /** What goes out of the messages that the engine has made. */
    default List<CommitMessage> outgoing(List<CommitMessage> messages) {
        return messages;
    }

    /**
     * Which of a subtask's writers a row belongs to, modulo their number; the same for all rows of a bucket. Buckets of
     * one partition, and partitions of one bucket, spread evenly.
     *
     * @param subtasks how many writer subtasks rows were spread over
     */
    int place(T value, int subtasks);

    /** Rows of a table with buckets. */
    static WriterInput<BucketedRow> bucketed() {
        return new Bucketed();
    }

    /** Rows that get their bucket from a later compaction. */
    static WriterInput<BucketedRow> postponed() {
        return new Postponed();
    }

    /** Rows of a table whose partitions have different numbers of buckets. */
    static WriterInput<BucketedRow> counted(PostponedBuckets buckets) {
        return new Counted(buckets);
    }

    /** Rows of a table without buckets. */
    static WriterInput<RowData> plain() {
        return new Plain();
    }

    /** Rows of a table without buckets that are sent to writers by their partition. */
    static WriterInput<BucketedRow> partitioned() {
        return new Partitioned();
    }

    /** Rows that come with a bucket, which is theirs unless it says otherwise. */
    interface WithBuckets extends WriterInput<BucketedRow> {
        @Override
        default RowData row(BucketedRow value) {
            return value.row();
        }

        @Override
        default int bucket(BucketedRow value) {
            return value.bucket();
        }

        @Override
        default int place(BucketedRow value, int subtasks) {
            return value.place(subtasks);
        }
    }

    /** Each with its bucket. */
    record Bucketed() implements WithBuckets {}

    /** For the one bucket that is none. */
    record Postponed() implements WithBuckets {
        @Override
        public int bucket(BucketedRow value) {
            return TableWriter.POSTPONED_BUCKET;
        }
    }

    /** Each with its bucket of as many as its partition has. */
    record Counted(PostponedBuckets buckets) implements WithBuckets {
        @Override
        public List<CommitMessage> outgoing(List<CommitMessage> messages) {
            return buckets.counted(messages);
        }
    }

    /** Sent together, in no bucket. */
    record Partitioned() implements WithBuckets {
        @Override
        public int bucket(BucketedRow value) {
            return TableWriter.NO_BUCKET;
        }
    }

    /** Nothing but rows. */
    record Plain() implements WriterInput<RowData> {
        @Override
        public RowData row(RowData value) {
            return value;
        }

        @Override
        public int bucket(RowData value) {
            return TableWriter.NO_BUCKET;
        }

        @Override
        public int place(RowData value, int subtasks) {
            return ANY_PLACE;
        }
    }
}
