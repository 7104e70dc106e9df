/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import org.apache.flink.core.memory.MemorySegment;

/** Decides where full pages of rows stay, and the index that finds them. Used by the thread that fills them. */
interface Spill {

    /** Keeps everything in memory. */
    Spill NONE = new Spill() {
        @Override
        public MemorySegment store(MemorySegment page) {
            return page;
        }

        @Override
        public Slots slots(int count) {
            return Slots.inMemory(count);
        }

        @Override
        public void released(Slots slots) {}

        @Override
        public void took(long bytes) {}
    };

    /** @return the page's bytes, perhaps elsewhere; the page itself is not written any more */
    MemorySegment store(MemorySegment page) throws IOException;

    /** @return so many slots, in memory or not, all zero */
    Slots slots(int count) throws IOException;

    /** Others have taken the place of these, which are free once the last reader has left them. */
    void released(Slots slots);

    /** @param bytes of memory that were taken for what cannot be elsewhere; negative if they are given back */
    void took(long bytes);
}
