/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.CommitSummary;
import dev.sluice.flink.store.Committer;
import dev.sluice.flink.store.PendingCommit;
import dev.sluice.flink.store.SnapshotCommitter;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.WriteFailedException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.jspecify.annotations.Nullable;

/** Ends a job's tasks at a step of the way from a row to a snapshot; found by the name of the test in this JVM. */
final class Sabotage {

    enum Step {
        BEFORE_FLUSH,
        AFTER_FLUSH,
        BEFORE_STATE_SNAPSHOT,
        AFTER_STATE_SNAPSHOT,
        AFTER_COMPLETION,
        BEFORE_COMMIT,
        AFTER_COMMIT,
        BEFORE_MANIFEST,
        AFTER_MANIFEST,
        BEFORE_RENAME,
        AFTER_RENAME
    }

    /** Decides whether the job ends here. May be called by any thread. */
    @FunctionalInterface
    interface Saboteur {
        boolean strikes(Step step, String what);
    }

    /** As if the process had ended: nothing of the engine handles it as a failed operation. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed(Step step, String what) {
            super("the test ends the task " + step + " at " + what);
        }
    }

    private static final Map<String, Saboteur> ALL = new ConcurrentHashMap<>();

    private Sabotage() {}

    static void plan(String name, Saboteur saboteur) {
        ALL.put(name, saboteur);
    }

    static void at(String name, Step step, String what) {
        Saboteur saboteur = ALL.get(name);
        if (saboteur != null && saboteur.strikes(step, what)) {
            throw new Killed(step, what);
        }
    }

    /** The same table on a storage that fails. */
    static StoreTable table(String name, StoreTable table, FileStoreTable stored) {
        return StoreTable.of(
                table.name(),
                FileStoreTableFactory.create(
                        new Storage(name), stored.location(), stored.schema(), stored.catalogEnvironment()));
    }

    static Committer.Opener opener(String name, StoreTable table) {
        return commitUser -> new FailingCommits(
                SnapshotCommitter.open(table, commitUser, null, new WriteSettings(null).commit()), name);
    }

    private static final class Storage extends LocalFileIO {
        private static final long serialVersionUID = 1L;
        private final String name;

        Storage(String name) {
            this.name = name;
        }

        @Override
        public PositionOutputStream newOutputStream(Path path, boolean overwrite) throws IOException {
            String file = path.getName();
            if (file.startsWith("data-")) {
                at(name, Step.BEFORE_FLUSH, file);
                return new Closing(super.newOutputStream(path, overwrite), () -> at(name, Step.AFTER_FLUSH, file));
            }
            if (file.startsWith("manifest-")) {
                at(name, Step.BEFORE_MANIFEST, file);
                return new Closing(super.newOutputStream(path, overwrite), () -> at(name, Step.AFTER_MANIFEST, file));
            }
            return super.newOutputStream(path, overwrite);
        }

        @Override
        public boolean rename(Path from, Path to) throws IOException {
            boolean snapshot = to.getName().startsWith("snapshot-");
            if (snapshot) {
                at(name, Step.BEFORE_RENAME, to.getName());
            }
            boolean renamed = super.rename(from, to);
            if (snapshot) {
                at(name, Step.AFTER_RENAME, to.getName());
            }
            return renamed;
        }
    }

    private static final class Closing extends PositionOutputStream {
        private final PositionOutputStream out;
        private final Runnable afterwards;

        Closing(PositionOutputStream out, Runnable afterwards) {
            this.out = out;
            this.afterwards = afterwards;
        }

        @Override
        public long getPos() throws IOException {
            return out.getPos();
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            out.write(b, off, len);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.close();
            afterwards.run();
        }
    }

    /** Passes rows on, knows how many have passed at each checkpoint, and fails around checkpoints. At parallelism 1. */
    static final class Gate<T> extends RichMapFunction<T, T> implements CheckpointedFunction, CheckpointListener {
        private static final long serialVersionUID = 1L;
        private static final Map<String, Map<Long, Long>> COVERED = new ConcurrentHashMap<>();
        private static final Map<String, Set<Long>> COMPLETED = new ConcurrentHashMap<>();

        private final String name;
        private transient long passed;
        private transient ListState<Long> state;

        Gate(String name) {
            this.name = name;
        }

        /** Rows that each checkpoint covers, by its id. */
        static Map<Long, Long> covered(String name) {
            return COVERED.computeIfAbsent(name, key -> new ConcurrentHashMap<>());
        }

        /** Checkpoints that are known to be complete; there may be others. */
        static Set<Long> completed(String name) {
            return COMPLETED.computeIfAbsent(name, key -> ConcurrentHashMap.newKeySet());
        }

        @Override
        public T map(T row) {
            passed++;
            return row;
        }

        @Override
        public void initializeState(FunctionInitializationContext context) throws Exception {
            state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("passed", Types.LONG));
            for (Long stored : state.get()) {
                passed = stored;
            }
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws Exception {
            at(name, Step.BEFORE_STATE_SNAPSHOT, "checkpoint " + context.getCheckpointId());
            state.update(List.of(passed));
            covered(name).put(context.getCheckpointId(), passed);
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            completed(name).add(checkpointId);
            at(name, Step.AFTER_COMPLETION, "checkpoint " + checkpointId);
        }
    }

    private record FailingCommits(Committer real, String name) implements Committer {

        @Override
        public boolean wantsEmptySnapshots() {
            return real.wantsEmptySnapshots();
        }

        @Override
        public CommitSummary commit(List<PendingCommit> pending) throws WriteFailedException {
            at(name, Step.BEFORE_COMMIT, "commit");
            CommitSummary summary = real.commit(pending);
            at(name, Step.AFTER_COMMIT, "commit");
            return summary;
        }

        @Override
        public CommitSummary recover(long checkpointId, List<PendingCommit> pending) throws WriteFailedException {
            return real.recover(checkpointId, pending);
        }

        @Override
        public void checkpointCompleted(@Nullable Long watermark, boolean inputEnded) {
            real.checkpointCompleted(watermark, inputEnded);
        }

        /** Asked for while the committer's state is put together, when all writers' committables have come. */
        @Override
        public List<String> unmarkedPartitions() {
            at(name, Step.AFTER_STATE_SNAPSHOT, "committer");
            return real.unmarkedPartitions();
        }

        @Override
        public void restoreUnmarkedPartitions(List<String> partitions) {
            real.restoreUnmarkedPartitions(partitions);
        }

        @Override
        public void tagSavepoint(long checkpointId) {
            real.tagSavepoint(checkpointId);
        }

        @Override
        public void untagSavepoint(long checkpointId) {
            real.untagSavepoint(checkpointId);
        }

        @Override
        public void finish() {
            real.finish();
        }

        @Override
        public void close() throws Exception {
            real.close();
        }
    }
}
