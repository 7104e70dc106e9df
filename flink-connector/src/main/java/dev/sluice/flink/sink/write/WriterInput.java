/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.sink.assign.BucketedRow;
import dev.sluice.flink.store.TableWriter;
import java.io.Serializable;
import org.apache.flink.table.data.RowData;

/** How a writer takes its rows: with the bucket that an operator before it found, or without buckets. */
public interface WriterInput<T> extends Serializable {

    RowData row(T value);

    /** @return {@link TableWriter#NO_BUCKET} if the table has no buckets */
    int bucket(T value);

    /** Rows of a table with buckets. */
    static WriterInput<BucketedRow> bucketed() {
        return new Bucketed();
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
