/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.paimon.table.source.OutOfRangeException;
import org.apache.paimon.table.source.Split;
import org.jspecify.annotations.Nullable;

/** A table cannot be read. The message names the table, the place in it, the likely cause and what to do next. */
public final class ReadException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private ReadException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Whether the same may succeed a little later: the store could not be reached, say. */
    public boolean mayPass() {
        for (Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof FileNotFoundException
                    || cause instanceof OutOfRangeException
                    || cause instanceof TableChangedException) {
                return false;
            }
            if (cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    /** @param position the snapshot that was to be read, or null for the start that the options name */
    static ReadException planning(StoreTable table, @Nullable Long position, RuntimeException cause) {
        if (cause instanceof ReadException already) {
            return already;
        }
        if (cause instanceof OutOfRangeException) {
            return expired(table, position, cause);
        }
        String where = position == null ? "" : " at snapshot " + position;
        return new ReadException(
                "Table " + table.name() + " cannot be planned" + where + ": " + innermost(cause) + " The table has "
                        + SnapshotRange.of(table)
                        + ". Check the 'scan.*' options of the statement and that the table's metadata files are"
                        + " complete.",
                cause);
    }

    static ReadException expired(StoreTable table, @Nullable Long position, @Nullable Throwable cause) {
        String where = position == null ? "" : " at snapshot " + position;
        return new ReadException(
                "Table " + table.name() + " cannot be read on" + where + ": that snapshot has expired or the table was"
                        + " recreated; it has " + SnapshotRange.of(table)
                        + ". Start the read without its old state, set 'consumer-id' to keep unread snapshots, or raise"
                        + " 'snapshot.time-retained'.",
                cause);
    }

    static ReadException changed(TableChangedException cause) {
        return new ReadException(String.valueOf(cause.getMessage()), cause);
    }

    static ReadException recordingConsumer(StoreTable table, long position, RuntimeException cause) {
        return new ReadException(
                "Table " + table.name() + ": consumer '" + table.options().get("consumer-id")
                        + "' cannot be set to snapshot " + position + ": " + innermost(cause)
                        + " Check that the job may write below the table's folder.",
                cause);
    }

    static ReadException reading(StoreTable table, Split split, Exception cause) {
        if (cause instanceof ReadException already) {
            return already;
        }
        return new ReadException(
                "Table " + table.name() + " cannot be read: " + SplitDiagnosis.of(table, split, innermost(cause)),
                cause);
    }

    /** The innermost message says what happened; the ones around it only that something did. */
    private static String innermost(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        String text = message == null || message.isBlank() ? cause.getClass().getName() : message.strip();
        return text.endsWith(".") ? text : text + ".";
    }
}
