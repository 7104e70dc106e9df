/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.paimon.Snapshot;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.utils.SnapshotManager;

/**
 * Finds the metadata file that cannot be read after an engine call failed: the engine's own messages name neither the
 * file nor the table. Reads files, so it is only for the way to a refusal.
 */
public final class DamagedMetadata {

    private DamagedMetadata() {}

    /**
     * @param table the table's folder
     * @return which file is unreadable, why, and what to do; empty if schemas and the latest snapshot can be read
     */
    public static Optional<String> describe(FileIO files, Path table, String branch) {
        try {
            return unreadableSchema(files, table, branch).or(() -> unreadableSnapshot(files, table, branch));
        } catch (RuntimeException notEvenListed) {
            // The failure that is being explained says as much.
            return Optional.empty();
        }
    }

    private static Optional<String> unreadableSchema(FileIO files, Path table, String branch) {
        SchemaManager schemas = new SchemaManager(files, table, branch);
        for (long id : schemas.listAllIds()) {
            Optional<String> why = why(() -> schemas.schema(id));
            if (why.isPresent()) {
                return why.map(words -> "its schema file " + schemas.toSchemaPath(id) + " cannot be read (" + words
                        + "). Restore that file from a copy");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> unreadableSnapshot(FileIO files, Path table, String branch) {
        SnapshotManager snapshots = new SnapshotManager(files, table, branch, null, null);
        Long latest = snapshots.latestSnapshotIdFromFileSystem();
        if (latest == null) {
            return Optional.empty();
        }
        return why(() -> parse(files, snapshots.snapshotPath(latest)))
                .map(words -> "its latest snapshot file " + snapshots.snapshotPath(latest) + " cannot be read ("
                        + words + "). Restore that file from a copy; until then earlier snapshots can be read with the"
                        + " hint OPTIONS('scan.snapshot-id'='…')");
    }

    /** Without the engine's retries: it has been through them by now. */
    private static void parse(FileIO files, Path snapshot) {
        try {
            Snapshot.fromJson(files.readFileUtf8(snapshot));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> why(Runnable read) {
        try {
            read.run();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(Refusal.words(e));
        }
    }
}
