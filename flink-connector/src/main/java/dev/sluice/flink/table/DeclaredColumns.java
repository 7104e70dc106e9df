/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.flink.LogicalTypeConversion;
import org.apache.paimon.table.Table;

/** Compares what a statement says a table looks like with what is stored. */
final class DeclaredColumns {

    private DeclaredColumns() {}

    /** @throws ValidationException naming every column and key that differs, with both sides */
    static void check(String name, ResolvedCatalogTable declared, Table stored) {
        RowType declaredRow =
                (RowType) declared.getResolvedSchema().toPhysicalRowDataType().getLogicalType();
        RowType storedRow = LogicalTypeConversion.toLogicalType(stored.rowType());
        List<String> differences = columns(declaredRow, storedRow);
        keys("primary key", primaryKey(declared), stored.primaryKeys(), differences);
        keys("partition keys", declared.getPartitionKeys(), stored.partitionKeys(), differences);
        if (!differences.isEmpty()) {
            throw new ValidationException("Table " + name + " is declared differently from how it is stored: "
                    + String.join("; ", differences)
                    + ". Declare the columns and keys as stored, or change the stored ones with ALTER TABLE in a Paimon"
                    + " catalog.");
        }
    }

    private static List<String> columns(RowType declared, RowType stored) {
        List<String> differences = new ArrayList<>();
        for (RowType.RowField field : declared.getFields()) {
            int at = stored.getFieldIndex(field.getName());
            if (at < 0) {
                differences.add(column(field) + " is declared but not stored");
            } else if (!same(field.getType(), stored.getTypeAt(at))) {
                differences.add(column(field) + " but stored as " + words(stored.getTypeAt(at)));
            }
        }
        for (RowType.RowField field : stored.getFields()) {
            if (declared.getFieldIndex(field.getName()) < 0) {
                differences.add(column(field) + " is stored but not declared");
            }
        }
        if (differences.isEmpty() && !declared.getFieldNames().equals(stored.getFieldNames())) {
            differences.add("the columns are declared in the order " + list(declared.getFieldNames())
                    + " but stored in the order " + list(stored.getFieldNames()));
        }
        return differences;
    }

    private static void keys(String which, List<String> declared, List<String> stored, List<String> differences) {
        if (!declared.equals(stored)) {
            differences.add("the " + which + " is declared as " + list(declared) + " but stored as " + list(stored));
        }
    }

    private static List<String> primaryKey(ResolvedCatalogTable declared) {
        return declared.getResolvedSchema()
                .getPrimaryKey()
                .map(UniqueConstraint::getColumns)
                .orElse(List.of());
    }

    /** Equal but for comments inside ROW types, which the engine keeps and Flink's equality counts. */
    private static boolean same(LogicalType a, LogicalType b) {
        if (a.isNullable() != b.isNullable() || a.getTypeRoot() != b.getTypeRoot()) {
            return false;
        }
        if (a instanceof RowType rowA && b instanceof RowType rowB) {
            return rowA.getFieldNames().equals(rowB.getFieldNames()) && sameChildren(a, b);
        }
        if (a instanceof ArrayType || a instanceof MapType || a instanceof MultisetType) {
            return sameChildren(a, b);
        }
        return a.equals(b);
    }

    private static boolean sameChildren(LogicalType a, LogicalType b) {
        for (int i = 0; i < a.getChildren().size(); i++) {
            if (!same(a.getChildren().get(i), b.getChildren().get(i))) {
                return false;
            }
        }
        return true;
    }

    private static String column(RowType.RowField field) {
        return "column '" + field.getName() + "' " + words(field.getType());
    }

    private static String words(LogicalType type) {
        return type.asSummaryString();
    }

    private static String list(List<String> names) {
        return names.isEmpty() ? "none" : names.stream().collect(Collectors.joining(", ", "(", ")"));
    }
}
