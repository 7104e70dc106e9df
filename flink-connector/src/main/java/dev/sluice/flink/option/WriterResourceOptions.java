/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;

/** Memory and slots of a sink's operators. */
public final class WriterResourceOptions {

    private static final Family FAMILY = new Family(Side.WRITE);

    public static final ConfigOption<Boolean> USE_MANAGED_MEMORY = FAMILY.key(
                    "sink.use-managed-memory-allocator", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about("Whether writers take their buffers from Flink's managed memory instead of the heap.")
            .defaultsTo(false);

    public static final ConfigOption<MemorySize> MANAGED_BUFFER_MEMORY = FAMILY.key(
                    "sink.managed.writer-buffer-memory", ValueType.positiveMemory())
            .from(Origin.PAIMON)
            .unit("size, used as a weight")
            .about("The writer's weight among the operators that share a slot's managed memory; not an amount. Needs"
                    + " `sink.use-managed-memory-allocator`.")
            .defaultsTo(MemorySize.ofMebiBytes(256));

    public static final ConfigOption<MemorySize> CROSS_PARTITION_MANAGED_MEMORY = FAMILY.key(
                    "sink.cross-partition.managed-memory", ValueType.positiveMemory())
            .from(Origin.PAIMON)
            .unit("size, used as a weight")
            .about("The weight, in managed memory, of the key index of a table whose keys move between partitions.")
            .defaultsTo(MemorySize.ofMebiBytes(256));

    public static final ConfigOption<Double> WRITER_CPU = FAMILY.key("sink.writer-cpu", ValueType.positiveDouble())
            .from(Origin.PAIMON)
            .unit("cores")
            .about("Processor share of the writers' slot sharing group. Needs `sink.writer-memory`.")
            .defaultsTo(1.0);

    public static final ConfigOption<MemorySize> WRITER_MEMORY = FAMILY.key(
                    "sink.writer-memory", ValueType.positiveMemory())
            .from(Origin.PAIMON)
            .unit("size")
            .about("Task heap of the writers' slot sharing group. Unset: writers share slots with the rest of the job.")
            .noDefault();

    public static final ConfigOption<MemorySize> WRITER_MANAGED_MEMORY = FAMILY.key(
                    "sink.writer-managed-memory", ValueType.positiveMemory())
            .from(Origin.PAIMON)
            .unit("size")
            .about(
                    "Managed memory of each slot of the writers' slot sharing group. Needs `sink.writer-memory`; does not"
                            + " switch `sink.use-managed-memory-allocator` on.")
            .note("Documented by Paimon, in none of its releases; the document holds.")
            .noDefault();

    public static final ConfigOption<Double> COMMITTER_CPU = FAMILY.key(
                    "sink.committer-cpu", ValueType.positiveDouble())
            .from(Origin.PAIMON)
            .unit("cores")
            .about("Processor share of the committer's slot sharing group. Needs `sink.committer-memory`.")
            .defaultsTo(1.0);

    public static final ConfigOption<MemorySize> COMMITTER_MEMORY = FAMILY.key(
                    "sink.committer-memory", ValueType.positiveMemory())
            .from(Origin.PAIMON)
            .unit("size")
            .about("Task heap of the committer's slot sharing group. Unset: it shares slots with the rest of the job.")
            .noDefault();

    public static final ConfigOption<Boolean> COMMITTER_CHAINING = FAMILY.key(
                    "sink.committer-operator-chaining", ValueType.bool())
            .from(Origin.PAIMON)
            .unit("flag")
            .about("No effect here: the committer has a task of its own, which is never chained to the writers.")
            .defaultsTo(true);

    private WriterResourceOptions() {}

    static List<OptionSpec<?>> specs() {
        return FAMILY.specs();
    }
}
