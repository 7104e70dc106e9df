/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static dev.sluice.flink.lookup.EngineTable.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.lookup.EngineTable.Columns;
import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.store.StoreTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowKind;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random changes to a table while threads probe it. Every answer must be what its key had at one of the snapshots from
 * the one that the view had followed when the probe began to the newest when it ended; with a time to live and no
 * invalidation, from the one followed that long before.
 */
final class ProbesUnderChangesTest {

    private static final int IDS = 12;
    private static final int COMMITS_BETWEEN_CATCHES_UP = 3;
    private static final int COMMITS = 8 * COMMITS_BETWEEN_CATCHES_UP;
    private static final int PROBING_THREADS = 2;
    private static final Duration TTL = Duration.ofMillis(40);

    @TempDir
    Path warehouse;

    /** What the table has at each snapshot, by id; written down before the snapshot can be seen. */
    private final NavigableMap<Long, Map<Integer, Integer>> states = new ConcurrentSkipListMap<>();

    /** By the clock, when a probing thread has first seen that a snapshot was followed. */
    private final NavigableMap<Long, Long> followedAt = new ConcurrentSkipListMap<>();

    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong failedProbes = new AtomicLong();

    private final FailingStorage storage = new FailingStorage();

    /** Failures that lie ahead of a commit's readers: fewer between two catches-up than a refresher bears in a row. */
    private int failuresOfManifests;

    @ParameterizedTest
    @CsvSource({
        "100 mb, 0, false, false",
        "100 mb, 0, false, true",
        "1 kb, 0, false, false",
        "1 kb, 8, false, false",
        "1 kb, 100, false, true",
        "1 kb, 100, true, false",
        "1 kb, 100, true, true"
    })
    void answersAreLegal(String memory, int cachedRows, boolean onlyTtl, boolean failing) throws Exception {
        var schema = new Columns()
                .column("id", DataTypes.INT())
                .column("v", DataTypes.INT())
                .option("bucket", "2")
                .keyed("id");
        try (EngineTable table = new EngineTable(warehouse, schema)) {
            Map<Integer, Integer> model = new HashMap<>();
            Random random = new Random(cachedRows * 31L + (failing ? 1 : 0) + (onlyTtl ? 7 : 0));
            commit(table, model, random);
            Map<String, String> options = new HashMap<>(
                    Map.of("lookup.cache-max-memory-size", memory, "lookup.continuous.discovery-interval", "1 h"));
            if (cachedRows > 0) {
                options.put("lookup.cache.max-rows", Integer.toString(cachedRows));
            }
            if (onlyTtl) {
                options.put("lookup.cache.ttl", TTL.toMillis() + " ms");
                options.put("lookup.cache.invalidation", "false");
            }
            StoreTable seen = table.asSeenThrough(storage, options);
            LookupSpec spec = new LookupSpec(
                    seen, List.of(0, 1), List.of(0), List.of(), LookupSettings.from(Configuration.fromMap(options)));
            try (SharedView view = new ViewChoice(spec, warehouse).open(null)) {
                run(table, model, random, view, failing, onlyTtl ? TTL : Duration.ZERO);
                assertThat(view.refresher().failures() > 0).isEqualTo(failing);
            }
        }
        assertThat(answers).hasPositiveValue();
        assertThat(storage.failedManifests()).isEqualTo(failuresOfManifests);
        assertThat(storage.failedData() > 0).isEqualTo(failing);
        if (!failing) {
            assertThat(failedProbes).hasValue(0);
        }
    }

