/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import dev.sluice.flink.store.StoreTable;
import java.io.Serializable;

/**
 * What an assigner needs to know; travels from the planner to the assigners.
 *
 * @param newCommitUser names the commits unless a restored state does
 * @param overwrite whether the rows replace existing ones
 * @param streaming whether commits follow checkpoints rather than the end of the input
 */
public record AssignerPlan(StoreTable table, String newCommitUser, boolean overwrite, boolean streaming)
        implements Serializable {}
