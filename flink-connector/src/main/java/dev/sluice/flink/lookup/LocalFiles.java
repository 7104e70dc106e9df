/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local copies of data files, by name: made once, however many threads ask at once, and kept as long as there is
 * room and use for them. Safe for several threads.
 */
final class LocalFiles {

    private static final Logger LOG = LoggerFactory.getLogger(LocalFiles.class);

    /** What makes a local copy. */
    interface Copying {
        LocalRows copy(File target) throws IOException;
    }

    private final Path folder;
    private final long mostBytes;
    private final Duration retention;
    private final LongSupplier nanoClock;
    private final ConcurrentHashMap<String, CompletableFuture<LocalRows>> copies = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong number = new AtomicLong();
    private volatile boolean closed;

    /**
     * @param folder made for this object, deleted with it
     * @param mostBytes how much disk the copies may take together; a single larger one is kept alone
     * @param retention how long a copy is kept that nobody asks
     */
    LocalFiles(Path folder, long mostBytes, Duration retention, LongSupplier nanoClock) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.mostBytes = mostBytes;
        this.retention = retention;
        this.nanoClock = nanoClock;
    }

    /** @return the copy, to be released after use; null if there is none yet */
    @Nullable
    LocalRows acquireIfPresent(String name) {
        CompletableFuture<LocalRows> copy = copies.get(name);
        if (copy == null || !copy.isDone() || copy.isCompletedExceptionally()) {
            return null;
        }
        LocalRows rows = copy.join();
        return rows.acquire() ? rows : null;
    }

    /** @return the copy, made now if there is none, by this thread or by another that began before; to be released */
    LocalRows acquire(String name, Copying copying) throws IOException {
        while (true) {
            if (closed) {
                throw new IOException("The lookup join's local files are closed.");
            }
            CompletableFuture<LocalRows> own = new CompletableFuture<>();
            CompletableFuture<LocalRows> present = copies.putIfAbsent(name, own);
            if (present == null) {
                return make(name, own, copying);
            }
            try {
                LocalRows rows = present.join();
                if (rows.acquire()) {
                    return rows;
                }
            } catch (CompletionException e) {
                // The other thread's failure, perhaps that it was cancelled; this thread tries on its own account.
                LOG.debug("Copying {} failed in another thread", name, e);
            }
            copies.remove(name, present);
        }
    }

    private LocalRows make(String name, CompletableFuture<LocalRows> own, Copying copying) throws IOException {
        File target = folder.resolve(number.incrementAndGet() + "-" + name).toFile();
        LocalRows rows;
        try {
            rows = copying.copy(target);
        } catch (IOException | RuntimeException | Error e) {
            copies.remove(name, own);
            own.completeExceptionally(e);
            throw e;
        }
        rows.acquire();
        rows.touch(nanoClock.getAsLong());
        bytes.addAndGet(rows.bytes());
        own.complete(rows);
        if (closed) {
            drop(name, own);
        } else {
            makeRoom(name);
        }
        return rows;
    }

    private void makeRoom(String newest) {
        while (bytes.get() > mostBytes) {
            String oldest = null;
            long oldestUse = Long.MAX_VALUE;
            for (String name : copies.keySet()) {
                LocalRows rows = done(copies.get(name));
                if (rows != null && !name.equals(newest) && (oldest == null || rows.lastUse() - oldestUse < 0)) {
                    oldest = name;
                    oldestUse = rows.lastUse();
                }
            }
            if (oldest == null) {
                return;
            }
            drop(oldest, copies.get(oldest));
        }
    }

    private static @Nullable LocalRows done(@Nullable CompletableFuture<LocalRows> copy) {
        return copy == null || !copy.isDone() || copy.isCompletedExceptionally() ? null : copy.join();
    }

    private void drop(String name, @Nullable CompletableFuture<LocalRows> copy) {
        LocalRows rows = done(copy);
        if (rows != null && copy != null && copies.remove(name, copy)) {
            bytes.addAndGet(-rows.bytes());
            rows.release();
        }
    }

    boolean has(String name) {
        return copies.containsKey(name);
    }

    /** Drops copies of files that no layout has any more, and those that were not asked for long. */
    void retain(Set<String> names) {
        long now = nanoClock.getAsLong();
        for (String name : copies.keySet()) {
            CompletableFuture<LocalRows> copy = copies.get(name);
            LocalRows rows = done(copy);
            if (rows != null && (!names.contains(name) || now - rows.lastUse() > retention.toNanos())) {
                drop(name, copy);
            }
        }
    }

    long bytes() {
        return bytes.get();
    }

    /** Searches that go on keep their copies until they are done. */
    void close() {
        closed = true;
        Collection<String> names = Set.copyOf(copies.keySet());
        names.forEach(name -> drop(name, copies.get(name)));
        deleteFolder();
    }

    private void deleteFolder() {
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            folder.toFile().deleteOnExit();
            LOG.debug("Folder {} still has files in use", folder, e);
        }
    }
}
