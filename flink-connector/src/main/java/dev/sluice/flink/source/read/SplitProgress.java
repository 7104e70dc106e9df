/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import dev.sluice.flink.source.split.PaimonSplit;

/** A split while its rows are emitted. Used on the task's thread only. */
final class SplitProgress {

    private final PaimonSplit split;
    private long rowsRead;

    SplitProgress(PaimonSplit split) {
        this.split = split;
        this.rowsRead = split.rowsRead();
    }

    void rowsEmitted(int rows, CommitLag lag) {
        if (rowsRead == split.rowsRead()) {
            lag.emitted(split.splitId());
        }
        rowsRead += rows;
    }

    PaimonSplit toSplit() {
        return split.withRowsRead(rowsRead);
    }
}
