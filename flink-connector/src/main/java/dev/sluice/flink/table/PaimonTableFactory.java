/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.resolve.OptionResolver.Use;
import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.settings.WriteSettings;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.paimon.flink.FlinkCatalog;

/**
 * Turns a table of a statement into its source or sink: tables of a Paimon catalog, and tables declared with
 * {@code 'connector'='paimon'} and a {@code path}. Stateless apart from the catalog it may belong to.
 */
public final class PaimonTableFactory implements DynamicTableSourceFactory, DynamicTableSinkFactory {

    public static final String IDENTIFIER = "paimon";

    private final TableOpener opener;

    /** For discovery by Flink; the instance knows no catalog and opens a table by its path. */
    public PaimonTableFactory() {
        this.opener = new TableOpener(null, Map.of());
    }

    /**
     * @param catalog asked for tables that Flink hands over without the engine's table, such as materialized ones
     * @param options what the catalog was created with
     */
    public PaimonTableFactory(FlinkCatalog catalog, Map<String, String> options) {
        this.opener = new TableOpener(catalog, options);
    }

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    /**
     * Empty, as is {@link #optionalOptions()}: what is accepted depends on the stored table, which only the opening of
     * it shows.
     */
    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    /** @throws org.apache.flink.table.api.ValidationException if the table cannot be opened as it is declared */
    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        OpenedTable opened = opener.open(context, Use.READ);
        ReadSettings settings =
                ScanParallelism.inferredOnlyIfUnset(opened.settings(ReadSettings::from), context.getConfiguration());
        return PaimonTableSource.of(opened, settings, scanGoesOn(context.getConfiguration(), settings));
    }

    /** @throws org.apache.flink.table.api.ValidationException if the table cannot be opened as it is declared */
    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        OpenedTable opened = opener.open(context, Use.WRITE);
        WriteSettings settings = opened.settings(WriteSettings::from);
        return new PaimonTableSink(opened, settings, streaming(context.getConfiguration()));
    }

    /** Whether a scan waits for new snapshots after the table's present content. */
    static boolean scanGoesOn(ReadableConfig job, ReadSettings settings) {
        return streaming(job) && !Boolean.TRUE.equals(settings.rows().bounded());
    }

    static boolean streaming(ReadableConfig job) {
        return job.get(ExecutionOptions.RUNTIME_MODE) == RuntimeExecutionMode.STREAMING;
    }
}
