/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import org.apache.flink.core.memory.MemorySegment;

/** Decides where a full page of rows stays. Used by the thread that fills pages. */
interface Spill {

    /** Keeps every page where it is. */
    Spill NONE = page -> page;

    /** @return the page's bytes, perhaps elsewhere; the page itself is not written any more */
    MemorySegment store(MemorySegment page) throws IOException;
}
