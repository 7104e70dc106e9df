/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The two pages of a reader: one is filled while the other is emitted. */
final class PagePool {

    private static final int PAGES = 2;

    private final Deque<RowPage> free = new ArrayDeque<>(PAGES);
    private boolean woken;

    PagePool(int arity) {
        for (int i = 0; i < PAGES; i++) {
            free.add(new RowPage(this, arity));
        }
    }

    /** Waits for a page to come free. Gives null if {@link #wakeUp()} was called instead. */
    synchronized @Nullable RowPage take() throws InterruptedException {
        while (free.isEmpty() && !woken) {
            wait();
        }
        woken = false;
        return free.poll();
    }

    /** Waits until {@link #wakeUp()} is called. */
    synchronized void awaitWakeUp() throws InterruptedException {
        while (!woken) {
            wait();
        }
        woken = false;
    }

    synchronized void give(RowPage page) {
        free.add(page);
        notifyAll();
    }

    synchronized void wakeUp() {
        woken = true;
        notifyAll();
    }
}
