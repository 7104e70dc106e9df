/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import org.apache.paimon.fs.Path;
import org.apache.paimon.reader.FileRecordIterator;
import org.apache.paimon.reader.RecordReader.RecordIterator;
import org.jspecify.annotations.Nullable;

/** Names the files that rows are read from. Used by one thread. */
public final class RowFiles {

    private @Nullable Path file;
    private @Nullable String name;

    /** The file of the rows of this batch, the same object for the same file; null if they are of several. */
    public @Nullable String of(RecordIterator<?> batch) {
        if (!(batch instanceof FileRecordIterator<?> ofFile)) {
            return null;
        }
        Path current = ofFile.filePath();
        if (!current.equals(file)) {
            file = current;
            name = current.toString();
        }
        return name;
    }
}