    private void run(
            EngineTable table,
            Map<Integer, Integer> model,
            Random random,
            SharedView view,
            boolean failing,
            Duration mayBeOlder)
            throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> running = new ArrayList<>();
        running.add(threads.submit(() -> refresh(view.refresher(), done)));
        for (int i = 0; i < PROBING_THREADS; i++) {
            int seed = i;
            running.add(threads.submit(() -> probe(view, done, new Random(seed), mayBeOlder)));
        }
        try {
            for (int i = 0; i < COMMITS; i++) {
                if (failing) {
                    int ofManifests = 1 + i % COMMITS_BETWEEN_CATCHES_UP;
                    storage.fail(ofManifests, i % 2);
                    failuresOfManifests += ofManifests;
                }
                commit(table, model, random);
                long committed = table.latestSnapshot();
                if (i % COMMITS_BETWEEN_CATCHES_UP == COMMITS_BETWEEN_CATCHES_UP - 1) {
                    // Now and then the view catches up, so that not only the end is compared.
                    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
                        failIfOneHas(running);
                        return view.refresher().watch().followedSnapshot() >= committed;
                    });
                }
            }
        } finally {
            done.set(true);
            threads.shutdown();
        }
        for (Future<?> each : running) {
            each.get();
        }
    }

    private static void failIfOneHas(List<Future<?>> running) throws Exception {
        for (Future<?> each : running) {
            if (each.isDone()) {
                each.get();
            }
        }
    }

    /** In place of the refresher's own thread, which would wait between two attempts. */
    private static void refresh(Refresher refresher, AtomicBoolean done) {
        while (!done.get()) {
            assertThat(refresher.attempt()).as("whether the refresher goes on").isNotNull();
            Thread.onSpinWait();
        }
    }

    private void commit(EngineTable table, Map<Integer, Integer> model, Random random) throws Exception {
        List<InternalRow> rows = new ArrayList<>();
        Set<Integer> ids = new HashSet<>();
        int size = 1 + random.nextInt(4);
        while (ids.size() < size) {
            ids.add(random.nextInt(IDS));
        }
        for (int id : ids) {
            if (random.nextInt(4) == 0) {
                model.remove(id);
                rows.add(row(RowKind.DELETE, id, 0));
            } else {
                int value = random.nextInt(1_000_000);
                model.put(id, value);
                rows.add(row(id, value));
            }
        }
        states.put(table.latestSnapshot() + 1, Map.copyOf(model));
        InternalRow[] written = rows.toArray(InternalRow[]::new);
        if (random.nextInt(4) == 0) {
            table.writeAndCompact(written);
        } else {
            table.write(written);
        }
    }

    private void probe(SharedView view, AtomicBoolean done, Random random, Duration mayBeOlder) {
        KeyEncoder encoder = new KeyEncoder(List.of(new IntType()), List.of(0));
        while (!done.get()) {
            int id = random.nextInt(IDS);
            BinaryRowData key = Objects.requireNonNull(encoder.encode(GenericRowData.of(id)));
            long start = System.nanoTime();
            long followed = view.refresher().watch().followedSnapshot();
            followedAt.putIfAbsent(followed, System.nanoTime());
            long from = mayBeOlder.isZero() ? followed : followedBefore(start - mayBeOlder.toNanos());
            Integer answer;
            try {
                view.refresher().check();
                Collection<RowData> cached = view.view().getIfCached(key);
                answer = value(cached == null ? view.view().get(key) : cached);
            } catch (IOException e) {
                failedProbes.incrementAndGet();
                continue;
            }
            check(id, answer, from);
            answers.incrementAndGet();
            Thread.onSpinWait();
        }
    }

    private long followedBefore(long time) {
        long newest = states.firstKey();
        for (Map.Entry<Long, Long> each : followedAt.entrySet()) {
            if (each.getValue() - time <= 0) {
                newest = Math.max(newest, each.getKey());
            }
        }
        return newest;
    }

    private static @Nullable Integer value(Collection<RowData> rows) {
        assertThat(rows.size()).isLessThanOrEqualTo(1);
        return rows.isEmpty() ? null : rows.iterator().next().getInt(1);
    }

    private void check(int id, @Nullable Integer answer, long from) {
        Long first = states.floorKey(from);
        Set<@Nullable Integer> legal = new HashSet<>();
        states.tailMap(first == null ? states.firstKey() : first, true)
                .values()
                .forEach(state -> legal.add(state.get(id)));
        assertThat(legal).as("key %s from snapshot %s", id, from).contains(answer);
    }
}
