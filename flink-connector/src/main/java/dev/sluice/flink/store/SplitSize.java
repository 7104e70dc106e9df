/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.List;
import java.util.stream.Stream;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.QueryAuthSplit;
import org.apache.paimon.table.source.Split;

/**
 * How much there is to read in a split.
 *
 * @param bytes of its data files
 * @param files data files
 * @param rows as they are stored, before any are merged or left out
 */
public record SplitSize(long bytes, long files, long rows) {

    public static final SplitSize NOTHING = new SplitSize(0, 0, 0);

    public static SplitSize of(Split split) {
        if (split instanceof QueryAuthSplit guarded) {
            return of(guarded.split());
        }
        if (split instanceof DataSplit data) {
            return of(data.dataFiles());
        }
        if (split instanceof IncrementalSplit incremental) {
            return of(Stream.concat(incremental.beforeFiles().stream(), incremental.afterFiles().stream())
                    .toList());
        }
        return new SplitSize(0, 1, split.rowCount());
    }

    private static SplitSize of(List<DataFileMeta> files) {
        return new SplitSize(
                files.stream().mapToLong(DataFileMeta::fileSize).sum(),
                files.size(),
                files.stream().mapToLong(DataFileMeta::rowCount).sum());
    }

    public SplitSize plus(SplitSize more) {
        return new SplitSize(bytes + more.bytes, files + more.files, rows + more.rows);
    }
}
