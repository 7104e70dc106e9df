/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random changes into one table of each merge engine, by a job that ends at random steps; what a checkpoint has made
 * visible is compared with a map that has seen the same changes. The seed is in every message.
 */
final class RandomStreamsITCase {

    private static final long ROWS = 1_500;
    private static final int KEYS = 60;
    private static final int MOST_STRIKES = 12;

    private static final InternalTypeInfo<RowData> TYPE = InternalTypeInfo.of(RowType.of(
            new LogicalType[] {new BigIntType(false), new BigIntType(), new BigIntType()},
            new String[] {"id", "a", "b"}));

    @TempDir
    Path folder;

    @SuppressWarnings("ImmutableEnumChecker") // the maps are made by Map.of
    private enum Engine {
        DEDUPLICATE(Map.of()),
        PARTIAL_UPDATE(Map.of("merge-engine", "partial-update")),
        AGGREGATION(Map.of(
                "merge-engine",
                "aggregation",
                "fields.a.aggregate-function",
                "sum",
                "fields.b.aggregate-function",
                "max")),
        FIRST_ROW(Map.of("merge-engine", "first-row", "changelog-producer", "lookup")),
        LOOKUP(Map.of("changelog-producer", "lookup")),
        APPEND(Map.of());

        private final Map<String, String> options;

        Engine(Map<String, String> options) {
            this.options = options;
        }

        boolean takesDeletes() {
            return this == DEDUPLICATE || this == LOOKUP;
        }

        /** What a reader sees of a key after one more row. */
        void merge(Map<Long, Long[]> rows, Change change, long index) {
            Long[] before = rows.get(change.id);
            Long[] row = {change.a, change.b};
            switch (this) {
                case DEDUPLICATE, LOOKUP -> {
                    if (change.delete) {
                        rows.remove(change.id);
                    } else {
                        rows.put(change.id, row);
                    }
                }
                case PARTIAL_UPDATE ->
                    rows.put(
                            change.id,
                            before == null ? row : new Long[] {or(change.a, before[0]), or(change.b, before[1])});
                case AGGREGATION ->
                    rows.put(
                            change.id,
                            before == null ? row : new Long[] {sum(before[0], change.a), max(before[1], change.b)});
                case FIRST_ROW -> rows.putIfAbsent(change.id, row);
                case APPEND -> rows.put(index, new Long[] {change.id, change.a, change.b});
            }
        }

        private static Long or(Long value, Long otherwise) {
            return value == null ? otherwise : value;
        }

        private static Long sum(Long one, Long other) {
            return one == null ? other : other == null ? one : Long.valueOf(one + other);
        }

        private static Long max(Long one, Long other) {
            return one == null ? other : other == null ? one : Long.valueOf(Math.max(one, other));
        }
    }

    /** A row that the seed and its number decide. */
    private record Change(long id, Long a, Long b, boolean delete) {

        static Change of(long seed, Engine engine, long index) {
            Random random = new Random(seed * 31 + engine.name().hashCode() * 1_000_003L + index * 7_919L);
            random.nextInt();
            long id = random.nextInt(KEYS);
            Long a = random.nextInt(4) == 0 ? null : Long.valueOf(random.nextInt(100));
            Long b = random.nextInt(4) == 0 ? null : Long.valueOf(random.nextInt(100));
            return new Change(id, a, b, engine.takesDeletes() && random.nextInt(5) == 0);
        }

        RowData row() {
            return GenericRowData.ofKind(delete ? RowKind.DELETE : RowKind.INSERT, id, a, b);
        }
    }

