/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.split;

import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * A reader has emitted all rows of these splits.
 *
 * @param splitIds a serializable list
 */
public record SplitsFinished(List<String> splitIds) implements SourceEvent {

    public SplitsFinished {
        splitIds = List.copyOf(splitIds);
    }
}
