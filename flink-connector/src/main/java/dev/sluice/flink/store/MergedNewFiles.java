/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.paimon.fs.Path;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/**
 * A commit in which some of its own new files were merged ahead of it: the merged ones take their place, and no snapshot
 * ever has the small ones.
 *
 * @param commit what is left to commit
 * @param replaced the small files, of no use once the commit is made, and only if it was made of this
 */
record MergedNewFiles(PendingCommit commit, List<Path> replaced) {

    static MergedNewFiles of(FileStoreTable store, PendingCommit written) {
        Set<String> merged = new HashSet<>();
        for (CommitMessage message : written.messages()) {
            if (isMerge((CommitMessageImpl) message)) {
                for (DataFileMeta file :
                        ((CommitMessageImpl) message).compactIncrement().compactBefore()) {
                    merged.add(file.fileName());
                }
            }
        }
        if (merged.isEmpty()) {
            return new MergedNewFiles(written, List.of());
        }
        List<CommitMessage> left = new ArrayList<>();
        List<Path> replaced = new ArrayList<>();
        for (CommitMessage message : written.messages()) {
            CommitMessageImpl files = (CommitMessageImpl) message;
            if (isMerge(files)) {
                left.add(withNewFiles(files, files.compactIncrement().compactAfter()));
            } else {
                left.add(withNewFiles(files, without(merged, files, store, replaced)));
            }
        }
        PendingCommit commit = new PendingCommit(written.checkpointId(), written.watermark(), left);
        return new MergedNewFiles(commit, replaced);
    }

    /** Of a batch job's writers without buckets nothing else is compacted. */
    private static boolean isMerge(CommitMessageImpl message) {
        return !message.compactIncrement().isEmpty();
    }

    private static List<DataFileMeta> without(
            Set<String> merged, CommitMessageImpl message, FileStoreTable store, List<Path> replaced) {
        DataFilePathFactory paths =
                store.store().pathFactory().createDataFilePathFactory(message.partition(), message.bucket());
        List<DataFileMeta> rest = new ArrayList<>();
        for (DataFileMeta file : message.newFilesIncrement().newFiles()) {
            if (merged.contains(file.fileName())) {
                replaced.addAll(file.collectFiles(paths));
            } else {
                rest.add(file);
            }
        }
        return rest;
    }

    private static CommitMessage withNewFiles(CommitMessageImpl message, List<DataFileMeta> files) {
        return new CommitMessageImpl(
                message.partition(),
                message.bucket(),
                message.totalBuckets(),
                new DataIncrement(files, List.of(), List.of()),
                CompactIncrement.emptyIncrement());
    }
}
