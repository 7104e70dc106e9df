/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The engine gives a merge of overlapping files as one batch, however long it is. A barrier gets through all the same. */
final class CheckpointInMergeITCase {

    @RegisterExtension
    static final SharedCluster CLUSTER = new SharedCluster();

    private static final int ROWS = 1_000_000;

    @TempDir
    Path folder;

    @Test
    void aCheckpointCompletesWhileASectionOfAMillionRowsIsMerged() throws Exception {
        try (TestTables tables = new TestTables(folder)) {
            Table table = tables.create(
                    "t",
                    Schema.newBuilder()
                            .column("id", DataTypes.INT().notNull())
                            .column("x", DataTypes.INT())
                            .primaryKey("id")
                            .option("bucket", "1")
                            .option("write-only", "true")
                            .build());
            // The second run has the ends of the first alone, so that both are one section.
            TestTables.write(table, false, rows(ROWS));
            TestTables.write(table, GenericRow.of(0, 1), GenericRow.of(ROWS - 1, 1));
            StoreTable read = tables.open("t");
            StreamExecutionEnvironment env = CLUSTER.env();
            env.setParallelism(1);
            env.enableCheckpointing(Duration.ofDays(1).toMillis());
            env.fromSource(
                            PaimonSource.of(
                                    read,
                                    ReadSpec.everything(),
                                    new ReadSettings(null, Duration.ofSeconds(10)),
                                    Boundedness.BOUNDED),
                            WatermarkStrategy.noWatermarks(),
                            read.name())
                    .map(new SlowUntilACheckpoint())
                    .returns(Types.LONG)
                    .sinkTo(new DiscardingSink<>());

            JobClient job = env.executeAsync();
            SlowUntilACheckpoint.READING.await();
            CompletableFuture<String> checkpoint = CLUSTER.triggerCheckpoint(job.getJobID());
            SlowUntilACheckpoint.TRIGGERED.countDown();
            job.getJobExecutionResult().get();

            assertThat(checkpoint).isCompleted();
            assertThat(SlowUntilACheckpoint.ROWS_IN_CHECKPOINT.get())
                    .as("rows before the barrier")
                    .isBetween(1L, ROWS - 1L);
            assertThat(SlowUntilACheckpoint.ROWS_AT_COMPLETION.get())
                    .as("rows before the checkpoint was complete")
                    .isBetween(1L, ROWS - 1L);
            assertThat(SlowUntilACheckpoint.ROWS_IN_ALL.get()).isEqualTo(ROWS);
        }
    }

    private static List<InternalRow> rows(int count) {
        List<InternalRow> rows = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            rows.add(GenericRow.of(id, 0));
        }
        return rows;
    }

    /** Waits for the checkpoint to be asked for and gives it time to come, which a whole section in one turn would use up. */
    private static final class SlowUntilACheckpoint extends RichMapFunction<RowData, Long>
            implements CheckpointedFunction, CheckpointListener {

        private static final long serialVersionUID = 1L;

        static final CountDownLatch READING = new CountDownLatch(1);
        static final CountDownLatch TRIGGERED = new CountDownLatch(1);
        static final AtomicLong ROWS_IN_CHECKPOINT = new AtomicLong(-1);
        static final AtomicLong ROWS_AT_COMPLETION = new AtomicLong(-1);
        static final AtomicLong ROWS_IN_ALL = new AtomicLong();

        private transient long seen;

        @Override
        public Long map(RowData row) throws Exception {
            seen++;
            ROWS_IN_ALL.set(seen);
            if (seen == 100) {
                READING.countDown();
                TRIGGERED.await();
            }
            if (seen % 100 == 0 && ROWS_AT_COMPLETION.get() < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            return seen;
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) {
            ROWS_IN_CHECKPOINT.compareAndSet(-1, seen);
        }

        @Override
        public void initializeState(FunctionInitializationContext context) {}

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            ROWS_AT_COMPLETION.compareAndSet(-1, seen);
        }
    }
}
