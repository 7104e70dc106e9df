/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import java.util.List;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.io.CompactIncrement;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataIncrement;
import org.apache.paimon.manifest.FileSource;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/** Commit messages that name files which need not exist. */
final class Messages {

    private Messages() {}

    static CommitMessage adding(int bucket, String fileName) {
        DataFileMeta file = DataFileMeta.forAppend(
                fileName,
                1234,
                56,
                SimpleStats.EMPTY_STATS,
                7,
                62,
                0,
                List.of(),
                null,
                FileSource.APPEND,
                null,
                null,
                null,
                null);
        return new CommitMessageImpl(
                BinaryRow.singleColumn(42),
                bucket,
                4,
                new DataIncrement(List.of(file), List.of(), List.of()),
                CompactIncrement.emptyIncrement());
    }

    static List<String> fileNames(List<CommitMessage> messages) {
        return messages.stream()
                .flatMap(message -> ((CommitMessageImpl) message).newFilesIncrement().newFiles().stream())
                .map(DataFileMeta::fileName)
                .toList();
    }
}
