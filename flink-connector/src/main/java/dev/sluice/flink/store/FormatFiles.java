/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.util.InstantiationUtil;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.TwoPhaseOutputStream;
import org.apache.paimon.table.FormatTable;
import org.apache.paimon.table.format.TwoPhaseCommitMessage;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.table.sink.CommitMessage;
import org.jspecify.annotations.Nullable;

/**
 * Writes data files of a format table. Nobody sees them before {@link #show}, which puts them in their place one after
 * another: such a table has no snapshots. Used by one thread.
 */
public final class FormatFiles implements AutoCloseable {

    private static final String ADVICE = "Remove the cause and run the statement again.";
    private static final String SHOW_ADVICE =
            "Some of the new files may be in the table already, for it has no snapshots:"
                    + " remove the cause and run the statement again as INSERT OVERWRITE.";

    private final StoreTable table;
    private final BatchTableWrite write;

    private FormatFiles(StoreTable table, BatchTableWrite write) {
        this.table = table;
        this.write = write;
    }

    public static FormatFiles open(StoreTable table) {
        return new FormatFiles(table, builder(table, null).newWrite());
    }

    /**
     * Called while a statement is planned.
     *
     * @param overwrite the partition to replace, empty for those of the rows, or null to add to the table
     * @throws ValidationException if the engine would replace something else
     */
    public static void check(StoreTable table, @Nullable Map<String, String> overwrite) {
        checkSchemaIsApart(table);
        try {
            builder(table, overwrite);
        } catch (IllegalArgumentException e) {
            throw new ValidationException(
                    "INSERT OVERWRITE cannot replace partition " + overwrite + " of format table " + table + ": "
                            + e.getMessage() + " Its partition columns are " + table.partitionKeys() + ", of which the"
                            + " first ones can be given.",
                    e);
        }
        boolean dynamic = CoreOptions.fromMap(table.options()).dynamicPartitionOverwrite();
        if (overwrite != null && overwrite.isEmpty() && !table.partitionKeys().isEmpty() && !dynamic) {
            throw new ValidationException(
                    "INSERT OVERWRITE of format table " + table + " replaces the partitions that have"
                            + " new rows, and '" + CoreOptions.DYNAMIC_PARTITION_OVERWRITE.key()
                            + "' = 'false' asks to replace all."
                            + " Leave the option out, or give a partition: INSERT OVERWRITE … PARTITION (…).");
        }
    }

    /**
     * A file system metastore keeps a table's schema in its folder, and without partitions that is where the engine looks
     * for data files: to read them, and to remove them.
     */
    private static void checkSchemaIsApart(StoreTable table) {
        FormatTable format = (FormatTable) table.table();
        org.apache.paimon.fs.Path schemas = new org.apache.paimon.fs.Path(format.location(), "schema");
        boolean among;
        try {
            among = table.partitionKeys().isEmpty() && format.fileIO().exists(schemas);
        } catch (IOException e) {
            throw new ValidationException("The folder of format table " + table + " cannot be looked at: " + e, e);
        }
        if (among) {
            throw new ValidationException(
                    "Format table " + table + " has no partitions and its schema files lie among its"
                            + " data, in " + schemas
                            + ", where they would be taken for data and be replaced. Use a catalog that"
                            + " keeps schemas elsewhere ('metastore' = 'rest' or 'hive'), or partition the table.");
        }
    }

    private static BatchWriteBuilder builder(StoreTable table, @Nullable Map<String, String> overwrite) {
        BatchWriteBuilder builder = table.table().newBatchWriteBuilder();
        return overwrite == null ? builder : builder.withOverwrite(overwrite);
    }

    /** @param row is not kept after the call */
    public void write(InternalRow row) throws WriteFailedException {
        try {
            write.write(row);
        } catch (Exception e) {
            throw failed("Writing a row", e, ADVICE);
        }
    }

    /** Ends the files. From then on they belong to whoever shows them. */
    public List<byte[]> finish() throws WriteFailedException {
        try {
            List<byte[]> files = new ArrayList<>();
            for (CommitMessage message : write.prepareCommit()) {
                files.add(InstantiationUtil.serializeObject(((TwoPhaseCommitMessage) message).getCommitter()));
            }
            return files;
        } catch (Exception e) {
            throw failed("Writing the last rows", e, ADVICE);
        }
    }

    private WriteFailedException failed(String doing, Exception e, String advice) {
        return WriteFailedException.during(doing, table, e, advice);
    }

    /**
     * Lets readers see what writers have finished.
     *
     * @param overwrite as in {@link #check}
     */
    public static void show(StoreTable table, @Nullable Map<String, String> overwrite, List<byte[]> files)
            throws WriteFailedException {
        try (BatchTableCommit commit = builder(table, overwrite).newCommit()) {
            List<CommitMessage> messages = new ArrayList<>();
            for (byte[] file : files) {
                TwoPhaseOutputStream.Committer hidden =
                        InstantiationUtil.deserializeObject(file, FormatFiles.class.getClassLoader());
                messages.add(new TwoPhaseCommitMessage(hidden));
            }
            if (overwrite != null && files.isEmpty() && table.partitionKeys().isEmpty()) {
                removeAll((FormatTable) table.table());
            }
            commit.commit(messages);
        } catch (Exception e) {
            throw WriteFailedException.during("Showing the new files", table, e, SHOW_ADVICE);
        }
    }

    /** The engine looks for files to replace where there are new ones. */
    private static void removeAll(FormatTable table) throws IOException {
        org.apache.paimon.fs.Path folder = new org.apache.paimon.fs.Path(table.location());
        if (!table.fileIO().exists(folder)) {
            return;
        }
        for (FileStatus file : table.fileIO().listStatus(folder)) {
            String name = file.getPath().getName();
            boolean hidden = name.startsWith(".") || name.startsWith("_");
            if (!file.isDir() && !hidden) {
                table.fileIO().delete(file.getPath(), false);
            }
        }
    }

    @Override
    public void close() throws Exception {
        write.close();
    }
}
