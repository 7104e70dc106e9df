/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.List;
import java.util.Set;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.MergeEngine;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowKind;
import org.apache.paimon.types.RowType;
import org.jspecify.annotations.Nullable;

/**
 * Why a table does not take a row, by column and value. Asked when the engine has refused one; except that rows of a
 * first-row table are looked at before, because there the engine notices only when it merges, long after and in no
 * connection with the row. Used by one thread.
 */
final class RowRules {

    private static final int SHOWN_CHARACTERS = 40;
    private static final Set<String> ROW_KINDS = Set.of("+I", "-U", "+U", "-D");

    private final StoreTable table;
    private final RowType type;
    private final @Nullable String kindColumn;
    private final boolean addsOnly;
    private final boolean checkedBefore;
    private final boolean retractsSkipped;
    private final boolean updatesBeforeSkipped;

    RowRules(StoreTable table) {
        CoreOptions options = table.fileStore().coreOptions();
        boolean firstRow =
                table.kind() == StoreTable.Kind.PRIMARY_KEY && options.mergeEngine() == MergeEngine.FIRST_ROW;
        this.table = table;
        this.type = table.rowType();
        this.kindColumn = options.rowkindField().orElse(null);
        this.addsOnly = firstRow || table.kind() == StoreTable.Kind.APPEND;
        this.retractsSkipped = options.ignoreDelete();
        this.updatesBeforeSkipped = options.ignoreUpdateBefore();
        this.checkedBefore = firstRow && !retractsSkipped;
    }

    /** Whether {@link #problem} is to be asked before a row is written. */
    boolean suspects(InternalRow row) {
        return checkedBefore && (kindColumn != null || row.getRowKind().isRetract());
    }

    /** @return null if nothing is found; whole otherwise: the column, what is wrong, what helps */
    @Nullable
    String problem(InternalRow row) {
        String missing = missing(row);
        if (missing != null) {
            return missing;
        }
        RowKind kind = row.getRowKind();
        if (kindColumn != null) {
            Object value = value(kindColumn, row);
            if (value == null || !ROW_KINDS.contains(value.toString())) {
                return "column '" + kindColumn + "' says what kind of row it is ('rowkind.field') and is "
                        + shown(value) + "; accepted is +I, -U, +U or -D";
            }
            kind = RowKind.fromShortString(value.toString());
        }
        return addsOnly && kind.isRetract() && !skipped(kind) ? retracted(kind, row) : null;
    }

    private boolean skipped(RowKind kind) {
        return retractsSkipped || (kind == RowKind.UPDATE_BEFORE && updatesBeforeSkipped);
    }

    private @Nullable String missing(InternalRow row) {
        List<DataField> fields = type.getFields();
        for (int i = 0; i < fields.size(); i++) {
            if (!fields.get(i).type().isNullable() && row.isNullAt(i)) {
                return "column '" + fields.get(i).name() + "' is NOT NULL and the row has NULL there;"
                        + " 'table.exec.sink.not-null-enforcer' = 'DROP' makes Flink leave such rows of a query out";
            }
        }
        return null;
    }

    private String retracted(RowKind kind, InternalRow row) {
        StringBuilder key = new StringBuilder();
        for (String column : table.primaryKeys()) {
            key.append(key.isEmpty() ? "" : ", ").append(column).append(" = ").append(shown(value(column, row)));
        }
        String which = key.isEmpty() ? "" : " (key " + key + ")";
        String takes = table.kind() == StoreTable.Kind.APPEND
                ? "a table without a primary key takes inserts only"
                : "a table with 'merge-engine' = 'first-row' takes inserts only";
        return "the row's kind is " + kind.shortString() + which + "; " + takes
                + ". 'ignore-delete' = 'true' makes the table skip -U and -D";
    }

    private @Nullable Object value(String column, InternalRow row) {
        int index = type.getFieldIndex(column);
        return InternalRow.createFieldGetter(type.getTypeAt(index), index).getFieldOrNull(row);
    }

    private static String shown(@Nullable Object value) {
        if (value == null) {
            return "NULL";
        }
        String text = value.toString();
        return "'" + (text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "…" : text) + "'";
    }
}
