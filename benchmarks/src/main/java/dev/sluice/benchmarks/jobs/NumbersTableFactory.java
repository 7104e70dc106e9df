/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

/**
 * {@code 'connector'='numbers'}: one BIGINT column that counts from 0, the cheapest input a job can have. SQL makes of it
 * what a job needs.
 */
public final class NumbersTableFactory implements DynamicTableSourceFactory {

    private static final ConfigOption<Long> ROWS =
            ConfigOptions.key("rows").longType().noDefaultValue().withDescription("How many numbers.");

    @Override
    public String factoryIdentifier() {
        return "numbers";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(ROWS);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
        helper.validate();
        RowType row = (RowType) context.getPhysicalRowDataType().getLogicalType();
        return new Numbers(helper.getOptions().get(ROWS), row);
    }

    private record Numbers(long rows, RowType row) implements ScanTableSource {

        @Override
        public ChangelogMode getChangelogMode() {
            return ChangelogMode.insertOnly();
        }

        @Override
        public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
            return SourceProvider.of(new DataGeneratorSource<RowData>(Numbers::row, rows, InternalTypeInfo.of(row)));
        }

        private static RowData row(Long number) {
            return GenericRowData.of(number);
        }

        @Override
        public DynamicTableSource copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return "numbers";
        }
    }
}
