/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/**
 * On its way to the assigner that owns a key: where the key is in the table, or a row that has it.
 *
 * @param keyHash of the primary key, whatever the partition
 * @param row null if it is an entry
 * @param entry for the assigner's index, or null if it is a row
 */
@SuppressWarnings("ArrayRecordComponent") // entries are not compared
public record KeyOrRow(int keyHash, @Nullable RowData row, byte @Nullable [] entry) {}
