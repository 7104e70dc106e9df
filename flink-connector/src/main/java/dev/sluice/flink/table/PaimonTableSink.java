/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.sink.OperatorUids;
import dev.sluice.flink.sink.PaimonSink;
import dev.sluice.flink.store.StoreTable;
import dev.sluice.flink.store.TableTruncation;
import dev.sluice.flink.store.WriteFailedException;
import dev.sluice.flink.store.WriteLayout;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.RowLevelModificationScanContext;
import org.apache.flink.table.connector.sink.DataStreamSinkProvider;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.abilities.SupportsDeletePushDown;
import org.apache.flink.table.connector.sink.abilities.SupportsOverwrite;
import org.apache.flink.table.connector.sink.abilities.SupportsPartitioning;
import org.apache.flink.table.connector.sink.abilities.SupportsRowLevelDelete;
import org.apache.flink.table.connector.sink.abilities.SupportsRowLevelUpdate;
import org.apache.flink.table.connector.sink.abilities.SupportsTruncate;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.types.RowKind;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.ChangelogProducer;
import org.apache.paimon.CoreOptions.MergeEngine;
import org.jspecify.annotations.Nullable;

/** A table on the writing side of a statement. Used on the planner's thread only. */
final class PaimonTableSink
        implements DynamicTableSink,
                SupportsPartitioning,
                SupportsOverwrite,
                SupportsTruncate,
                SupportsRowLevelUpdate,
                SupportsRowLevelDelete,
                SupportsDeletePushDown {

    private final OpenedTable opened;
    private final StoreTable table;
    private final WriteSettings settings;
    private final boolean streaming;

    private Map<String, String> staticPartition = Map.of();
    private boolean overwrite;

    /** The partition keys of the rows to delete, without keys for all rows; null while there is nothing to delete. */
    private @Nullable Map<String, String> deleted;

    /** What an UPDATE sets in a table where NULL would leave the old value; empty for any other statement. */
    private List<String> neverNull = List.of();

    /** @param streaming whether the job commits with checkpoints rather than once at its end */
    PaimonTableSink(OpenedTable opened, WriteSettings settings, boolean streaming) {
        this.opened = opened;
        this.table = opened.table();
        this.settings = settings;
        this.streaming = streaming;
    }

    /**
     * A table without a primary key takes inserts. One with a primary key takes all kinds, and does without the row before
     * an update, which saves the planner from computing it, unless its merging or its changelog is made of it.
     */
    @Override
    public ChangelogMode getChangelogMode(ChangelogMode requestedMode) {
        if (!takesChanges()) {
            return ChangelogMode.insertOnly();
        }
        if (needsUpdateBefore()) {
            return requestedMode;
        }
        ChangelogMode.Builder mode = ChangelogMode.newBuilder();
        for (RowKind kind : requestedMode.getContainedKinds()) {
            if (kind != RowKind.UPDATE_BEFORE) {
                mode.addContainedKind(kind);
            }
        }
        return mode.build();
    }

    private boolean takesChanges() {
        return switch (settings.writer().mode()) {
            case AUTO -> table.kind() == StoreTable.Kind.PRIMARY_KEY;
            case APPEND_ONLY -> false;
            case CHANGE_LOG -> true;
        };
    }

    private boolean needsUpdateBefore() {
        CoreOptions options = CoreOptions.fromMap(table.options());
        return options.changelogProducer() == ChangelogProducer.INPUT
                || options.mergeEngine() == MergeEngine.AGGREGATE
                || (options.mergeEngine() == MergeEngine.PARTIAL_UPDATE && options.definedAggFunc());
    }

    @Override
    public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
        if (table.kind() != StoreTable.Kind.FORMAT || streaming) {
            WriteLayout.of(table);
        }
        if (overwrite && streaming) {
            throw new ValidationException(
                    "INSERT OVERWRITE replaces the rows of table " + table
                            + " in one step, which a streaming job never comes to. Run: SET 'execution.runtime-mode' = 'batch';");
        }
        return new Provider(opened, settings, streaming, overwrite ? staticPartition : null, neverNull);
    }

    /** Values of a static partition are already columns of the rows; they only matter to an overwrite. */
    @Override
    public void applyStaticPartition(Map<String, String> partition) {
        staticPartition = Map.copyOf(partition);
    }

    @Override
    public void applyOverwrite(boolean overwriting) {
        overwrite = overwriting;
    }

    @Override
    public void executeTruncation() {
        WriteLayout.of(table);
        try {
            TableTruncation.truncate(table);
        } catch (WriteFailedException e) {
            throw new TableException(e.getMessage(), e);
        }
    }

    /** The rows come with all columns: Flink checks NOT NULL by a column's place in the table. */
    @Override
    public RowLevelUpdateInfo applyRowLevelUpdate(
            List<Column> updatedColumns, @Nullable RowLevelModificationScanContext context) {
        List<String> columns = updatedColumns.stream().map(Column::getName).toList();
        RowChanges.checkUpdate(table, columns);
        ChangedScan.check(context, table.name());
        neverNull =
                CoreOptions.fromMap(table.options()).mergeEngine() == MergeEngine.PARTIAL_UPDATE ? columns : List.of();
        return new RowLevelUpdateInfo() {};
    }

    @Override
    public RowLevelDeleteInfo applyRowLevelDelete(@Nullable RowLevelModificationScanContext context) {
        RowChanges.checkDelete(table);
        ChangedScan.check(context, table.name());
        return new RowLevelDeleteInfo() {};
    }

    /** Whole partitions go in one step, unless those who follow a changelog are to be told of each row. */
    @Override
    public boolean applyDeleteFilters(List<ResolvedExpression> filters) {
        WriteLayout.of(table);
        boolean toldOfRows = table.kind() == StoreTable.Kind.PRIMARY_KEY
                && CoreOptions.fromMap(table.options()).deleteForceProduceChangelog();
        deleted = toldOfRows ? null : DeletedPartition.of(table, filters).orElse(null);
        return deleted != null;
    }

    @Override
    public Optional<Long> executeDeletion() {
        Map<String, String> partition = Objects.requireNonNull(deleted, "applyDeleteFilters comes first");
        try {
            TableTruncation.delete(table, partition);
        } catch (WriteFailedException e) {
            throw new TableException(e.getMessage(), e);
        }
        return Optional.empty();
    }

    @Override
    public DynamicTableSink copy() {
        PaimonTableSink copy = new PaimonTableSink(opened, settings, streaming);
        copy.staticPartition = staticPartition;
        copy.overwrite = overwrite;
        copy.deleted = deleted;
        copy.neverNull = neverNull;
        return copy;
    }

    @Override
    public String asSummaryString() {
        String options = opened.dynamicWords();
        return "Paimon table " + table.name() + (options.isEmpty() ? "" : ", options " + options);
    }

    /**
     * @param overwrite the partition to replace, or null to add to the table
     * @param neverNull columns in which a NULL would be ignored by the table
     */
    private record Provider(
            OpenedTable opened,
            WriteSettings settings,
            boolean streaming,
            @Nullable Map<String, String> overwrite,
            List<String> neverNull)
            implements DataStreamSinkProvider {

        @Override
        public DataStreamSink<?> consumeDataStream(ProviderContext context, DataStream<RowData> rows) {
            StoreTable table = opened.table();
            opened.log("sink");
            OperatorUids fromSettings = OperatorUids.of(table, settings);
            // What the user set comes first; else the planner's, which it has for compiled plans only.
            OperatorUids uids = operator -> {
                Optional<String> set = fromSettings.of(operator);
                return set.isPresent() ? set : context.generateUid(operator.toLowerCase(Locale.ROOT));
            };
            DataStream<RowData> checked = neverNull.isEmpty() ? rows : NeverNull.check(rows, table, neverNull);
            return overwrite == null
                    ? PaimonSink.append(checked, table, settings, streaming, uids)
                    : PaimonSink.overwrite(checked, table, settings, overwrite, uids);
        }
    }
}