    @Test
    void whatEachCheckpointShowsIsWhatTheMapHolds() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed of " + RandomStreamsITCase.class.getSimpleName() + ": " + seed);
        FileSystemCatalog catalog =
                new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
        AtomicInteger strikes = new AtomicInteger();
        Random luck = new Random(seed);
        try (Cluster cluster = new Cluster(4)) {
            StreamExecutionEnvironment env =
                    cluster.environment(Jobs.streaming(folder, Duration.ofMillis(100), Integer.MAX_VALUE));
            for (Engine engine : Engine.values()) {
                String name = "random_" + engine + seed;
                Sabotage.plan(name, (step, what) -> strikes(luck, strikes));
                attach(env, name, seed, engine, create(catalog, engine));
            }
            env.executeAsync().getJobExecutionResult().get(120, TimeUnit.SECONDS);
        }
        System.out.println("the job was ended " + strikes.get() + " times");
        assertThat(strikes.get()).as("seed %d", seed).isPositive();
        for (Engine engine : Engine.values()) {
            check(seed, engine, (FileStoreTable) catalog.getTable(identifier(engine)));
        }
    }

    private static boolean strikes(Random luck, AtomicInteger strikes) {
        synchronized (luck) {
            return luck.nextInt(80) == 0 && strikes.getAndUpdate(n -> Math.min(MOST_STRIKES, n + 1)) < MOST_STRIKES;
        }
    }

    private static Identifier identifier(Engine engine) {
        return Identifier.create("db", engine.name().toLowerCase(java.util.Locale.ROOT));
    }

    private static FileStoreTable create(FileSystemCatalog catalog, Engine engine) throws Exception {
        Schema.Builder schema = Schema.newBuilder()
                .column("id", DataTypes.BIGINT().notNull())
                .column("a", DataTypes.BIGINT())
                .column("b", DataTypes.BIGINT())
                .options(engine.options);
        if (engine != Engine.APPEND) {
            schema.primaryKey("id").option("bucket", "2");
        }
        catalog.createTable(identifier(engine), schema.build(), false);
        return (FileStoreTable) catalog.getTable(identifier(engine));
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // the rate limiter is generic from Flink 2.1 on only
    private static void attach(
            StreamExecutionEnvironment env, String name, long seed, Engine engine, FileStoreTable stored) {
        RateLimiterStrategy rate = RateLimiterStrategy.perCheckpoint(100);
        DataGeneratorSource<RowData> source = new DataGeneratorSource<>(
                index -> Change.of(seed, engine, index).row(), ROWS, rate, TYPE);
        DataStream<RowData> rows = env.fromSource(source, WatermarkStrategy.noWatermarks(), "changes")
                .setParallelism(1)
                .map(new Sabotage.Gate<RowData>(name))
                .setParallelism(1)
                .returns(TYPE);
        StoreTable table = Sabotage.table(name, StoreTable.of("paimon.db." + engine, stored), stored);
        WriteSettings settings = new WriteSettings(2);
        new SinkTopology(table, settings, true, null, Sabotage.opener(name, table), OperatorUids.of(table, settings))
                .attachTo(rows);
    }

    /**
     * Of the snapshots of one checkpoint the last one counts: rows come first, what compaction makes of them second. Those
     * of a checkpoint that was aborted hold what some of the writers had for it; they are made together with those of the
     * next one.
     */
    private static void check(long seed, Engine engine, FileStoreTable table) throws Exception {
        TreeMap<Long, Snapshot> lastOfCheckpoint = new TreeMap<>();
        Set<String> users = new HashSet<>();
        table.snapshotManager().snapshots().forEachRemaining(one -> {
            lastOfCheckpoint.merge(one.commitIdentifier(), one, (x, y) -> x.id() > y.id() ? x : y);
            users.add(one.commitUser());
        });
        assertThat(users).as("%s, seed %d", engine, seed).hasSize(1);
        assertThat(lastOfCheckpoint).as("%s, seed %d", engine, seed).hasSizeGreaterThan(2);
        Map<Long, Long> covered = Sabotage.Gate.covered("random_" + engine + seed);
        Set<Long> completed = Sabotage.Gate.completed("random_" + engine + seed);
        long last = lastOfCheckpoint.lastKey();
        long newest = 0;
        for (Map.Entry<Long, Snapshot> one : lastOfCheckpoint.entrySet()) {
            newest = covered.getOrDefault(one.getKey(), ROWS);
            if (one.getKey() < last && !completed.contains(one.getKey())) {
                continue;
            }
            assertThat(read(table, one.getValue().id()))
                    .as(
                            "%s, checkpoint %d, snapshot %d, seed %d",
                            engine, one.getKey(), one.getValue().id(), seed)
                    .containsExactlyInAnyOrderElementsOf(expected(seed, engine, newest));
        }
        assertThat(newest).as("%s, seed %d", engine, seed).isEqualTo(ROWS);
    }

    private static List<List<Long>> expected(long seed, Engine engine, long rows) {
        Map<Long, Long[]> model = new HashMap<>();
        for (long index = 0; index < rows; index++) {
            engine.merge(model, Change.of(seed, engine, index), index);
        }
        List<List<Long>> result = new ArrayList<>();
        model.forEach((id, row) -> {
            List<Long> values = new ArrayList<>();
            if (engine != Engine.APPEND) {
                values.add(id);
            }
            values.addAll(java.util.Arrays.asList(row));
            result.add(values);
        });
        return result;
    }

    private static List<List<Long>> read(FileStoreTable table, long snapshot) throws Exception {
        ReadBuilder read =
                table.copy(Map.of("scan.snapshot-id", String.valueOf(snapshot))).newReadBuilder();
        List<List<Long>> rows = new ArrayList<>();
        try (var reader = read.newRead().createReader(read.newScan().plan())) {
            reader.forEachRemaining(row -> {
                List<Long> values = new ArrayList<>();
                for (int field = 0; field < 3; field++) {
                    values.add(value(row, field));
                }
                rows.add(values);
            });
        }
        return rows;
    }

    private static Long value(InternalRow row, int field) {
        return row.isNullAt(field) ? null : Long.valueOf(row.getLong(field));
    }
}
