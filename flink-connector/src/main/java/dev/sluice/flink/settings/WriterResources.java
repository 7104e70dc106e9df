/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.WriterResourceOptions;
import java.io.Serializable;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.jspecify.annotations.Nullable;

/**
 * Memory and slots of a sink.
 *
 * @param managedMemory whether writers take buffers from Flink's managed memory
 * @param managedBufferWeight the writer's weight in a slot's managed memory
 * @param crossPartitionWeight the weight of the key index of a table whose keys move between partitions
 * @param writerSlots the writers' own slot sharing group, or null if they share slots with the job
 * @param committerSlots the committer's own slot sharing group, or null if it shares slots with the job
 * @param committerChained whether the committer may run in the writer's task
 */
public record WriterResources(
        boolean managedMemory,
        MemorySize managedBufferWeight,
        MemorySize crossPartitionWeight,
        @Nullable Slots writerSlots,
        @Nullable Slots committerSlots,
        boolean committerChained)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public WriterResources {
        Positive.check(WriterResourceOptions.MANAGED_BUFFER_MEMORY, managedBufferWeight);
        Positive.check(WriterResourceOptions.CROSS_PARTITION_MANAGED_MEMORY, crossPartitionWeight);
    }

    /**
     * What each slot of a slot sharing group asks for.
     *
     * @param cpu cores
     * @param heap task heap
     * @param managed managed memory, or null for none
     */
    public record Slots(
            double cpu, MemorySize heap, @Nullable MemorySize managed) implements Serializable {

        private static final long serialVersionUID = 1L;

        public Slots {
            Positive.check(WriterResourceOptions.WRITER_CPU, cpu);
            Positive.check(WriterResourceOptions.WRITER_MEMORY, heap);
            Positive.check(WriterResourceOptions.WRITER_MANAGED_MEMORY, managed);
        }
    }

    static WriterResources from(ReadableConfig options) {
        @Nullable
        MemorySize writer =
                options.getOptional(WriterResourceOptions.WRITER_MEMORY).orElse(null);
        @Nullable
        MemorySize managed =
                options.getOptional(WriterResourceOptions.WRITER_MANAGED_MEMORY).orElse(null);
        @Nullable
        MemorySize committer =
                options.getOptional(WriterResourceOptions.COMMITTER_MEMORY).orElse(null);
        if (managed != null && writer == null) {
            throw Positive.refused(
                    WriterResourceOptions.WRITER_MANAGED_MEMORY,
                    managed,
                    "a size only with " + WriterResourceOptions.WRITER_MEMORY.key());
        }
        if (writer != null && managed == null && options.get(WriterResourceOptions.USE_MANAGED_MEMORY)) {
            throw Positive.refused(
                    WriterResourceOptions.USE_MANAGED_MEMORY,
                    true,
                    "true, with " + WriterResourceOptions.WRITER_MEMORY.key() + " only if "
                            + WriterResourceOptions.WRITER_MANAGED_MEMORY.key()
                            + " is set too: the writers' own slots have no managed memory otherwise");
        }
        return new WriterResources(
                options.get(WriterResourceOptions.USE_MANAGED_MEMORY),
                options.get(WriterResourceOptions.MANAGED_BUFFER_MEMORY),
                options.get(WriterResourceOptions.CROSS_PARTITION_MANAGED_MEMORY),
                writer == null ? null : new Slots(options.get(WriterResourceOptions.WRITER_CPU), writer, managed),
                committer == null ? null : new Slots(options.get(WriterResourceOptions.COMMITTER_CPU), committer, null),
                options.get(WriterResourceOptions.COMMITTER_CHAINING));
    }
}
