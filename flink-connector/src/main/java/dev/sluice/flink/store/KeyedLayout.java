/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.KeyValueFileStore;
import org.apache.paimon.bucket.BucketFunction;
import org.apache.paimon.codegen.CodeGenUtils;
import org.apache.paimon.codegen.Projection;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.mergetree.Levels;
import org.apache.paimon.mergetree.LookupUtils;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.utils.ProjectedRow;
import org.jspecify.annotations.Nullable;

/** Which sorted files a primary-key table has at one snapshot, and which of them may hold a key. Immutable. */
public final class KeyedLayout {

    private final Routing routing;
    private final Map<Slice, SliceFiles> slices;
    private final Map<BinaryRow, Integer> bucketsOfPartition;

    /** What looks for a key in one file. */
    @FunctionalInterface
    public interface Search<T> {
        /** @return what the file says about the key, be it deleted; null if it says nothing */
        @Nullable
        T in(SortedFile file) throws IOException;
    }

    private KeyedLayout(Routing routing, Map<Slice, SliceFiles> slices, Map<BinaryRow, Integer> bucketsOfPartition) {
        this.routing = routing;
        this.slices = slices;
        this.bucketsOfPartition = bucketsOfPartition;
    }

    /** @param keyPositions where a search's key has the columns of the primary key, in its order */
    static KeyedLayout empty(FileStoreTable store, int[] keyPositions) {
        return new KeyedLayout(new Routing(store, keyPositions), Map.of(), Map.of());
    }

    /** @param splits one or more for each bucket, each with other files */
    static KeyedLayout of(FileStoreTable store, int[] keyPositions, List<DataSplit> splits) {
        Routing routing = new Routing(store, keyPositions);
        Map<Slice, List<DataFileMeta>> files = new HashMap<>();
        Map<BinaryRow, Integer> buckets = new HashMap<>();
        for (DataSplit split : splits) {
            files.computeIfAbsent(new Slice(split.partition(), split.bucket()), unused -> new ArrayList<>())
                    .addAll(split.dataFiles());
            buckets.put(split.partition(), routing.buckets(split.totalBuckets()));
        }
        Map<Slice, SliceFiles> slices = new HashMap<>();
        files.forEach((slice, present) -> slices.put(slice, new SliceFiles(slice, routing.levels(present))));
        return new KeyedLayout(routing, slices, buckets);
    }

    /** @param changes in order */
    KeyedLayout with(List<IncrementalSplit> changes) {
        Map<Slice, List<DataFileMeta>> files = new HashMap<>();
        Map<BinaryRow, Integer> buckets = new HashMap<>(bucketsOfPartition);
        for (IncrementalSplit change : changes) {
            Slice slice = new Slice(change.partition(), change.bucket());
            List<DataFileMeta> present = files.computeIfAbsent(slice, changed -> files(changed));
            Set<String> gone = new HashSet<>();
            change.beforeFiles().forEach(file -> gone.add(file.fileName()));
            present.removeIf(file -> gone.contains(file.fileName()));
            present.addAll(change.afterFiles());
            buckets.put(change.partition(), routing.buckets(change.totalBuckets()));
        }
        Map<Slice, SliceFiles> changed = new HashMap<>(slices);
        files.forEach((slice, present) -> {
            if (present.isEmpty()) {
                changed.remove(slice);
            } else {
                changed.put(slice, new SliceFiles(slice, routing.levels(present)));
            }
        });
        return new KeyedLayout(routing, changed, buckets);
    }

    private List<DataFileMeta> files(Slice slice) {
        SliceFiles present = slices.get(slice);
        return present == null ? new ArrayList<>() : present.levels.allFiles();
    }

    /** The names of all files. */
    public Set<String> names() {
        Set<String> names = new HashSet<>();
        slices.values().forEach(slice -> slice.levels.allFiles().forEach(file -> names.add(file.fileName())));
        return names;
    }

    /** The names of a bucket's files. */
    public List<String> namesOf(Slice slice) {
        return files(slice).stream().map(DataFileMeta::fileName).toList();
    }

    /** How many rows the files have together, older versions and deletions included. */
    public long rows() {
        return slices.values().stream()
                .flatMap(slice -> slice.levels.allFiles().stream())
                .mapToLong(DataFileMeta::rowCount)
                .sum();
    }

    /**
     * Asks one file after the other, the newest first, until one knows the key. Safe for several threads.
     *
     * @param key the key's columns in the order given at opening, none NULL
     */
    public <T> @Nullable T find(InternalRow key, Search<T> search) throws IOException {
        InternalRow primaryKey = ProjectedRow.from(routing.keyPositions).replaceRow(key);
        KeyParts parts = routing.keyParts.get();
        BinaryRow partition = parts.partition().apply(primaryKey);
        Integer buckets = bucketsOfPartition.get(partition);
        if (buckets == null) {
            return null;
        }
        int bucket = routing.bucketFunction.bucket(parts.bucketKey().apply(primaryKey), buckets);
        SliceFiles files = slices.get(new Slice(partition, bucket));
        if (files == null) {
            return null;
        }
        InternalRow trimmed = ProjectedRow.from(routing.trimmedKey).replaceRow(primaryKey);
        return LookupUtils.lookup(
                files.levels,
                trimmed,
                0,
                (target, run) -> LookupUtils.lookup(
                        parts.order(), target, run, (unused, file) -> search.in(new SortedFile(files.slice, file))),
                (target, level0) -> LookupUtils.lookupLevel0(
                        parts.order(), target, level0, (unused, file) -> search.in(new SortedFile(files.slice, file))));
    }

    private record SliceFiles(Slice slice, Levels levels) {}

    private record KeyParts(Projection partition, Projection bucketKey, Comparator<InternalRow> order) {}

    /** Which bucket a key is in, and the order of keys. */
    private static final class Routing {

        private final KeyValueFileStore store;
        private final TableSchema schema;
        private final int levels;
        private final BucketFunction bucketFunction;
        private final int[] keyPositions;
        private final int[] trimmedKey;

        /** The generated projections reuse the row they return. */
        private final ThreadLocal<KeyParts> keyParts = ThreadLocal.withInitial(this::newKeyParts);

        private Routing(FileStoreTable table, int[] keyPositions) {
            this.store = (KeyValueFileStore) table.store();
            this.schema = table.schema();
            this.levels = table.coreOptions().numLevels();
            this.bucketFunction = BucketFunction.create(table.coreOptions(), schema.logicalBucketKeyType());
            this.keyPositions = keyPositions;
            this.trimmedKey = positionsInKey(schema.trimmedPrimaryKeys());
        }

        private int[] positionsInKey(List<String> names) {
            return names.stream().mapToInt(schema.primaryKeys()::indexOf).toArray();
        }

        private KeyParts newKeyParts() {
            return new KeyParts(
                    CodeGenUtils.newProjection(schema.logicalPrimaryKeysType(), positionsInKey(schema.partitionKeys())),
                    CodeGenUtils.newProjection(schema.logicalPrimaryKeysType(), positionsInKey(schema.bucketKeys())),
                    store.newKeyComparator());
        }

        /** Files of old versions do not tell; those tables never had another number. */
        private int buckets(@Nullable Integer told) {
            return told == null ? schema.numBuckets() : told;
        }

        private Levels levels(List<DataFileMeta> files) {
            return new Levels(store.newKeyComparator(), files, levels);
        }
    }
}
