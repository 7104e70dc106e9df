/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.merge;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.KeyValue;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.format.FileFormatDiscover;
import org.apache.paimon.format.FormatReaderContext;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.io.DataFileRecordReader;
import org.apache.paimon.partition.PartitionUtils;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.PrimaryKeyTableUtils.PrimaryKeyFieldsExtractor;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.FormatReaderMapping;

/** Opens a primary-key table's files without making an object of each row. Used by one thread. */
final class RunFiles {

    /** What a file's reader is set up from: the same for all of one schema. */
    private final FormatReaderMapping.Builder mappings;

    private final Map<Long, FormatReaderMapping> bySchema = new HashMap<>();
    private final FileStoreTable table;
    private final CoreOptions options;

    /**
     * @param key the fields of the key as files call them
     * @param value the columns that are read
     * @param filters what may be left out of the files
     */
    RunFiles(FileStoreTable table, RowType key, RowType value, List<Predicate> filters) {
        this.table = table;
        this.options = table.coreOptions();
        this.mappings = new FormatReaderMapping.Builder(
                FileFormatDiscover.of(options),
                KeyValue.createKeyValueFields(key.getFields(), value.getFields()),
                RunFiles::storedFields,
                filters,
                null,
                null);
    }

    private static List<DataField> storedFields(TableSchema schema) {
        PrimaryKeyFieldsExtractor fields = PrimaryKeyFieldsExtractor.EXTRACTOR;
        return KeyValue.createKeyValueFields(fields.keyFields(schema), fields.valueFields(schema));
    }

    /** Whether a file's columns come out as they are stored. */
    boolean areColumns(DataFileMeta file) {
        return DataFilePathFactory.formatIdentifier(file.fileName()).equals(CoreOptions.FILE_FORMAT_PARQUET)
                && mapping(file).getCastMapping() == null;
    }

    private FormatReaderMapping mapping(DataFileMeta file) {
        return bySchema.computeIfAbsent(
                file.schemaId(), id -> mappings.build(CoreOptions.FILE_FORMAT_PARQUET, table.schema(), schema(id)));
    }

    private TableSchema schema(long id) {
        return id == table.schema().id()
                ? table.schema()
                : table.schemaManager().schema(id);
    }

    RecordReader<InternalRow> open(BinaryRow partition, DataFilePathFactory paths, DataFileMeta file)
            throws IOException {
        FormatReaderMapping mapping = mapping(file);
        return new DataFileRecordReader(
                table.schema().logicalRowType(),
                mapping.getReaderFactory(),
                new FormatReaderContext(table.fileIO(), paths.toPath(file), file.fileSize()),
                options.scanIgnoreCorruptFile(),
                options.scanIgnoreLostFile(),
                mapping.getIndexMapping(),
                mapping.getCastMapping(),
                PartitionUtils.create(mapping.getPartitionPair(), partition),
                false,
                null,
                -1,
                Map.of());
    }
}
