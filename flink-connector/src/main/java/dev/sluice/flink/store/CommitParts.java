/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/** Takes commits apart: the engine makes one snapshot of new files and another of compaction results. */
final class CommitParts {

    private CommitParts() {}

    static boolean onlyCompacts(PendingCommit one) {
        return !one.messages().isEmpty()
                && one.messages().stream()
                        .allMatch(message -> ((CommitMessageImpl) message)
                                .newFilesIncrement()
                                .isEmpty());
    }

    static List<CommitMessage> compactions(List<CommitMessage> messages) {
        List<CommitMessage> result = new ArrayList<>();
        for (CommitMessage message : messages) {
            CommitMessageImpl files = (CommitMessageImpl) message;
            CompactIncrement compacted = files.compactIncrement();
            if (!compacted.isEmpty()) {
                result.add(new CommitMessageImpl(
                        files.partition(),
                        files.bucket(),
                        files.totalBuckets(),
                        DataIncrement.emptyIncrement(),
                        compacted));
            }
        }
        return result;
    }

    static List<ManifestCommittable> manifests(List<PendingCommit> pending) {
        List<ManifestCommittable> result = new ArrayList<>(pending.size());
        for (PendingCommit one : pending) {
            result.add(new ManifestCommittable(one.checkpointId(), one.watermark(), new ArrayList<>(one.messages())));
        }
        return result;
    }
}
