/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.store.ReadSpec;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables followed snapshot by snapshot, and failures in the middle of a split. */
final class FollowITCase {

    @RegisterExtension
    static final SharedCluster CLUSTER = new SharedCluster();

    private static final ReadSettings SETTINGS = new ReadSettings(null, Duration.ofMillis(50));

    @TempDir
    Path folder;

    private TestTables tables;

    @BeforeEach
    void open() throws Exception {
        tables = new TestTables(folder);
        FailsOnceAfterACheckpoint.ROWS_IN_CHECKPOINT.set(-1);
    }

    @AfterEach
    void close() throws Exception {
        tables.close();
    }

    private static Schema.Builder columns() {
        return Schema.newBuilder().column("id", DataTypes.BIGINT()).column("name", DataTypes.STRING());
    }

    private static InternalRow row(RowKind kind, long id, String name) {
        return GenericRow.ofKind(kind, id, BinaryString.fromString(name));
    }

    private static DataStream<RowData> rows(StreamExecutionEnvironment env, StoreTable table, Boundedness boundedness) {
        return env.fromSource(
                PaimonSource.of(table, ReadSpec.everything(), SETTINGS, boundedness),
                WatermarkStrategy.noWatermarks(),
                table.name());
    }

    private static String text(RowData row) {
        return row.getRowKind().shortString() + " " + row.getLong(0) + " " + row.getString(1);
    }

    private static List<String> take(CloseableIterator<String> rows, int count) {
        List<String> taken = new ArrayList<>();
        while (taken.size() < count && rows.hasNext()) {
            taken.add(rows.next());
        }
        return taken;
    }

    @Test
    void givesTheContentAndThenEveryChangeWithItsRowKind() throws Exception {
        Table table = tables.create(
                "t",
                columns()
                        .primaryKey("id")
                        .option("bucket", "2")
                        .option("changelog-producer", "input")
                        .build());
        TestTables.write(table, row(RowKind.INSERT, 1, "one"), row(RowKind.INSERT, 2, "two"));

        try (CloseableIterator<String> changes = rows(CLUSTER.env(), tables.open("t"), Boundedness.CONTINUOUS_UNBOUNDED)
                .map(FollowITCase::text, Types.STRING)
                .executeAndCollect()) {
            assertThat(take(changes, 2)).containsExactlyInAnyOrder("+I 1 one", "+I 2 two");
            TestTables.write(table, row(RowKind.UPDATE_BEFORE, 1, "one"), row(RowKind.UPDATE_AFTER, 1, "uno"));
            assertThat(take(changes, 2)).containsExactly("-U 1 one", "+U 1 uno");
            TestTables.write(table, row(RowKind.DELETE, 1, "uno"), row(RowKind.INSERT, 3, "three"));
            assertThat(take(changes, 2)).containsExactlyInAnyOrder("-D 1 uno", "+I 3 three");
        }
    }

    @Test
    void keepsTheChangesOfAKeyInOrderOverManySnapshots() throws Exception {
        Table table = tables.create(
                "t", columns().primaryKey("id").option("bucket", "3").build());
        TestTables.write(table, row(RowKind.INSERT, 0, "0"));
        int snapshots = 40;
        for (int i = 1; i < snapshots; i++) {
            TestTables.write(table, row(RowKind.INSERT, i % 4, "" + i));
        }

        Map<String, String> fromFirst = Map.of("scan.mode", "from-snapshot", "scan.snapshot-id", "1");
        Map<String, List<Integer>> byKey = new java.util.HashMap<>();
        try (CloseableIterator<String> changes = rows(
                        CLUSTER.env(), tables.open("t", fromFirst), Boundedness.CONTINUOUS_UNBOUNDED)
                .map(FollowITCase::text, Types.STRING)
                .executeAndCollect()) {
            for (String change : take(changes, snapshots)) {
                String[] parts = change.split(" ");
                byKey.computeIfAbsent(parts[1], key -> new ArrayList<>()).add(Integer.valueOf(parts[2]));
            }
        }
        assertThat(byKey).hasSize(4);
        assertThat(byKey.values()).allSatisfy(versions -> assertThat(versions).isSorted());
    }

    @Test
    void anEmptyTableIsWaitedFor() throws Exception {
        Table table = tables.create("t", columns().build());

        try (CloseableIterator<String> changes = rows(CLUSTER.env(), tables.open("t"), Boundedness.CONTINUOUS_UNBOUNDED)
                .map(FollowITCase::text, Types.STRING)
                .executeAndCollect()) {
            TestTables.write(table, row(RowKind.INSERT, 1, "one"));
            assertThat(take(changes, 1)).containsExactly("+I 1 one");
        }
    }

    @ParameterizedTest
    @EnumSource(Boundedness.class)
    void aFailureInTheMiddleOfASplitLosesAndRepeatsNothing(Boundedness boundedness) throws Exception {
        int rows = 20_000;
        Table table = tables.create(
                "t", columns().primaryKey("id").option("bucket", "1").build());
        List<InternalRow> written = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            written.add(row(RowKind.INSERT, i, "n" + i));
            expected.add("+I " + i + " n" + i);
        }
        TestTables.write(table, false, written);
        StreamExecutionEnvironment env = CLUSTER.env(1);
        env.enableCheckpointing(20);

        List<String> read;
        try (CloseableIterator<String> all = rows(env, tables.open("t"), boundedness)
                .map(new FailsOnceAfterACheckpoint())
                .returns(Types.STRING)
                .executeAndCollect()) {
            read = take(all, rows);
            assertThat(boundedness == Boundedness.BOUNDED && all.hasNext()).isFalse();
        }

        assertThat(FailsOnceAfterACheckpoint.ROWS_IN_CHECKPOINT.get())
                .as("the checkpoint was in the middle of the split")
                .isBetween(1L, rows - 1L);
        assertThat(read).containsExactlyElementsOf(expected);
    }

    @Test
    void aConsumerIsSetToWhatHasBeenRead() throws Exception {
        Table table = tables.create("t", columns().build());
        TestTables.write(table, row(RowKind.INSERT, 1, "one"));
        TestTables.write(table, row(RowKind.INSERT, 2, "two"));
        StoreTable followed = tables.open("t", Map.of("consumer-id", "me"));
        StreamExecutionEnvironment env = CLUSTER.env();
        env.enableCheckpointing(20);

        try (CloseableIterator<String> changes = rows(env, followed, Boundedness.CONTINUOUS_UNBOUNDED)
                .map(FollowITCase::text, Types.STRING)
                .executeAndCollect()) {
            assertThat(take(changes, 2)).containsExactlyInAnyOrder("+I 1 one", "+I 2 two");
            await().untilAsserted(() -> assertThat(
                            ((FileStoreTable) table).consumerManager().consumers())
                    .containsEntry("me", 3L));
        }
    }

    /** Slow enough for checkpoints to fall between its rows; fails at the first row after one that has some. */
    private static final class FailsOnceAfterACheckpoint extends RichMapFunction<RowData, String>
            implements CheckpointListener {

        private static final long serialVersionUID = 1L;

        static final AtomicLong ROWS_IN_CHECKPOINT = new AtomicLong(-1);

        private transient long seen;
        private transient boolean fail;

        @Override
        public String map(RowData row) {
            if (fail) {
                throw new IllegalStateException("failing on purpose");
            }
            if (++seen % 100 == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            return text(row);
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            if (seen > 0) {
                fail = ROWS_IN_CHECKPOINT.compareAndSet(-1, seen);
            }
        }
    }
}
