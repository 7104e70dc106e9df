/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.split;

import java.util.Objects;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.paimon.table.source.Split;

/**
 * A piece of a table that one reader reads.
 *
 * @param splitId unique within the job's life, and the same when the same snapshot is planned again from the same
 *     position
 * @param split the engine's split
 * @param rowsRead how many of its rows have been emitted before; reading goes on behind them
 */
public record PaimonSplit(String splitId, Split split, long rowsRead) implements SourceSplit {

    public PaimonSplit {
        Objects.requireNonNull(splitId, "splitId");
        Objects.requireNonNull(split, "split");
        if (rowsRead < 0) {
            throw new IllegalArgumentException("Split " + splitId + " has " + rowsRead + " rows read.");
        }
    }

    public PaimonSplit withRowsRead(long rows) {
        return new PaimonSplit(splitId, split, rows);
    }
}
