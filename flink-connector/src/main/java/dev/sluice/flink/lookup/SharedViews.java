/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

/**
 * The views of this process: subtasks that ask the same of a table share one, made by the first and closed by the last.
 *
 * @param <V> what is shared
 */
final class SharedViews<V extends AutoCloseable> {

    /** Guarded by itself. */
    private final Map<Object, Holder<V>> holders = new HashMap<>();

    private final Predicate<V> usable;

    /** @param usable false for a view that has failed for good: its users keep it, but nobody joins them */
    SharedViews(Predicate<V> usable) {
        this.usable = usable;
    }

    /** Makes what is to be shared. */
    interface Opening<V> {
        V open() throws IOException;
    }

    /** One user's hold on a shared view. */
    final class Lease implements AutoCloseable {
        private final Object key;
        private final Holder<V> holder;
        private final V view;
        private boolean released;

        private Lease(Object key, Holder<V> holder, V view) {
            this.key = key;
            this.holder = holder;
            this.view = view;
        }

        V view() {
            return view;
        }

        @Override
        public void close() throws Exception {
            if (!released) {
                released = true;
                if (leave(key, holder)) {
                    view.close();
                }
            }
        }
    }

    private static final class Holder<V> {
        private final CompletableFuture<V> view = new CompletableFuture<>();

        /** Guarded by the map of holders. */
        private int users;
    }

    /**
     * @param key equal for all who may share
     * @param opening called by the first to ask; who asks meanwhile waits for it
     * @throws Exception if opening failed for this caller, or closing a view that nobody else has any more
     */
    Lease acquire(Object key, Opening<V> opening) throws Exception {
        while (true) {
            Holder<V> holder;
            boolean first;
            synchronized (holders) {
                Holder<V> present = holders.get(key);
                first = present == null;
                holder = present == null ? new Holder<>() : present;
                holders.put(key, holder);
                holder.users++;
            }
            if (first) {
                return open(key, holder, opening);
            }
            try {
                Lease lease = new Lease(key, holder, holder.view.get());
                if (usable.test(lease.view)) {
                    return lease;
                }
                forget(key, holder);
                lease.close();
            } catch (ExecutionException failedForAnother) {
                // Perhaps it was only cancelled: this caller tries on its own account, and then sees its own failure.
                leave(key, holder);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                leave(key, holder);
                throw new IOException("Interrupted while another subtask loads the table of a lookup join.", e);
            }
        }
    }

    private void forget(Object key, Holder<V> holder) {
        synchronized (holders) {
            holders.remove(key, holder);
        }
    }

    private Lease open(Object key, Holder<V> holder, Opening<V> opening) throws IOException {
        try {
            V view = opening.open();
            holder.view.complete(view);
            return new Lease(key, holder, view);
        } catch (IOException | RuntimeException | Error e) {
            forget(key, holder);
            holder.view.completeExceptionally(e);
            throw e;
        }
    }

    /** @return whether that was the last user, so that the view is to be closed */
    private boolean leave(Object key, Holder<V> holder) {
        synchronized (holders) {
            holder.users--;
            if (holder.users > 0) {
                return false;
            }
            holders.remove(key, holder);
        }
        return holder.view.isDone() && !holder.view.isCompletedExceptionally();
    }

    /** How many views there are. */
    int count() {
        synchronized (holders) {
            return holders.size();
        }
    }
}
