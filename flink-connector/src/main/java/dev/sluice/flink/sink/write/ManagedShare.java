/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import dev.sluice.flink.store.ManagedWriteBuffer;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.WriteFailedException;
import org.apache.flink.core.memory.ManagedMemoryUseCase;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.streaming.api.graph.StreamConfig;

/** A writer subtask's share of the managed memory of its slot. */
final class ManagedShare {

    private ManagedShare() {}

    /**
     * @param writers how many buffers are to be made of the share
     * @return one of these buffers
     * @throws WriteFailedException if the share is too small to write with
     */
    static ManagedWriteBuffer buffer(StoreTable table, StreamConfig operator, Environment task, int writers)
            throws WriteFailedException {
        double fraction = operator.getManagedMemoryFractionOperatorUseCaseOfSlot(
                ManagedMemoryUseCase.OPERATOR,
                task.getJobConfiguration(),
                task.getTaskManagerInfo().getConfiguration(),
                task.getUserCodeClassLoader().asClassLoader());
        MemoryManager memory = task.getMemoryManager();
        long share = fraction > 0 ? memory.computeMemorySize(fraction) : 0;
        return ManagedWriteBuffer.open(table, memory, share, writers);
    }
}
