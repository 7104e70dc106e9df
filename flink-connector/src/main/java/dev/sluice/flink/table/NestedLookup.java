/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.store.StoreTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.DynamicTableSource.DataStructureConverter;
import org.apache.flink.table.connector.source.LookupTableSource.LookupContext;
import org.apache.flink.table.connector.source.LookupTableSource.LookupRuntimeProvider;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.paimon.flink.LogicalTypeConversion;

/** Lets a lookup, which gives whole columns, give the fields inside them that the planner has asked for. */
final class NestedLookup {

    private NestedLookup() {}

    /** A lookup of whole columns. */
    interface WholeColumns {

        /** @param columns positions in the table's row type of the columns of a result row */
        LookupRuntimeProvider provider(int[] columns, LookupContext context);
    }

    /** @param paths see {@link dev.sluice.flink.store.ReadSpec#columns()} */
    static LookupRuntimeProvider provider(
            StoreTable table, List<List<Integer>> paths, LookupContext context, WholeColumns whole) {
        int[] columns = paths.stream().mapToInt(path -> path.get(0)).distinct().toArray();
        if (paths.stream().allMatch(path -> path.size() == 1) && columns.length == paths.size()) {
            return whole.provider(columns, context);
        }
        LookupRuntimeProvider provider =
                whole.provider(columns, new WholeKeys(context, keys(table, paths, columns, context.getKeys())));
        NestedFields fields = NestedFields.of(
                LogicalTypeConversion.toLogicalType(table.rowType().project(columns)), places(paths, columns));
        if (provider instanceof AsyncLookupFunctionProvider async) {
            return AsyncLookupFunctionProvider.of(new Async(async.createAsyncLookupFunction(), fields));
        }
        return LookupFunctionProvider.of(new Sync(((LookupFunctionProvider) provider).createLookupFunction(), fields));
    }

    private static int[][] keys(StoreTable table, List<List<Integer>> paths, int[] columns, int[][] keys) {
        int[][] whole = new int[keys.length][];
        for (int i = 0; i < keys.length; i++) {
            List<Integer> path = paths.get(keys[i][0]);
            if (path.size() > 1 || keys[i].length > 1) {
                throw new ValidationException("A lookup join with table " + table.name()
                        + " compares a field inside column '"
                        + table.rowType().getFieldNames().get(path.get(0))
                        + "'. Accepted are whole columns; compare the field in the WHERE clause instead.");
            }
            whole[i] = new int[] {indexOf(columns, path.get(0))};
        }
        return whole;
    }

    private static int[][] places(List<List<Integer>> paths, int[] columns) {
        return paths.stream()
                .map(path -> {
                    int[] place = path.stream().mapToInt(Integer::intValue).toArray();
                    place[0] = indexOf(columns, place[0]);
                    return place;
                })
                .toArray(int[][]::new);
    }

    private static int indexOf(int[] columns, int column) {
        return Arrays.stream(columns).boxed().toList().indexOf(column);
    }

    /** The keys as positions in a row of whole columns. */
    private static final class WholeKeys implements LookupContext {

        private final LookupContext outer;
        private final int[][] keys;

        private WholeKeys(LookupContext outer, int[][] keys) {
            this.outer = outer;
            this.keys = keys;
        }

        @Override
        public int[][] getKeys() {
            return keys;
        }

        @Override
        public boolean preferCustomShuffle() {
            return outer.preferCustomShuffle();
        }

        @Override
        public <T> TypeInformation<T> createTypeInformation(DataType producedDataType) {
            return outer.createTypeInformation(producedDataType);
        }

        @Override
        public <T> TypeInformation<T> createTypeInformation(LogicalType producedLogicalType) {
            return outer.createTypeInformation(producedLogicalType);
        }

        @Override
        public DataStructureConverter createDataStructureConverter(DataType producedDataType) {
            return outer.createDataStructureConverter(producedDataType);
        }
    }

    private static final class Sync extends LookupFunction {

        private static final long serialVersionUID = 1L;

        private final LookupFunction whole;
        private final NestedFields fields;

        Sync(LookupFunction whole, NestedFields fields) {
            this.whole = whole;
            this.fields = fields;
        }

        @Override
        public void open(FunctionContext context) throws Exception {
            whole.open(context);
        }

        @Override
        public Collection<RowData> lookup(RowData keyRow) throws IOException {
            Collection<RowData> rows = whole.lookup(keyRow);
            return rows == null ? List.of() : fields.of(rows);
        }

        @Override
        public void close() throws Exception {
            whole.close();
        }
    }

    private static final class Async extends AsyncLookupFunction {

        private static final long serialVersionUID = 1L;

        private final AsyncLookupFunction whole;
        private final NestedFields fields;

        Async(AsyncLookupFunction whole, NestedFields fields) {
            this.whole = whole;
            this.fields = fields;
        }

        @Override
        public void open(FunctionContext context) throws Exception {
            whole.open(context);
        }

        @Override
        public CompletableFuture<Collection<RowData>> asyncLookup(RowData keyRow) {
            return whole.asyncLookup(keyRow).thenApply(rows -> rows == null ? List.of() : fields.of(rows));
        }

        @Override
        public void close() throws Exception {
            whole.close();
        }
    }
}
