/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.store.TableChange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the parts of a table with several threads, so that waiting for storage and decoding overlap. */
final class ParallelLoad {

    private ParallelLoad() {}

    /** Takes the rows of one part. */
    interface Sink extends TableChange.RowSink {

        /** There are no more. */
        void end() throws IOException;
    }

    /**
     * Returns when all is read, or fails with the first failure.
     *
     * @param sinks makes what takes the rows of one part; it may throw an {@link UncheckedIOException}
     */
    static void read(List<TableChange.Rows> parts, int threads, String table, Supplier<? extends Sink> sinks)
            throws IOException {
        if (threads == 1 || parts.size() <= 1) {
            for (TableChange.Rows part : parts) {
                read(part, sinks.get());
            }
            return;
        }
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ExecutorService executor = Executors.newFixedThreadPool(Math.min(threads, parts.size()), task -> {
            Thread thread = new Thread(task, "lookup load " + table);
            thread.setDaemon(true);
            thread.setContextClassLoader(loader);
            return thread;
        });
        try {
            CompletionService<@Nullable Void> reading = new ExecutorCompletionService<>(executor);
            List<Object> begun = new ArrayList<>();
            for (TableChange.Rows part : parts) {
                begun.add(reading.submit(() -> {
                    read(part, sinks.get());
                    return null;
                }));
            }
            for (int i = 0; i < begun.size(); i++) {
                reading.take().get();
            }
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while loading table " + table + " for a lookup join.", e);
        } finally {
            executor.shutdownNow();
        }
    }

    private static void read(TableChange.Rows part, Sink sink) throws IOException {
        try {
            part.read(sink);
            sink.end();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static IOException rethrown(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException failure) {
            throw failure;
        }
        return cause instanceof IOException failure ? failure : new IOException(cause);
    }
}
