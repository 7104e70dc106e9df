/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A view and what keeps it fresh. Safe for several threads. */
final class SharedView implements AutoCloseable {

    private final LookupView view;
    private final Refresher refresher;

    private SharedView(LookupView view, Refresher refresher) {
        this.view = view;
        this.refresher = refresher;
    }

    /**
     * Loads the view; owns it from here on, and closes it if that fails.
     *
     * @throws ViewTooLargeException if it was to be held in memory and does not fit
     */
    static SharedView start(LookupView view, String table, RefreshRules rules) throws IOException {
        Refresher refresher = new Refresher(view, table, rules);
        @Nullable SharedView started = null;
        try {
            refresher.start();
            started = new SharedView(view, refresher);
            return started;
        } finally {
            if (started == null) {
                view.close();
            }
        }
    }

    LookupView view() {
        return view;
    }

    Refresher refresher() {
        return refresher;
    }

    @Override
    public void close() throws IOException {
        try (view) {
            refresher.close();
        }
    }
}
