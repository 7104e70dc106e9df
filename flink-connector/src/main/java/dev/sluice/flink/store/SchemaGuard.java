/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeChecks;
import org.apache.paimon.types.DataTypeRoot;
import org.jspecify.annotations.Nullable;

/** Tells whether a table still is what a running job was planned for. Not safe for several threads. */
final class SchemaGuard {

    /** Options that decide how files become rows and may be altered; the job's own copy of them would be wrong. */
    private static final List<String> MERGE_OPTIONS = List.of(
            CoreOptions.MERGE_ENGINE.key(),
            CoreOptions.SEQUENCE_FIELD.key(),
            CoreOptions.IGNORE_DELETE.key(),
            CoreOptions.DELETION_VECTORS_ENABLED.key(),
            CoreOptions.DELETION_VECTORS_MERGE_ON_READ.key(),
            CoreOptions.RECORD_LEVEL_EXPIRE_TIME.key(),
            CoreOptions.ROW_TRACKING_ENABLED.key(),
            CoreOptions.DATA_EVOLUTION_ENABLED.key());

    private final StoreTable table;
    private final TableSchema planned;
    private final SchemaManager schemas;
    private final List<DataField> used;
    private long checkedSchemaId;
    private @Nullable Long createdAt;

    /** @param columns positions in the table's row type of the columns the job reads */
    SchemaGuard(StoreTable table, int[] columns) {
        this.table = table;
        this.planned = table.fileStore().schema();
        this.schemas = table.fileStore().schemaManager();
        this.used = new ArrayList<>();
        for (int column : columns) {
            used.add(planned.fields().get(column));
        }
        this.checkedSchemaId = planned.id();
        // A schema from a catalog's server bears the time of its loading, so there the stored one's as first seen
        // counts.
        boolean fromServer = table.fileStore().catalogEnvironment().uuid() != null;
        this.createdAt = fromServer ? null : planned.timeMillis();
    }

    /** @throws TableChangedException if the table was dropped, or dropped and created again */
    void checkSameTable() throws TableChangedException {
        String lost = lost();
        if (lost != null) {
            throw new TableChangedException(table, lost);
        }
    }

    /** @return what happened to the table, or null if it still is the one that the job was planned for */
    @Nullable
    String lost() {
        if (schemas.latest().isEmpty()) {
            return "was dropped";
        }
        if (!schemas.schemaExists(planned.id())) {
            return "was dropped and created again";
        }
        long stored = schemas.schema(planned.id()).timeMillis();
        if (createdAt == null) {
            createdAt = stored;
        }
        return stored == createdAt ? null : "was dropped and created again";
    }

    /** @throws TableChangedException if the schema of a newer snapshot lacks what the job reads */
    void check(long schemaId) throws TableChangedException {
        if (schemaId == checkedSchemaId) {
            return;
        }
        TableSchema now = schemas.schema(schemaId);
        for (DataField field : used) {
            DataField found = now.fields().stream()
                    .filter(candidate -> candidate.id() == field.id())
                    .findFirst()
                    .orElseThrow(() -> new TableChangedException(table, "lost its column '" + field.name() + "'"));
            if (!found.type().copy(true).equals(field.type().copy(true)) && !longer(field.type(), found.type())) {
                throw new TableChangedException(
                        table,
                        "changed its column '" + field.name() + "' from "
                                + field.type().asSQLString() + " to "
                                + found.type().asSQLString());
            }
        }
        Map<String, String> stored = schemas.schema(planned.id()).options();
        for (String key : MERGE_OPTIONS) {
            if (!Objects.equals(stored.get(key), now.options().get(key))) {
                throw new TableChangedException(
                        table,
                        "changed its option '" + key + "' from " + stored.get(key) + " to "
                                + now.options().get(key));
            }
        }
        checkedSchemaId = schemaId;
    }

    /** Neither Flink nor the engine's files bear the greatest length of a text or of bytes. */
    private static boolean longer(DataType planned, DataType now) {
        return planned.getTypeRoot() == now.getTypeRoot()
                && (planned.is(DataTypeRoot.VARCHAR) || planned.is(DataTypeRoot.VARBINARY))
                && DataTypeChecks.getLength(planned) <= DataTypeChecks.getLength(now);
    }
}
