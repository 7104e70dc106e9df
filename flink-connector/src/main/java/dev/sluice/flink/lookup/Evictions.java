/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.binary.BinaryRowData;

/** Which keys a snapshot changed, as far as that is cheaper to know than to empty the cache. Used by one thread, once. */
final class Evictions {

    /** Past so many changed keys per cached row, most of them are not cached and reading them costs more than a miss. */
    private static final int KEYS_PER_CACHED_ROW = 8;

    private static final int FEWEST = 10_000;

    private final long most;
    private final List<BinaryRowData> keys = new ArrayList<>();
    private long reserved;
    private boolean all;

    /** @param cachedRows how many rows the cache has now; 0 if nothing needs to be evicted */
    Evictions(long cachedRows) {
        this.most = cachedRows == 0 ? 0 : Math.max(FEWEST, cachedRows * KEYS_PER_CACHED_ROW);
    }

    /** @return whether it is worth to read so many more keys */
    boolean reserve(long more) {
        reserved += more;
        if (reserved > most) {
            all();
        }
        return !all;
    }

    /** @param key may be reused */
    void add(BinaryRowData key) {
        if (!all) {
            keys.add(key.copy());
        }
    }

    /** Gives up on knowing them. */
    void all() {
        all = true;
        keys.clear();
    }

    void from(RowCache cache) {
        if (all) {
            cache.clear();
        } else {
            keys.forEach(cache::evict);
        }
    }
}
