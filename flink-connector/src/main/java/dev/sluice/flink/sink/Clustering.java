/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.RowData;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.OrderType;
import org.apache.paimon.flink.sorter.TableSortInfo;
import org.apache.paimon.flink.sorter.TableSorter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends rows of a batch job to writers by ranges of the table's {@code clustering.columns}, so that each file holds a small
 * part of their values and a filter skips most files. The engine samples the rows, cuts the ranges and sorts.
 */
final class Clustering {

    private static final Logger LOG = LoggerFactory.getLogger(Clustering.class);

    /** Of each source subtask if their number is not known yet; the engine's least. */
    private static final int LEAST_SAMPLES = 20;

    private Clustering() {}

    static boolean wanted(SinkStages stages) {
        CoreOptions options = CoreOptions.fromMap(stages.table().options());
        if (options.clusteringColumns().isEmpty()
                || (options.clusteringIncrementalEnabled() && !options.clusteringIncrementalOptimizeWrite())) {
            return false;
        }
        if (stages.streaming()) {
            LOG.warn(
                    "'{}' has no effect on streaming writes to table {}: rows are written as they come",
                    CoreOptions.CLUSTERING_COLUMNS.key(),
                    stages.table());
            return false;
        }
        return true;
    }

    /**
     * @param writers how many ranges are cut; the rows come in as many subtasks, to be written without a shuffle
     * @throws ValidationException if a column is not the table's, or the strategy is none
     */
    static DataStream<RowData> cluster(DataStream<RowData> rows, SinkStages stages, int writers) {
        StoreTable table = stages.table();
        CoreOptions options = CoreOptions.fromMap(table.options());
        List<String> columns = checkedColumns(table, options);
        WriteSettings.Writer settings = stages.settings().writer();
        int factor = settings.clusterSampleFactor();
        int sources = rows.getParallelism();
        TableSortInfo info = new TableSortInfo.Builder()
                .setSortColumns(columns)
                .setSortStrategy(strategy(table, options, columns.size()))
                .setSortInCluster(settings.clusterSorted())
                .setSinkParallelism(writers)
                .setRangeNumber(writers)
                .setGlobalSampleSize(writers * factor)
                .setLocalSampleSize(
                        sources > 0 ? Math.max(factor, writers * factor / sources) : writers * LEAST_SAMPLES)
                .build();
        return TableSorter.getSorter(rows.getExecutionEnvironment(), rows, options, table.rowType(), info)
                .sort();
    }

    private static List<String> checkedColumns(StoreTable table, CoreOptions options) {
        List<String> columns = options.clusteringColumns();
        List<String> known = table.rowType().getFieldNames();
        for (String column : columns) {
            if (!known.contains(column)) {
                throw new ValidationException("'" + CoreOptions.CLUSTERING_COLUMNS.key() + "' of table " + table
                        + " names column '" + column + "', which the table does not have. Its columns are " + known
                        + ". Correct the option, or reset it to write without clustering.");
            }
        }
        return columns;
    }

    private static OrderType strategy(StoreTable table, CoreOptions options, int columns) {
        try {
            return options.clusteringStrategy(columns);
        } catch (IllegalArgumentException e) {
            throw new ValidationException(
                    "'" + CoreOptions.CLUSTERING_STRATEGY.key() + "' of table " + table + " is '"
                            + table.options().get(CoreOptions.CLUSTERING_STRATEGY.key())
                            + "'. Set one of auto, order, zorder or hilbert.",
                    e);
        }
    }
}
