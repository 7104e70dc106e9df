/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DeletionFile;
import org.apache.paimon.table.source.QueryAuthSplit;
import org.apache.paimon.table.source.Split;

/** After a failed read, compares the split's files with what the table's metadata says of them. */
final class SplitDiagnosis {

    private SplitDiagnosis() {}

    static String of(StoreTable table, Split split, String cause) {
        Split inner = split instanceof QueryAuthSplit guarded ? guarded.split() : split;
        if (!(inner instanceof DataSplit data) || !(table.table() instanceof FileStoreTable fileStore)) {
            return cause + " Check that the files of " + split + " are there and readable.";
        }
        String at = " of snapshot " + data.snapshotId() + partition(fileStore, data) + ", bucket " + data.bucket();
        List<String> paths = new ArrayList<>();
        for (DataFileMeta file : data.dataFiles()) {
            String path = file.externalPath().orElse(data.bucketPath() + "/" + file.fileName());
            String wrong = wrongWith(fileStore.fileIO(), path, file.fileSize(), false);
            if (!wrong.isEmpty()) {
                return "data file " + path + at + " " + wrong + " " + advice(wrong);
            }
            paths.add(path);
        }
        for (DeletionFile deletions : data.deletionFiles().orElse(List.of())) {
            // Many deletion vectors share one file, of which a split knows its own part alone.
            String wrong = deletions == null
                    ? ""
                    : wrongWith(fileStore.fileIO(), deletions.path(), deletions.offset() + deletions.length(), true);
            if (!wrong.isEmpty()) {
                return "deletion vector file " + deletions.path() + at + " " + wrong + " " + advice(wrong);
            }
        }
        return "data files " + paths + at + " have the sizes they should, yet reading failed: " + cause
                + " If it says that content is damaged, restore the file from a copy or roll the table back to an"
                + " earlier snapshot or tag.";
    }

    private static String partition(FileStoreTable table, DataSplit split) {
        return table.partitionKeys().isEmpty() ? "" : ", partition " + SplitMetadata.folder(table, split.partition());
    }

    private static String advice(String wrong) {
        return wrong.startsWith("is missing")
                ? "Most likely the snapshot expired while it was read: raise 'snapshot.time-retained', or set"
                        + " 'consumer-id' on a streaming read; otherwise restore the file."
                : "Restore the file from a copy, or roll the table back to an earlier snapshot or tag.";
    }

    private static String wrongWith(FileIO files, String path, long expectedBytes, boolean orMore) {
        try {
            long bytes = files.getFileStatus(new Path(path)).getLen();
            return bytes == expectedBytes || (orMore && bytes > expectedBytes)
                    ? ""
                    : "has " + bytes + " bytes where the table's metadata says " + expectedBytes + ".";
        } catch (FileNotFoundException e) {
            return "is missing.";
        } catch (IOException e) {
            return "cannot be looked at: " + e.getMessage() + ".";
        }
    }
}
