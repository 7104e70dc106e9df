/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.option.TableOptions;
import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.util.Set;
import java.util.function.Function;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
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
        this.opener = new TableOpener(null);
    }

    /** @param catalog asked for tables that Flink hands over without the engine's table, such as materialized ones */
    public PaimonTableFactory(FlinkCatalog catalog) {
        this.opener = new TableOpener(catalog);
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
        StoreTable table = opener.open(context, true);
        ReadSettings settings = settings(table, ReadSettings::from);
        return new PaimonTableSource(table, settings, scanGoesOn(context.getConfiguration(), table));
    }

    /** @throws org.apache.flink.table.api.ValidationException if the table cannot be opened as it is declared */
    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        StoreTable table = opener.open(context, false);
        WriteSettings settings = settings(table, WriteSettings::from);
        return new PaimonTableSink(table, settings, streaming(context.getConfiguration()));
    }

    /** Whether a scan waits for new snapshots after the table's present content. */
    static boolean scanGoesOn(ReadableConfig job, StoreTable table) {
        boolean bounded = settings(table, options -> options.getOptional(TableOptions.SCAN_BOUNDED))
                .orElse(false);
        return streaming(job) && !bounded;
    }

    private static boolean streaming(ReadableConfig job) {
        return job.get(ExecutionOptions.RUNTIME_MODE) == RuntimeExecutionMode.STREAMING;
    }

    private static <T> T settings(StoreTable table, Function<ReadableConfig, T> reader) {
        try {
            return reader.apply(Configuration.fromMap(table.options()));
        } catch (IllegalArgumentException e) {
            throw Refusal.of("Table " + table.name() + ": " + Refusal.words(e) + ".", e);
        }
    }
}
