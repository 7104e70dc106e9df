/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.split;

import org.apache.flink.api.connector.source.SourceEvent;

/** The table has been read to its end, and none of its splits was for the reader. */
public record NothingToRead() implements SourceEvent {

    private static final long serialVersionUID = 1L;
}
