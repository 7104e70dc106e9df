/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.settings.WriteSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.sink.Committer.Context;
import org.apache.paimon.flink.sink.listener.CommitListener;
import org.apache.paimon.flink.sink.listener.CommitListenerFactory;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommitListenersTest {

    @TempDir
    Path folder;

    private StoreTable table;
    private final FakeStates states = new FakeStates();

    @BeforeEach
    void makeTable() throws Exception {
        Counting.told.clear();
        Counting.gate = new CountDownLatch(0);
        FileSystemCatalog catalog =
                new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
        Identifier identifier = Identifier.create("db", "t");
        catalog.createTable(
                identifier, Schema.newBuilder().column("id", DataTypes.INT()).build(), false);
        table = StoreTable.of("p.db.t", catalog.getTable(identifier));
    }

    @AfterEach
    void letGo() {
        Counting.gate.countDown();
    }

    private CommitListeners open(boolean restored) {
        return Objects.requireNonNull(CommitListeners.open(
                table,
                WriteSettings.from(Configuration.fromMap(Map.of("commit.custom-listeners", "test-counts")))
                        .commit(),
                new CommitListeners.Job(
                        "user", new UnregisteredMetricsGroup(), true, restored, states, List.of("/tmp"))));
    }

    private static PendingCommit commit(long id) {
        return new PendingCommit(id, null, List.of());
    }

    @Test
    void aCheckpointKeepsTheListenersStateAndTheCommitsThatItDoesNotKnow() throws Exception {
        try (CommitListeners listeners = open(false)) {
            listeners.committed(List.of(commit(1), commit(2)));
            listeners.awaitIdle();
            assertThat(listeners.snapshot()).isEmpty();
            assertThat(states.saved()).containsExactly(1L, 2L);

            Counting.gate = new CountDownLatch(1);
            listeners.committed(List.of(commit(3)));
            assertThat(listeners.snapshot())
                    .as("without waiting for the listener")
                    .containsExactly(commit(3));
            assertThat(states.saved()).as("the state that goes with them").containsExactly(1L, 2L);

            Counting.gate.countDown();
            listeners.awaitIdle();
            assertThat(listeners.snapshot()).isEmpty();
            assertThat(states.saved()).containsExactly(1L, 2L, 3L);
        }
        try (CommitListeners again = open(true)) {
            again.committed(List.of(commit(4)));
            again.awaitIdle();
            again.snapshot();
            assertThat(states.saved()).containsExactly(1L, 2L, 3L, 4L);
        }
        assertThat(Counting.told).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void oneThatLagsFarBehindMissesTheOldest() throws Exception {
        Counting.gate = new CountDownLatch(1);
        int commits = CommitListeners.LONGEST_LAG + 5;
        try (CommitListeners listeners = open(false)) {
            for (long id = 1; id <= commits; id++) {
                listeners.committed(List.of(commit(id)));
            }
            assertThat(listeners.snapshot())
                    .hasSize(CommitListeners.LONGEST_LAG)
                    .startsWith(commit(6))
                    .endsWith(commit(commits));
            Counting.gate.countDown();
            listeners.awaitIdle();
            assertThat(listeners.snapshot()).isEmpty();
        }
        assertThat(Counting.told).doesNotHaveDuplicates().endsWith((long) commits);
    }

    @Test
    void nothingIsMadeWithoutListeners() {
        assertThat(CommitListeners.open(
                        table,
                        new WriteSettings(null).commit(),
                        new CommitListeners.Job(
                                "user", new UnregisteredMetricsGroup(), true, false, states, List.of())))
                .isNull();
    }

    /** Keeps what it has been told; changes the very list that it has put into its state. */
    public static final class Counting implements CommitListenerFactory {

        private static final List<Long> told = new ArrayList<>();
        private static volatile CountDownLatch gate = new CountDownLatch(0);

        @Override
        public String identifier() {
            return "test-counts";
        }

        @Override
        public Optional<CommitListener> create(Context context, FileStoreTable table) throws Exception {
            ListState<List<Long>> state =
                    context.stateStore().getListState(new ListStateDescriptor<>("counts", Types.LIST(Types.LONG)));
            List<Long> known = new ArrayList<>();
            for (List<Long> earlier : state.get()) {
                known.addAll(earlier);
            }
            return Optional.of(new CommitListener() {
                @Override
                public void notifyCommittable(List<ManifestCommittable> committables) {
                    try {
                        gate.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    committables.forEach(one -> known.add(one.identifier()));
                    committables.forEach(one -> told.add(one.identifier()));
                }

                @Override
                public void snapshotState() throws Exception {
                    state.update(List.of(known));
                }

                @Override
                public void close() {}
            });
        }
    }

    /** Keeps lists in memory, as many as are asked for. */
    private static final class FakeStates implements CommitListeners.ListStates {

        private final Map<String, List<Object>> lists = new HashMap<>();

        List<Object> saved() {
            List<Object> all = new ArrayList<>();
            lists.getOrDefault("counts", List.of()).forEach(one -> all.addAll((List<?>) one));
            return all;
        }

        @Override
        @SuppressWarnings("unchecked") // one name stands for one type
        public <S> ListState<S> of(ListStateDescriptor<S> descriptor) {
            descriptor.initializeSerializerUnlessSet(new ExecutionConfig());
            List<S> values = (List<S>) lists.computeIfAbsent(descriptor.getName(), name -> new ArrayList<>());
            return new ListState<>() {
                @Override
                public Iterable<S> get() {
                    return values;
                }

                @Override
                public void add(S value) {
                    values.add(value);
                }

                @Override
                public void update(List<S> changed) {
                    values.clear();
                    values.addAll(changed);
                }

                @Override
                public void addAll(List<S> added) {
                    values.addAll(added);
                }

                @Override
                public void clear() {
                    values.clear();
                }
            };
        }
    }
}
