/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.append.AppendCompactTask;
import org.apache.paimon.append.AppendPreCommitCompactCoordinator;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.sink.AppendCompactTaskSerializer;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;
import org.apache.paimon.utils.Pair;

/** Gathers the small files that a job has written to a table without buckets and has not committed. Used by one thread. */
public final class NewFilePlanner {

    private final AppendCompactTaskSerializer serializer = new AppendCompactTaskSerializer();
    private final AppendPreCommitCompactCoordinator coordinator;
    private final long largeEnough;

    public NewFilePlanner(StoreTable table) {
        CoreOptions options = table.fileStore().coreOptions();
        coordinator = new AppendPreCommitCompactCoordinator(options.targetFileSize(false));
        largeEnough = options.compactionFileSize(false);
    }

    /** Files of one row's columns belong together, and are not merged as others are. */
    public static boolean possible(StoreTable table) {
        return !table.fileStore().coreOptions().dataEvolutionEnabled();
    }

    /** @return files to merge, for {@link SmallFileRewriter}, of which there are enough by now */
    public List<byte[]> add(List<CommitMessage> written) throws IOException {
        List<byte[]> tasks = new ArrayList<>();
        for (CommitMessage message : written) {
            CommitMessageImpl files = (CommitMessageImpl) message;
            for (DataFileMeta file : files.newFilesIncrement().newFiles()) {
                if (file.fileSize() < largeEnough) {
                    Optional<Pair<BinaryRow, List<DataFileMeta>>> full = coordinator.addFile(files.partition(), file);
                    if (full.isPresent()) {
                        addTask(full.get(), tasks);
                    }
                }
            }
        }
        return tasks;
    }

    /** @return what else there is to merge when all files are known */
    public List<byte[]> finish() throws IOException {
        List<byte[]> tasks = new ArrayList<>();
        for (Pair<BinaryRow, List<DataFileMeta>> rest : coordinator.emitAll()) {
            addTask(rest, tasks);
        }
        return tasks;
    }

    private void addTask(Pair<BinaryRow, List<DataFileMeta>> files, List<byte[]> tasks) throws IOException {
        if (files.getValue().size() > 1) {
            tasks.add(serializer.serialize(new AppendCompactTask(files.getKey(), files.getValue())));
        }
    }
}
