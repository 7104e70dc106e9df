/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.WriteLayout;
import java.io.Serializable;

/**
 * What a writer needs to know; travels from the planner to the writers.
 *
 * @param newCommitUser names the commits unless a restored state does
 * @param overwrite whether the written rows replace existing ones
 * @param streaming whether commits follow checkpoints rather than the end of the input
 * @param settings what a subtask does and the memory it takes
 */
public record WriterPlan(
        StoreTable table,
        WriteLayout layout,
        String newCommitUser,
        boolean overwrite,
        boolean streaming,
        WriteSettings settings)
        implements Serializable {}
