/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;
import org.jspecify.annotations.Nullable;

/** Answers several probes of a lookup join at once, as many as {@code lookup.async-thread-number} says. */
public final class PaimonAsyncLookupFunction extends AsyncLookupFunction {

    private static final long serialVersionUID = 1L;

    private final LookupSpec spec;
    private transient @Nullable LookupProbe probe;

    /** Null if no probe waits for storage: then it is answered on the task thread, which is cheaper than handing over. */
    private transient @Nullable ThreadPoolExecutor threads;

    public PaimonAsyncLookupFunction(LookupSpec spec) {
        this.spec = spec;
    }

    @Override
    public void open(FunctionContext context) throws Exception {
        LookupProbe opened = LookupProbe.open(spec, context);
        probe = opened;
        if (!opened.answersFromMemory()) {
            AtomicInteger number = new AtomicInteger();
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            int most = spec.settings().asyncThreads();
            threads = new ThreadPoolExecutor(most, most, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread thread = new Thread(task, "lookup " + spec.table().name() + " #" + number.incrementAndGet());
                thread.setDaemon(true);
                thread.setContextClassLoader(loader);
                return thread;
            });
        }
    }

    @Override
    public CompletableFuture<Collection<RowData>> asyncLookup(RowData keyRow) {
        LookupProbe opened = probe;
        if (opened == null) {
            throw new IllegalStateException("Lookup in table " + spec.table().name() + " before open or after close.");
        }
        BinaryRowData key = opened.key(keyRow);
        if (key == null) {
            return CompletableFuture.completedFuture(List.of());
        }
        ThreadPoolExecutor executor = threads;
        try {
            Collection<RowData> cached = opened.getIfCached(key);
            if (cached != null) {
                return CompletableFuture.completedFuture(cached);
            }
            if (executor == null) {
                return CompletableFuture.completedFuture(opened.load(key));
            }
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        // The encoder writes the next key into the same bytes.
        BinaryRowData own = key.copy();
        return CompletableFuture.supplyAsync(() -> load(opened, own), executor);
    }

    private static Collection<RowData> load(LookupProbe probe, BinaryRowData key) {
        try {
            return probe.load(key);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public void close() throws Exception {
        if (threads != null) {
            // Not interrupted: a probe may be making a local copy that other subtasks wait for.
            threads.getQueue().clear();
            threads.shutdown();
            threads = null;
        }
        if (probe != null) {
            probe.close();
            probe = null;
        }
    }
}
