/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.settings.WriterResources;
import org.apache.flink.api.common.operators.SlotSharingGroup;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.memory.ManagedMemoryUseCase;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The memory and the slots of one sink's operators.
 *
 * @param table names the slot sharing groups, whole: two tables of one short name have their own
 */
record SinkResources(String table, WriterResources resources) {

    void giveToWriters(SingleOutputStreamOperator<?> writers) {
        if (resources.managedMemory()) {
            writers.getTransformation()
                    .declareManagedMemoryUseCaseAtOperatorScope(
                            ManagedMemoryUseCase.OPERATOR, weight(resources.managedBufferWeight()));
        }
        shareSlotsOfWriters(writers);
    }

    /** For what works beside the writers, with the memory of their slots that is not managed. */
    void shareSlotsOfWriters(SingleOutputStreamOperator<?> operator) {
        WriterResources.Slots slots = resources.writerSlots();
        if (slots != null) {
            operator.slotSharingGroup(group("Writer : " + table, slots));
        }
    }

    void giveToCommitter(SingleOutputStreamOperator<?> committer) {
        WriterResources.Slots slots = resources.committerSlots();
        if (slots != null) {
            committer.slotSharingGroup(group("Committer : " + table, slots));
        }
    }

    /** In MiB, the unit of the weights that Flink's planner gives to the sorts and joins that may share the slot. */
    private static int weight(MemorySize size) {
        return Math.max(1, size.getMebiBytes());
    }

    private static SlotSharingGroup group(String name, WriterResources.Slots slots) {
        MemorySize managed = slots.managed();
        return SlotSharingGroup.newBuilder(name)
                .setCpuCores(slots.cpu())
                .setTaskHeapMemory(slots.heap())
                .setManagedMemory(managed == null ? MemorySize.ZERO : managed)
                .build();
    }
}
