/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import dev.sluice.flink.settings.CommitSettings;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.factories.Factory;
import org.apache.paimon.factories.FactoryUtil;
import org.apache.paimon.flink.sink.Committer.Context;
import org.apache.paimon.flink.sink.listener.CommitListener;
import org.apache.paimon.flink.sink.listener.CommitListenerFactory;
import org.apache.paimon.flink.sink.state.StateStore;
import org.apache.paimon.table.FileStoreTable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the listeners of {@code commit.custom-listeners}, which are classes made for Paimon's own Flink sink, of commits.
 * The one place that touches their interfaces.
 *
 * <p>Listeners are made by the task's thread and called, one after another, by a thread of their own, so that a slow one
 * holds up neither a commit nor a checkpoint; one that fails is logged and told of the next commit all the same. They are
 * told of each commit at least once: a checkpoint keeps, beside their state, the commits that this state does not know of.
 */
public final class CommitListeners implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CommitListeners.class);
    private static final String KEY = "commit.custom-listeners";

    /** Commits that listeners may lag behind before the oldest are given up. */
    static final int LONGEST_LAG = 100;

    /** How long a checkpoint waits for the state of listeners that have nothing else to do. */
    private static final long PATIENCE_MILLIS = 1_000;

    private static final long LONGEST_END_MINUTES = 5;
    private static final long LONGEST_CLOSE_SECONDS = 5;

    private final StoreTable table;
    private final ListStates states;
    private final Map<String, KeptState<?>> kept = new LinkedHashMap<>();
    private final Map<String, CommitListener> listeners = new LinkedHashMap<>();
    private final ExecutorService thread;
    /** Whether {@link #listeners} are being made. */
    private boolean opening = true;
    /** Of the task's thread. */
    private @Nullable Future<?> capture;

    // Guarded by this.
    /** Commits that the captured state of the listeners does not know of, in ascending order. */
    private final Deque<PendingCommit> uncaptured = new ArrayDeque<>();

    private long toldUpTo = Long.MIN_VALUE;
    private int notices;

    private CommitListeners(StoreTable table, ListStates states) {
        this.table = table;
        this.states = states;
        ClassLoader userCode = Thread.currentThread().getContextClassLoader();
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread created = new Thread(task, "Commit listeners of " + table.name());
            created.setDaemon(true);
            created.setContextClassLoader(userCode);
            return created;
        });
    }

    /** Makes the listeners where the committer runs; travels from the planner to the committing task. */
    @FunctionalInterface
    public interface Opener extends Serializable {
        /** @return null if there are none */
        @Nullable
        CommitListeners open(Job job);
    }

    /** The committing operator's state store. */
    @FunctionalInterface
    public interface ListStates {
        <T> ListState<T> of(ListStateDescriptor<T> descriptor) throws Exception;
    }

    /**
     * What the committing task knows of its job.
     *
     * @param commitUser names the job's commits
     * @param metrics of the committing operator
     * @param streaming whether commits follow checkpoints
     * @param restored whether the job goes on from a checkpoint
     * @param states what listeners keep their state in; used by the task's thread only
     * @param folders for files of a listener
     */
    public record Job(
            String commitUser,
            MetricGroup metrics,
            boolean streaming,
            boolean restored,
            ListStates states,
            List<String> folders) {}

    /**
     * Looks each listener up, without making one.
     *
     * @throws ValidationException if one is not on the class path, or more than once
     */
    public static void check(StoreTable table, CommitSettings settings) {
        if (settings.listeners().isEmpty()) {
            return;
        }
        List<CommitListenerFactory> known = factories();
        for (String name : settings.listeners()) {
            List<String> found = known.stream()
                    .filter(factory -> factory.identifier().equals(name))
                    .map(factory -> factory.getClass().getName())
                    .sorted()
                    .toList();
            if (found.size() != 1) {
                String names = known.isEmpty()
                        ? "none"
                        : String.join(
                                ", ",
                                known.stream().map(Factory::identifier).sorted().toList());
                throw new ValidationException("Option '" + KEY + "' of table " + table + " names the listener '" + name
                        + "', which "
                        + (found.isEmpty() ? "is not" : "is more than once, as " + String.join(" and ", found) + ",")
                        + " on the class path. There: " + names + ". Put the jar whose META-INF/services/"
                        + Factory.class.getName() + " lists the listener's "
                        + CommitListenerFactory.class.getSimpleName()
                        + " once into Flink's lib folder or into the job's jars, or correct the option.");
            }
        }
    }

    /** The engine's own way of finding them, but in the job's jars too, and without its cache, which would keep those. */
    private static List<CommitListenerFactory> factories() {
        ClassLoader userCode = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = userCode == null ? CommitListenerFactory.class.getClassLoader() : userCode;
        return FactoryUtil.discoverFactories(loader, Factory.class).stream()
                .filter(CommitListenerFactory.class::isInstance)
                .map(CommitListenerFactory.class::cast)
                .toList();
    }

    /**
     * One that cannot be made is logged and left out. Called by the task's thread while it is initialized.
     *
     * @return null if there are none
     */
    public static @Nullable CommitListeners open(StoreTable table, CommitSettings settings, Job job) {
        if (settings.listeners().isEmpty()) {
            return null;
        }
        CommitListeners opened = new CommitListeners(table, job.states());
        Context context = org.apache.paimon.flink.sink.Committer.createContext(
                job.commitUser(),
                job.metrics(),
                job.streaming(),
                job.restored(),
                opened.new States(),
                1,
                0,
                job.folders().toArray(new String[0]));
        for (String name : new LinkedHashSet<>(settings.listeners())) {
            try {
                opened.make(name, context, table.fileStore());
            } catch (Exception | LinkageError e) {
                LOG.warn("Listener {} of table {} cannot be made; the job goes on without it", name, table, e);
            }
        }
        opened.opening = false;
        return opened;
    }

    private void make(String name, Context context, FileStoreTable store) throws Exception {
        Optional<CommitListenerFactory> factory = factories().stream()
                .filter(one -> one.identifier().equals(name))
                .findFirst();
        if (factory.isEmpty()) {
            throw new IllegalStateException("No " + CommitListenerFactory.class.getName()
                    + " of this name is on the class" + " path of the task manager. Add its jar there.");
        }
        factory.get().create(context, store).ifPresent(listener -> listeners.put(name, listener));
    }

    /** Returns at once. Called after the commits, in ascending order of checkpoint ids, by one thread at a time. */
    public void committed(List<PendingCommit> commits) {
        int givenUp = 0;
        synchronized (this) {
            uncaptured.addAll(commits);
            for (; uncaptured.size() > LONGEST_LAG; givenUp++) {
                uncaptured.removeFirst();
            }
        }
        if (givenUp > 0) {
            LOG.warn(
                    "The listeners of table {} lag more than {} commits behind; they may never hear of the oldest {}."
                            + " Look at what the thread 'Commit listeners of {}' does",
                    table,
                    LONGEST_LAG,
                    givenUp,
                    table.name());
        }
        execute(() -> {
            List<PendingCommit> due = toTell();
            if (!due.isEmpty()) {
                tell(due, CommitFailures.describe(due));
            }
        });
    }

    /**
     * Tells of the end of the input as Paimon's own sink does, by a commit of the last possible id, here an empty one. Returns
     * at once.
     */
    public void inputEnded(@Nullable Long watermark) {
        PendingCommit end = new PendingCommit(PendingCommit.END_OF_BATCH, watermark, List.of());
        execute(() -> tell(List.of(end), "the end of the input"));
    }

    private void execute(Runnable notice) {
        synchronized (this) {
            notices++;
        }
        thread.execute(() -> {
            try {
                notice.run();
            } finally {
                synchronized (this) {
                    notices--;
                }
            }
        });
    }

    private synchronized boolean hasNotices() {
        return notices > 0;
    }

    private synchronized List<PendingCommit> toTell() {
        List<PendingCommit> due =
                uncaptured.stream().filter(one -> one.checkpointId() > toldUpTo).toList();
        if (!due.isEmpty()) {
            toldUpTo = due.get(due.size() - 1).checkpointId();
        }
        return due;
    }

    /** Each listener gets committables of its own, because they can be changed. */
    private void tell(List<PendingCommit> commits, String what) {
        each("take notice of " + what, listener -> listener.notifyCommittable(CommitParts.manifests(commits)));
    }

    @FunctionalInterface
    private interface Call {
        void on(CommitListener listener) throws Exception;
    }

    private void each(String what, Call call) {
        listeners.forEach((name, listener) -> {
            try {
                call.on(listener);
            } catch (Exception | LinkageError e) {
                LOG.warn("Listener {} of table {} failed to {}; the commits themselves are safe", name, table, what, e);
            }
        });
    }

    /**
     * Makes the listeners' state part of the checkpoint that is being taken. If they are busy, that is their state at the
     * checkpoint before. Called by the task's thread.
     *
     * @return the commits that the state does not know of, in ascending order, to be kept with it and given to
     *     {@link #committed} by who restores it
     */
    public List<PendingCommit> snapshot() throws Exception {
        Future<?> wanted = capture;
        boolean behind = wanted != null && !wanted.isDone();
        if (wanted == null || !behind) {
            wanted = thread.submit(this::capture);
            capture = wanted;
        }
        try {
            if (!behind && !hasNotices()) {
                wanted.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException e) {
            LOG.warn(
                    "The listeners of table {} are busy; the checkpoint goes on with their state of the one before",
                    table);
        }
        synchronized (this) {
            for (KeptState<?> state : kept.values()) {
                state.save();
            }
            return List.copyOf(uncaptured);
        }
    }

    /** By the listeners' thread; commits that come meanwhile wait for the next one. */
    private void capture() {
        each("take a snapshot of its state", CommitListener::snapshotState);
        synchronized (this) {
            try {
                kept.values().forEach(KeptState::capture);
            } catch (RuntimeException e) {
                LOG.warn("The state of the listeners of table {} cannot be copied; the one before is kept", table, e);
                return;
            }
            while (!uncaptured.isEmpty() && uncaptured.getFirst().checkpointId() <= toldUpTo) {
                uncaptured.removeFirst();
            }
        }
    }

    /** Waits until the listeners have been told of everything, or a few minutes. */
    public void awaitIdle() throws InterruptedException {
        try {
            thread.submit(() -> {}).get(LONGEST_END_MINUTES, TimeUnit.MINUTES);
        } catch (TimeoutException e) {
            LOG.warn(
                    "The listeners of table {} take more than {} minutes; the job ends without them",
                    table,
                    LONGEST_END_MINUTES);
        } catch (ExecutionException e) {
            throw new IllegalStateException("An empty task of the listeners of table " + table + " failed", e);
        }
    }

    /** Interrupts a listener at work: a failing job restarts without waiting for it. */
    @Override
    public void close() throws InterruptedException {
        thread.shutdownNow();
        if (thread.awaitTermination(LONGEST_CLOSE_SECONDS, TimeUnit.SECONDS)) {
            each("close", CommitListener::close);
        } else {
            LOG.warn("A listener of table {} does not heed its interruption; it is left alone, not closed", table);
        }
    }

    /** What listeners get their state from. */
    private final class States implements StateStore {

        @Override
        @SuppressWarnings("unchecked") // one name stands for one type, as in Flink's store
        public <T> ListState<T> getListState(ListStateDescriptor<T> descriptor) throws Exception {
            KeptState<?> state = kept.get(descriptor.getName());
            if (state == null) {
                if (!opening) {
                    throw new IllegalStateException("State '" + descriptor.getName()
                            + "' is asked for when the job runs already. Ask for it where the listener is made.");
                }
                ListState<T> flinks = states.of(descriptor);
                state = new KeptState<>(flinks, descriptor.getElementSerializer());
                kept.put(descriptor.getName(), state);
            }
            return (ListState<T>) state;
        }
    }

    /** State that the listeners' thread changes while Flink, on the task's, saves what it was when captured. */
    private static final class KeptState<T> implements ListState<T> {

        private final ListState<T> flinks;
        private final TypeSerializer<T> serializer;
        private final List<T> values = new ArrayList<>();
        private List<T> captured;

        KeptState(ListState<T> flinks, TypeSerializer<T> serializer) throws Exception {
            this.flinks = flinks;
            this.serializer = serializer.duplicate();
            flinks.get().forEach(values::add);
            captured = copy();
        }

        /** Of the values too: a listener may have put in something that it goes on changing. */
        private List<T> copy() {
            return values.stream().map(serializer::copy).toList();
        }

        void capture() {
            captured = copy();
        }

        void save() throws Exception {
            flinks.update(captured);
        }

        @Override
        public Iterable<T> get() {
            return values;
        }

        @Override
        public void add(T value) {
            values.add(value);
        }

        @Override
        public void update(List<T> changed) {
            List<T> copied = List.copyOf(changed);
            values.clear();
            values.addAll(copied);
        }

        @Override
        public void addAll(List<T> added) {
            values.addAll(added);
        }

        @Override
        public void clear() {
            values.clear();
        }
    }
}
