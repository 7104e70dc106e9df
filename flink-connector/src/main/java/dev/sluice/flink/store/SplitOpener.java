/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.TableRead;

/** Opens splits for reading, one after the other. Used by one thread; owns the folders that large merges spill to. */
public final class SplitOpener implements AutoCloseable {

    private final StoreTable table;
    private final IOManager spilling;
    private final TableRead read;

    /** @param spillFolders local folders for merges that outgrow memory, at least one */
    public SplitOpener(StoreTable table, ReadSpec spec, String[] spillFolders) {
        this.table = table;
        this.spilling = IOManager.create(spillFolders);
        this.read = Reads.builder(table, spec).newRead().withIOManager(spilling);
    }

    /**
     * The split's rows with their row kinds. Row objects are reused: a row is valid until the next one of its batch is
     * taken, a batch until the next one is read.
     *
     * @throws ReadException if the split's files cannot be read
     */
    public RecordReader<InternalRow> open(Split split) {
        try {
            return read.createReader(split);
        } catch (IOException | RuntimeException e) {
            throw failed(split, e);
        }
    }

    /** The message for a failure while the split's rows were read. */
    public ReadException failed(Split split, Exception cause) {
        return ReadException.reading(table, split, cause);
    }

    @Override
    public void close() throws Exception {
        spilling.close();
    }
}
