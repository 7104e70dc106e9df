/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.lookup.EngineTable;
import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.settings.LookupSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the planner is given for the dimension side of a lookup join, and what it is refused. */
final class LookupRuntimeTest {

    @TempDir
    Path warehouse;

    private EngineTable table;

    @BeforeEach
    void createTable() throws Exception {
        table = new EngineTable(
                warehouse,
                new Columns()
                        .column("id", DataTypes.INT())
                        .column("name", DataTypes.STRING())
                        .column("home", DataTypes.ROW(DataTypes.FIELD(10, "street", DataTypes.STRING())))
                        .option("bucket", "1")
                        .keyed("id"));
    }

    @AfterEach
    void close() throws Exception {
        table.close();
    }

    @Test
    void isAsyncOnlyWhenTheTableSaysSo() throws Exception {
        assertThat(provider(Map.of(), new int[][] {{0}})).isInstanceOf(LookupFunctionProvider.class);
        assertThat(provider(Map.of("lookup.async", "true"), new int[][] {{0}}))
                .isInstanceOf(AsyncLookupFunctionProvider.class);
    }

    @Test
    void refusesAFieldInsideAColumn() {
        assertThatThrownBy(() -> provider(Map.of(), new int[][] {{0}, {2, 0}}))
                .isInstanceOf(ValidationException.class)
                .hasMessage("A lookup join with table c.d.t compares a field inside column 'home'. Accepted are whole"
                        + " columns; compare the field in the WHERE clause instead.");
    }

    @Test
    void refusesAScanThatReadsOnlyCompactedFiles() {
        assertThatThrownBy(() -> provider(Map.of("scan.mode", "compacted-full"), new int[][] {{0}}))
                .isInstanceOf(ValidationException.class)
                .hasMessage("Table c.d.t has 'scan.mode' = 'compacted-full', which a lookup join does not follow."
                        + " Accepted are latest-full, latest, and the options that choose one snapshot, such as"
                        + " 'scan.snapshot-id'.");
    }

    private LookupTableSource.LookupRuntimeProvider provider(Map<String, String> hints, int[][] keys) throws Exception {
        LookupSettings settings = LookupSettings.from(Configuration.fromMap(hints));
        return LookupRuntime.provider(table.asSeenNow(hints), settings, new int[] {0, 1, 2}, List.of(), new Keys(keys));
    }

    /** Stands for the planner, which only says which columns are compared. */
    private static final class Keys implements LookupTableSource.LookupContext {

        private final int[][] paths;

        Keys(int[][] paths) {
            this.paths = paths;
        }

        @Override
        public int[][] getKeys() {
            return paths;
        }

        @Override
        public boolean preferCustomShuffle() {
            return false;
        }

        @Override
        public <T> TypeInformation<T> createTypeInformation(DataType producedDataType) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public <T> TypeInformation<T> createTypeInformation(LogicalType producedLogicalType) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public DynamicTableSource.DataStructureConverter createDataStructureConverter(DataType producedDataType) {
            throw new IllegalStateException("not asked for");
        }
    }
}
