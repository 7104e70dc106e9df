/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.ChangelogProducer;
import org.apache.paimon.CoreOptions.MergeEngine;
import org.apache.paimon.KeyValue;
import org.apache.paimon.casting.DefaultValueRow;
import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.memory.HeapMemorySegmentPool;
import org.apache.paimon.mergetree.SortBufferWriteBuffer;
import org.apache.paimon.mergetree.compact.MergeFunction;
import org.apache.paimon.mergetree.localmerge.HashMapLocalMerger;
import org.apache.paimon.mergetree.localmerge.LocalMerger;
import org.apache.paimon.mergetree.localmerge.SortBufferLocalMerger;
import org.apache.paimon.options.MemorySize;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.BucketMode;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.PrimaryKeyTableUtils;
import org.apache.paimon.types.RowKind;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.KeyComparatorSupplier;
import org.apache.paimon.utils.RowKindFilter;
import org.apache.paimon.utils.UserDefinedSeqComparator;
import org.jspecify.annotations.Nullable;

/**
 * Merges rows of one key before they are sent to their writer, in {@code local-merge-buffer-size} of the heap. Used by one
 * thread.
 */
public final class LocalMerge implements AutoCloseable {

    /** What became of a row. */
    public enum Taken {
        /** The buffer has it. */
        MERGED,
        /** It has no effect on the table. */
        IGNORED,
        /** The buffer has no place for it; there may be one once it has been drained. */
        FULL,
        /** It is to go to its writer as it is, behind the rows of the buffer. */
        PASSED
    }

    /** The engine's hash map begins with a megabyte of places for keys. */
    private static final long LEAST_HASHED_BYTES = 4L << 20;

    private final LocalMerger merger;
    private final Projection keys;
    private final @Nullable DefaultValueRow withDefaults;
    private final @Nullable RowKindFilter filter;
    private final boolean retractsMerge;
    private final int kindColumn;

    private LocalMerge(FileStoreTable store) {
        TableSchema schema = store.schema();
        CoreOptions options = store.coreOptions();
        this.merger = merger(schema, options);
        this.keys = CodeGenUtils.newProjection(schema.logicalRowType(), schema.projection(schema.primaryKeys()));
        this.withDefaults = DefaultValueRow.create(store.rowType());
        this.filter = RowKindFilter.of(options);
        this.retractsMerge = options.mergeEngine() == MergeEngine.DEDUPLICATE
                || (options.mergeEngine() == MergeEngine.AGGREGATE && !options.aggregationRemoveRecordOnDelete());
        this.kindColumn = options.rowkindField()
                .map(schema.logicalRowType()::getFieldIndex)
                .orElse(-1);
    }

    /**
     * Whether rows are to be merged ahead of the writers. Not where a changelog is made of the rows as they come, nor where
     * the first of them decides which partition a key stays in.
     *
     * @throws ValidationException if the buffer is too small for that
     */
    public static boolean wanted(StoreTable table) {
        if (table.kind() != StoreTable.Kind.PRIMARY_KEY) {
            return false;
        }
        CoreOptions options = table.fileStore().coreOptions();
        boolean firstDecides = table.fileStore().bucketMode() == BucketMode.KEY_DYNAMIC
                && options.mergeEngine() != MergeEngine.DEDUPLICATE
                && options.mergeEngine() != MergeEngine.FIRST_ROW;
        if (!options.localMergeEnabled() || options.changelogProducer() == ChangelogProducer.INPUT || firstDecides) {
            return false;
        }
        long least = (long) ManagedWriteBuffer.LEAST_PAGES * options.pageSize();
        if (options.localMergeBufferSize() < least) {
            throw new ValidationException("'" + CoreOptions.LOCAL_MERGE_BUFFER_SIZE.key() + "' is "
                    + options.localMergeBufferSize() + " bytes for table " + table + "; accepted is a size from "
                    + least
                    + " bytes, " + ManagedWriteBuffer.LEAST_PAGES + " times '" + CoreOptions.PAGE_SIZE.key() + "'.");
        }
        return true;
    }

    public static LocalMerge open(StoreTable table) {
        return new LocalMerge(table.fileStore());
    }

    private static LocalMerger merger(TableSchema schema, CoreOptions options) {
        RowType type = schema.logicalRowType();
        MergeFunction<KeyValue> function =
                PrimaryKeyTableUtils.createMergeFunctionFactory(schema).create();
        HeapMemorySegmentPool memory = new HeapMemorySegmentPool(options.localMergeBufferSize(), options.pageSize());
        UserDefinedSeqComparator sequence = UserDefinedSeqComparator.create(type, options);
        List<String> primaryKeys = schema.primaryKeys();
        boolean fixedWidth = type.getFields().stream()
                .allMatch(field -> primaryKeys.contains(field.name()) || BinaryRow.isInFixedLengthPart(field.type()));
        if (fixedWidth && options.localMergeBufferSize() >= LEAST_HASHED_BYTES) {
            return new HashMapLocalMerger(type, primaryKeys, memory, function, sequence);
        }
        RowType keyType = PrimaryKeyTableUtils.addKeyNamePrefix(schema.logicalPrimaryKeysType());
        SortBufferWriteBuffer buffer = new SortBufferWriteBuffer(
                keyType,
                type,
                sequence,
                memory,
                false,
                MemorySize.MAX_VALUE,
                options.localSortMaxNumFileHandles(),
                options.spillCompressOptions(),
                null);
        return new SortBufferLocalMerger(buffer, new KeyComparatorSupplier(keyType).get(), function);
    }

    /** @param row is not kept after the call */
    public Taken add(InternalRow row) throws IOException {
        RowKind stored = row.getRowKind();
        RowKind kind = kindColumn < 0 ? stored : kindIn(row);
        if (kind == null) {
            return Taken.PASSED;
        }
        if (filter != null && !filter.test(kind)) {
            return Taken.IGNORED;
        }
        if (kind.isRetract() && !retractsMerge) {
            return Taken.PASSED;
        }
        InternalRow whole = withDefaults == null ? row : withDefaults.replaceRow(row);
        // The key and the value that it is divided into have no kind; the caller's row keeps its own.
        row.setRowKind(RowKind.INSERT);
        try {
            return merger.put(kind, keys.apply(whole), whole) ? Taken.MERGED : Taken.FULL;
        } finally {
            row.setRowKind(stored);
        }
    }

    /** @return null if it is none of the four, which the writer refuses with what is accepted */
    private @Nullable RowKind kindIn(InternalRow row) {
        String text = row.isNullAt(kindColumn) ? "" : row.getString(kindColumn).toString();
        return switch (text) {
            case "+I" -> RowKind.INSERT;
            case "-U" -> RowKind.UPDATE_BEFORE;
            case "+U" -> RowKind.UPDATE_AFTER;
            case "-D" -> RowKind.DELETE;
            default -> null;
        };
    }

    public boolean isEmpty() {
        return merger.isEmpty();
    }

    /** Hands out the merged rows, which are valid until the next one, and empties the buffer. */
    public void drainTo(Consumer<InternalRow> target) throws IOException {
        if (!merger.isEmpty()) {
            merger.forEach(target);
            merger.clear();
        }
    }

    @Override
    public void close() {
        merger.clear();
    }
}
