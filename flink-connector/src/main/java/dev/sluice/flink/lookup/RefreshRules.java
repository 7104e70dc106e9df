/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import dev.sluice.flink.settings.LookupSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a view is refreshed.
 *
 * @param interval from the end of one refresh to the next
 * @param mostPending how many snapshots the view may be behind before probes wait; null if they never do
 * @param pauses when it is not refreshed
 */
record RefreshRules(Duration interval, @Nullable Integer mostPending, RefreshPauses pauses) {

    static RefreshRules of(LookupSettings settings) {
        LookupSettings.Refresh refresh = settings.refresh();
        return new RefreshRules(
                refresh.interval(),
                refresh.async() ? (Integer) refresh.pendingSnapshots() : null,
                RefreshPauses.parse(refresh.blacklist()));
    }
}
