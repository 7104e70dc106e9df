/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.paimon.flink.sink.Committer;
import org.apache.paimon.flink.sink.listener.CommitListener;
import org.apache.paimon.flink.sink.listener.CommitListenerFactory;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.table.FileStoreTable;

/** Commit listeners as users of the official sink have them, found by the entries in META-INF/services. */
final class Listener {

    private Listener() {}

    /** What the listeners of one table have seen, in all attempts of its jobs. */
    static final class Seen {

        private static final ConcurrentHashMap<String, Seen> ALL = new ConcurrentHashMap<>();

        final List<ManifestCommittable> told = new CopyOnWriteArrayList<>();
        final List<Committer.Context> contexts = new CopyOnWriteArrayList<>();
        final List<List<Long>> restored = new CopyOnWriteArrayList<>();
        final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        final CountDownLatch gate = new CountDownLatch(1);
        /** The identifiers that the last attempt knows of, from its state or because it was told. */
        volatile List<Long> known = List.of();

        static Seen of(String table) {
            return ALL.computeIfAbsent(table, name -> new Seen());
        }

        List<Long> identifiers() {
            return told.stream().map(ManifestCommittable::identifier).toList();
        }
    }

    private static class Recorder implements CommitListener {

        private final Seen seen;
        private final TreeSet<Long> known = new TreeSet<>();
        private final ListState<Long> state;

        Recorder(Committer.Context context, Seen seen) throws Exception {
            this.seen = seen;
            state = context.stateStore().getListState(new ListStateDescriptor<>("test-known", Types.LONG));
            if (context.isRestored()) {
                state.get().forEach(known::add);
                seen.restored.add(List.copyOf(known));
            }
            seen.contexts.add(context);
        }

        @Override
        public void notifyCommittable(List<ManifestCommittable> committables) {
            for (ManifestCommittable one : committables) {
                seen.told.add(one);
                known.add(one.identifier());
            }
            seen.known = List.copyOf(known);
        }

        @Override
        public void snapshotState() throws Exception {
            state.update(new ArrayList<>(known));
        }

        @Override
        public void close() {
            seen.closed.incrementAndGet();
        }
    }

    /** Keeps what it is told in its state. */
    public static final class Records implements CommitListenerFactory {

        @Override
        public String identifier() {
            return "test-records";
        }

        @Override
        public Optional<CommitListener> create(Committer.Context context, FileStoreTable table) throws Exception {
            return Optional.of(new Recorder(context, Seen.of(table.name())));
        }
    }

    /** As the other, but does not come back until the test lets it, or until it is interrupted. */
    public static final class Hangs implements CommitListenerFactory {

        @Override
        public String identifier() {
            return "test-hangs";
        }

        @Override
        public Optional<CommitListener> create(Committer.Context context, FileStoreTable table) throws Exception {
            Seen seen = Seen.of(table.name());
            return Optional.of(new Recorder(context, seen) {
                @Override
                public void notifyCommittable(List<ManifestCommittable> committables) {
                    try {
                        seen.calls.incrementAndGet();
                        seen.gate.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException("interrupted while it hangs", e);
                    }
                    super.notifyCommittable(committables);
                }
            });
        }
    }

    /** Fails whatever it is asked to do. */
    public static final class Throws implements CommitListenerFactory {

        @Override
        public String identifier() {
            return "test-throws";
        }

        @Override
        public Optional<CommitListener> create(Committer.Context context, FileStoreTable table) {
            Seen seen = Seen.of(table.name());
            return Optional.of(new CommitListener() {
                @Override
                public void notifyCommittable(List<ManifestCommittable> committables) {
                    seen.calls.incrementAndGet();
                    throw new IllegalStateException("the listener fails when told");
                }

                @Override
                public void snapshotState() throws Exception {
                    seen.calls.incrementAndGet();
                    throw new Exception("the listener fails to take a snapshot");
                }

                @Override
                public void close() {
                    throw new IllegalStateException("the listener fails to close");
                }
            });
        }
    }

    /** Made of classes that are not there. */
    public static final class Unmakeable implements CommitListenerFactory {

        @Override
        public String identifier() {
            return "test-unmakeable";
        }

        @Override
        public Optional<CommitListener> create(Committer.Context context, FileStoreTable table) {
            throw new NoClassDefFoundError("com/example/Client");
        }
    }
}
