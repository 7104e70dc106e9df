/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples.tpch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** {@code 'connector'='tpch'}: generated rows of a TPC-H table, any of its columns in any order. */
public final class TpchTableFactory implements DynamicTableSourceFactory {

    static final ConfigOption<String> TABLE = ConfigOptions.key("table")
            .stringType()
            .noDefaultValue()
            .withDescription("The TPC-H table: customer, orders or lineitem.");

    static final ConfigOption<Double> SCALE = ConfigOptions.key("scale")
            .doubleType()
            .defaultValue(0.01)
            .withDescription("The TPC-H scale factor; 1 is 1,500,000 orders.");

    static final ConfigOption<Long> ROWS_PER_SECOND = ConfigOptions.key("rows-per-second")
            .longType()
            .defaultValue(0L)
            .withDescription("The most rows in a second, all subtasks together; 0 for as many as there can be.");

    @Override
    public String factoryIdentifier() {
        return "tpch";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(TABLE);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(SCALE, ROWS_PER_SECOND);
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
        helper.validate();
        ReadableConfig options = helper.getOptions();
        String where = context.getObjectIdentifier().asSummaryString();
        TpchTables table = table(options.get(TABLE), where);
        double scale = options.get(SCALE);
        if (!(scale > 0 && scale <= 1000)) {
            throw new ValidationException("'scale' = '" + scale + "' of table " + where
                    + " is no TPC-H scale factor served here: give one above 0 and up to 1000, such as 0.05.");
        }
        long rowsPerSecond = options.get(ROWS_PER_SECOND);
        if (rowsPerSecond < 0) {
            throw new ValidationException("'rows-per-second' = '" + rowsPerSecond + "' of table " + where
                    + " is negative: give the most rows in a second, or 0 for no limit.");
        }
        RowType declared = (RowType) context.getPhysicalRowDataType().getLogicalType();
        return new TpchTableSource(table, scale, columns(table, declared, where), rowsPerSecond);
    }

    private static TpchTables table(String name, String where) {
        String wanted = name.trim().toUpperCase(Locale.ROOT);
        for (TpchTables table : TpchTables.values()) {
            if (table.name().equals(wanted)) {
                return table;
            }
        }
        List<String> known =
                Stream.of(TpchTables.values()).map(TpchTables::tpchName).toList();
        throw new ValidationException("'table' = '" + name + "' of table " + where
                + " is not a TPC-H table served here: use one of " + String.join(", ", known) + ".");
    }

    /** All wrong columns of a table are reported at once. */
    private static int[] columns(TpchTables table, RowType declared, String where) {
        int[] columns = new int[declared.getFieldCount()];
        List<TpchTables.Column> served = table.columns();
        List<String> names = served.stream().map(TpchTables.Column::name).toList();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < columns.length; i++) {
            String name = declared.getFieldNames().get(i);
            LogicalType type = declared.getTypeAt(i);
            columns[i] = names.indexOf(name.toLowerCase(Locale.ROOT));
            if (columns[i] < 0) {
                problems.add("there is no column '" + name + "', only " + String.join(", ", names));
            } else {
                LogicalType expected = served.get(columns[i]).type();
                if (!type.copy(true).equals(expected.copy(true))) {
                    problems.add(
                            "column '" + name + "' is " + expected.copy(true).asSummaryString() + ", not "
                                    + type.copy(true).asSummaryString());
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new ValidationException("Table " + where + " declares columns that TPC-H's " + table.tpchName()
                    + " does not have: " + String.join("; ", problems) + ". Correct its CREATE TABLE.");
        }
        return columns;
    }
}
