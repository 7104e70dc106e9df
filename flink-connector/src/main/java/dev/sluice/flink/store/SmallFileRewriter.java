/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import org.apache.paimon.append.AppendCompactTask;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.operation.BaseAppendFileStoreWrite;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.sink.AppendCompactTaskSerializer;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageImpl;

/** Merges small files of a table without buckets. Used by one thread. */
public final class SmallFileRewriter implements AutoCloseable {

    private final String commitUser;
    private final AppendCompactTaskSerializer serializer = new AppendCompactTaskSerializer();
    private FileStoreTable store;
    private BaseAppendFileStoreWrite write;

    public SmallFileRewriter(StoreTable table, String commitUser) {
        this.commitUser = commitUser;
        this.store = table.fileStore();
        this.write = open(store, commitUser);
    }

    private static BaseAppendFileStoreWrite open(FileStoreTable store, String commitUser) {
        BaseAppendFileStoreWrite write =
                (BaseAppendFileStoreWrite) store.store().newWrite(commitUser);
        if (store.coreOptions().rowTrackingEnabled()) {
            write.withWriteType(SpecialFields.rowTypeWithRowTracking(store.rowType()));
        }
        return write;
    }

    /**
     * @param task one of {@link SmallFilePlanner#plan}
     * @return which files are to be replaced by which; from then on these belong to whoever commits or {@link #discard}s
     * @throws Exception as the engine throws it, also if one of the files is gone by now
     */
    public CommitMessage rewrite(byte[] task) throws Exception {
        AppendCompactTask decoded = serializer.deserialize(serializer.getVersion(), task);
        useSchemaOf(decoded);
        return decoded.doCompact(store, write);
    }

    /** Columns that another job has added must not get lost. */
    private void useSchemaOf(AppendCompactTask task) throws Exception {
        for (DataFileMeta file : task.compactBefore()) {
            if (file.schemaId() > store.schema().id()) {
                write.close();
                store = store.copyWithLatestSchema();
                write = open(store, commitUser);
                return;
            }
        }
    }

    /** Deletes the new files of a result that will not be committed. */
    public void discard(CommitMessage result) throws IOException {
        CommitMessageImpl message = (CommitMessageImpl) result;
        DataFilePathFactory paths =
                store.store().pathFactory().createDataFilePathFactory(message.partition(), message.bucket());
        FileIO files = store.fileIO();
        for (DataFileMeta file : message.compactIncrement().compactAfter()) {
            files.deleteQuietly(paths.toPath(file));
        }
    }

    @Override
    public void close() throws Exception {
        write.close();
    }
}
