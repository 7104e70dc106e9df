/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.globalindex.IndexedSplit;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FallbackReadFileStoreTable.FallbackSplit;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DeletionFile;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.QueryAuthSplit;
import org.apache.paimon.table.source.Split;
import org.jspecify.annotations.Nullable;

/** After a failed read, compares the split's files with what the table's metadata says of them. */
final class SplitDiagnosis {

    private SplitDiagnosis() {}

    static String of(StoreTable table, Split split, String cause) {
        if (!(table.table() instanceof FileStoreTable fileStore)) {
            return unknown(split, cause);
        }
        return of(fileStore, "", split, cause);
    }

    /** @param branch words for the branch that the split is of, or empty if the table reads only one */
    private static String of(FileStoreTable fileStore, String branch, Split split, String cause) {
        if (split instanceof QueryAuthSplit guarded) {
            return of(fileStore, branch, guarded.split(), cause);
        }
        if (split instanceof IndexedSplit indexed) {
            return of(fileStore, branch, indexed.dataSplit(), cause);
        }
        if (split instanceof FallbackSplit either
                && fileStore instanceof FallbackReadFileStoreTable both
                && branch.isEmpty()) {
            FileStoreTable read = either.isFallback() == ownFirst(both) ? both.other() : both.wrapped();
            return of(read, "branch '" + read.coreOptions().branch() + "', ", either.wrapped(), cause);
        }
        if (split instanceof DataSplit data) {
            return of(
                    fileStore,
                    branch + "snapshot " + data.snapshotId() + bucket(fileStore, data.partition(), data.bucket()),
                    data.bucketPath(),
                    data.dataFiles(),
                    data.deletionFiles().orElse(List.of()),
                    cause);
        }
        if (split instanceof IncrementalSplit changes) {
            return of(
                    fileStore,
                    branch + "the changes up to snapshot " + changes.snapshotId()
                            + bucket(fileStore, changes.partition(), changes.bucket()),
                    fileStore
                            .store()
                            .pathFactory()
                            .bucketPath(changes.partition(), changes.bucket())
                            .toString(),
                    both(changes.beforeFiles(), changes.afterFiles()),
                    both(changes.beforeDeletionFiles(), changes.afterDeletionFiles()),
                    cause);
        }
        return unknown(split, cause);
    }

    /** Whether partitions are looked for in the table's own branch before the other one. */
    private static boolean ownFirst(FileStoreTable table) {
        Options options = table.coreOptions().toConfiguration();
        return options.get(CoreOptions.SCAN_FALLBACK_BRANCH) != null
                || options.get(CoreOptions.SCAN_PRIMARY_BRANCH) == null;
    }

    private static String unknown(Split split, String cause) {
        return cause + " Check that the files of " + split + " are there and readable.";
    }

    private static <T> List<T> both(@Nullable List<T> before, @Nullable List<T> after) {
        List<T> all = new ArrayList<>(before == null ? List.of() : before);
        all.addAll(after == null ? List.of() : after);
        return all;
    }

    private static String bucket(FileStoreTable table, BinaryRow partition, int bucket) {
        return (table.partitionKeys().isEmpty() ? "" : ", partition " + SplitMetadata.folder(table, partition))
                + ", bucket " + bucket;
    }

    private static String of(
            FileStoreTable table,
            String place,
            String folder,
            List<DataFileMeta> files,
            List<DeletionFile> deletionFiles,
            String cause) {
        String at = " of " + place;
        List<String> paths = new ArrayList<>();
        for (DataFileMeta file : files) {
            String path = file.externalPath().orElse(folder + "/" + file.fileName());
            String wrong = wrongWith(table.fileIO(), path, file.fileSize(), false);
            if (!wrong.isEmpty()) {
                return "data file " + path + at + " " + wrong + " " + advice(wrong);
            }
            paths.add(path);
        }
        for (DeletionFile deletions : deletionFiles) {
            // Many deletion vectors share one file, of which a split knows its own part alone.
            String wrong = deletions == null
                    ? ""
                    : wrongWith(table.fileIO(), deletions.path(), deletions.offset() + deletions.length(), true);
            if (!wrong.isEmpty()) {
                return "deletion vector file " + deletions.path() + at + " " + wrong + " " + advice(wrong);
            }
        }
        return "data files " + paths + at + " have the sizes they should, yet reading failed: " + cause
                + " If it says that content is damaged, restore the file from a copy or roll the table back to an"
                + " earlier snapshot or tag.";
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
