/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.WriteMode;
import dev.sluice.flink.option.WriteOptions;
import java.io.Serializable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.jspecify.annotations.Nullable;

/**
 * How a table is written.
 *
 * @param parallelism writer subtasks, or null for the job's parallelism
 * @param writer what a writer subtask does
 * @param schema how the table's columns may change
 * @param resources memory and slots
 * @param commit what happens around a commit
 * @param configurationChecked whether a streaming write without checkpoints is refused
 * @param operatorUidSuffix end of the operators' uids, or null for generated ones
 */
public record WriteSettings(
        @Nullable Integer parallelism,
        Writer writer,
        SchemaMerge schema,
        WriterResources resources,
        CommitSettings commit,
        boolean configurationChecked,
        @Nullable String operatorUidSuffix)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    public WriteSettings {
        Positive.check(WriteOptions.SINK_PARALLELISM, parallelism);
    }

    /** With what holds by default for everything else. */
    public WriteSettings(@Nullable Integer parallelism) {
        this(parallelism, null);
    }

    /** With what holds by default for everything else. */
    public WriteSettings(@Nullable Integer parallelism, @Nullable String operatorUidSuffix) {
        this(
                parallelism,
                Writer.from(new Configuration()),
                new SchemaMerge(false, false, false),
                WriterResources.from(new Configuration()),
                CommitSettings.from(new Configuration()),
                true,
                operatorUidSuffix);
    }

    /**
     * @param mode which kind of table is expected
     * @param maxWritersPerTask writer threads of a subtask, buckets spread over them
     * @param smallFilesMerged whether small files are merged while writing
     * @param precommitCompact whether small files of a partition are put together before the commit
     * @param compactionParallelism subtasks that merge files of an append table, or null for as many as write
     * @param clusterSorted whether a clustering write also sorts within a subtask
     * @param clusterSampleFactor rows sampled for each subtask of a clustering write
     */
    public record Writer(
            WriteMode mode,
            int maxWritersPerTask,
            boolean smallFilesMerged,
            boolean precommitCompact,
            @Nullable Integer compactionParallelism,
            boolean clusterSorted,
            int clusterSampleFactor)
            implements Serializable {

        private static final long serialVersionUID = 1L;

        public Writer {
            Positive.check(WriteOptions.MAX_WRITERS_PER_TASK, maxWritersPerTask);
            Positive.check(WriteOptions.COMPACTION_PARALLELISM, compactionParallelism);
            if (clusterSampleFactor < 20) {
                throw Positive.refused(
                        WriteOptions.CLUSTERING_SAMPLE_FACTOR, clusterSampleFactor, "a whole number from 20");
            }
        }

        static Writer from(ReadableConfig options) {
            return new Writer(
                    options.get(WriteOptions.WRITE_MODE),
                    options.get(WriteOptions.MAX_WRITERS_PER_TASK),
                    options.get(WriteOptions.COMPACTION_OPTIMIZATION),
                    options.get(WriteOptions.PRECOMMIT_COMPACT),
                    options.getOptional(WriteOptions.COMPACTION_PARALLELISM).orElse(null),
                    options.get(WriteOptions.CLUSTERING_SORT_IN_CLUSTER),
                    options.get(WriteOptions.CLUSTERING_SAMPLE_FACTOR));
        }
    }

    /**
     * @param columnsAdded whether columns the table lacks are added to it
     * @param typesWidened whether types are widened; needs columnsAdded
     * @param typesCast whether types may change with loss; needs typesWidened
     */
    public record SchemaMerge(boolean columnsAdded, boolean typesWidened, boolean typesCast) implements Serializable {

        private static final long serialVersionUID = 1L;

        public SchemaMerge {
            if (typesWidened && !columnsAdded) {
                throw Positive.refused(
                        WriteOptions.MERGE_SCHEMA_TYPE_WIDENING,
                        true,
                        "true only with " + WriteOptions.MERGE_SCHEMA.key());
            }
            if (typesCast && !typesWidened) {
                throw Positive.refused(
                        WriteOptions.MERGE_SCHEMA_EXPLICIT_CAST,
                        true,
                        "true only with " + WriteOptions.MERGE_SCHEMA_TYPE_WIDENING.key());
            }
        }
    }

    /**
     * @param options with the keys of the option room, in any of their spellings
     * @throws IllegalArgumentException if a value cannot be read or is out of its range
     */
    public static WriteSettings from(ReadableConfig options) {
        return new WriteSettings(
                options.getOptional(WriteOptions.SINK_PARALLELISM).orElse(null),
                Writer.from(options),
                new SchemaMerge(
                        options.get(WriteOptions.MERGE_SCHEMA),
                        options.get(WriteOptions.MERGE_SCHEMA_TYPE_WIDENING),
                        options.get(WriteOptions.MERGE_SCHEMA_EXPLICIT_CAST)),
                WriterResources.from(options),
                CommitSettings.from(options),
                options.get(WriteOptions.REQUIRED_CONFIGURATION_CHECK),
                options.getOptional(WriteOptions.SINK_OPERATOR_UID_SUFFIX).orElse(null));
    }
}
