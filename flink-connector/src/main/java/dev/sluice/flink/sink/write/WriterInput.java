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

    RowData row(T value);

    /** @return {@link TableWriter#NO_BUCKET} if the table has no buckets */
    int bucket(T value);

    /** What goes out of the messages that the engine has made. */
    default List<CommitMessage> outgoing(List<CommitMessage> messages) {
        return messages;
    }

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

    /** Each with its bucket. */
    record Bucketed() implements WriterInput<BucketedRow> {
        @Override
        public RowData row(BucketedRow value) {
            return value.row();
        }

        @Override
        public int bucket(BucketedRow value) {
            return value.bucket();
        }
    }

    /** For the one bucket that is none. */
    record Postponed() implements WriterInput<BucketedRow> {
        @Override
        public RowData row(BucketedRow value) {
            return value.row();
        }

        @Override
        public int bucket(BucketedRow value) {
            return TableWriter.POSTPONED_BUCKET;
        }
    }

    /** Each with its bucket of as many as its partition has. */
    record Counted(PostponedBuckets buckets) implements WriterInput<BucketedRow> {
        @Override
        public RowData row(BucketedRow value) {
            return value.row();
        }

        @Override
        public int bucket(BucketedRow value) {
            return value.bucket();
        }

        @Override
        public List<CommitMessage> outgoing(List<CommitMessage> messages) {
            return buckets.counted(messages);
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
    }
}
