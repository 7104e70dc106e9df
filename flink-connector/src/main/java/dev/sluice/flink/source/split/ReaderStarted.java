/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.split;

import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * A reader's first word to the enumerator: what it holds from its restored state, nothing when it starts fresh. After a
 * rescale these splits sit with readers that the enumerator would not have chosen.
 *
 * @param held a serializable list
 */
public record ReaderStarted(List<InFlight> held) implements SourceEvent {

    public ReaderStarted {
        held = List.copyOf(held);
    }
}
