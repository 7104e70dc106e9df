/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.BatchShuffleMode;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Batch jobs of which Flink runs a part again: what the first attempt has handed on must not find its way into the table. */
final class BatchFailureITCase extends OnACluster {

    private static final int ROWS = 1_500;

    /** Fails once, after half of the rows; until then the rows are others, of keys that the second attempt has not got. */
    private static final class OtherRowsFirst extends RichMapFunction<RowData, RowData> {

        private static final long serialVersionUID = 1L;
        private static final ConcurrentHashMap<String, AtomicInteger> FAILURES = new ConcurrentHashMap<>();

        private final String name;
        private transient int seen;

        OtherRowsFirst(String name) {
            this.name = name;
        }

        static AtomicInteger failures(String name) {
            return FAILURES.computeIfAbsent(name, key -> new AtomicInteger());
        }

        @Override
        public RowData map(RowData row) {
            if (failures(name).get() > 0) {
                return row;
            }
            if (++seen > ROWS / 2) {
                failures(name).incrementAndGet();
                throw new IllegalStateException("the test fails here");
            }
            return GenericRowData.ofKind(row.getRowKind(), row.getLong(0) + 100_000, row.getInt(1), row.getString(2));
        }
    }

    private StreamExecutionEnvironment environment(BatchShuffleMode exchanges) throws Exception {
        Configuration job = new Configuration();
        job.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        job.set(ExecutionOptions.BATCH_SHUFFLE_MODE, exchanges);
        job.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        job.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 5);
        return cluster.environment(job);
    }

    private void insert(BucketModesITCase.Mode mode, String name, StoreTable table, BatchShuffleMode exchanges)
            throws Exception {
        StreamExecutionEnvironment env = environment(exchanges);
        PaimonSink.append(
                mode.changes().stream(env, name, ROWS, RateLimiterStrategy.noOp())
                        .map(new OtherRowsFirst(name))
                        .setParallelism(1)
                        .returns(Rows.TYPE),
                table,
                new WriteSettings(3),
                false);
        env.execute();
    }

    /** Read bucket by bucket, so a key in two of them would show as two rows; the second job finds each where it is. */
    @ParameterizedTest
    @CsvSource({
        "DYNAMIC, ALL_EXCHANGES_BLOCKING",
        "DYNAMIC_PARTITIONED, ALL_EXCHANGES_BLOCKING",
        "CROSS_PARTITION, ALL_EXCHANGES_BLOCKING",
        "POSTPONED, ALL_EXCHANGES_BLOCKING",
    })
    void rowsOfAProducersFirstAttemptLeaveNoTrace(BucketModesITCase.Mode mode, BatchShuffleMode exchanges)
            throws Exception {
        String name = "producer_" + mode + exchanges;
        StoreTable table = mode.create(warehouse, name);
        insert(mode, name, table, exchanges);
        assertThat(OtherRowsFirst.failures(name)).hasValue(1);
        assertThat(warehouse.rows(name))
                .containsExactlyInAnyOrderElementsOf(mode.changes().expected(ROWS));

        insert(mode, name, table, exchanges);
        assertThat(warehouse.rows(name))
                .containsExactlyInAnyOrderElementsOf(mode.changes().expected(ROWS));
    }

    @ParameterizedTest
    @CsvSource({
        "DYNAMIC, BEFORE_FLUSH",
        "DYNAMIC, AFTER_FLUSH",
        "DYNAMIC_PARTITIONED, AFTER_FLUSH",
        "CROSS_PARTITION, AFTER_FLUSH",
        "DYNAMIC, BEFORE_RENAME",
        "DYNAMIC, AFTER_RENAME",
    })
    void aWriterOrTheCommitterThatIsRunAgainWritesNothingTwice(BucketModesITCase.Mode mode, Sabotage.Step step)
            throws Exception {
        String name = "again_" + mode + step;
        StoreTable stored = mode.create(warehouse, name);
        AtomicBoolean struck = new AtomicBoolean();
        Sabotage.plan(name, (at, what) -> at == step && struck.compareAndSet(false, true));
        StoreTable table = Sabotage.table(name, stored, warehouse.open(name));
        OtherRowsFirst.failures(name).set(1);
        for (int job = 0; job < 2; job++) {
            insert(mode, name, table, BatchShuffleMode.ALL_EXCHANGES_BLOCKING);
            assertThat(warehouse.rows(name))
                    .containsExactlyInAnyOrderElementsOf(mode.changes().expected(ROWS));
        }
        assertThat(struck).isTrue();
        assertThat(List.copyOf(warehouse.commits(name).values())).hasSize(2);
    }
}
