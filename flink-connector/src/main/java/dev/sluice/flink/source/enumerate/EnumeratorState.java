/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import dev.sluice.flink.source.split.PaimonSplit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an enumerator remembers in a checkpoint. Splits that readers hold are in the readers' state.
 *
 * @param waiting splits that no reader has, in the order they are to be read
 * @param position the snapshot to look at next, or null if none has been found
 * @param complete whether nothing more is to be planned
 * @param last the snapshot behind which the read ends, or null if there is none or it is not known yet
 */
public record EnumeratorState(
        List<PaimonSplit> waiting,
        @Nullable Long position,
        boolean complete,
        @Nullable Long last) {

    static final EnumeratorState NEW = new EnumeratorState(List.of(), null, false, null);

    public EnumeratorState {
        waiting = List.copyOf(waiting);
    }
}
