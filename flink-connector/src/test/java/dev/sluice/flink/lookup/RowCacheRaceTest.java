/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.junit.jupiter.api.Test;

/**
 * Runs the steps of threads that load answers and of one that follows snapshots in every order there is, one step at a
 * time. Whatever the order: once a snapshot is followed, no probe that begins gets an older value of the key.
 */
final class RowCacheRaceTest {

    private static final BinaryRowData KEY = RowCacheTest.row(7);

    /** One way in which the steps of several threads may follow each other. */
    private static List<List<Integer>> orders(int... stepsOfThreads) {
        List<List<Integer>> orders = new ArrayList<>();
        extend(stepsOfThreads.clone(), new ArrayList<>(), orders);
        return orders;
    }

    private static void extend(int[] left, List<Integer> begun, List<List<Integer>> orders) {
        boolean done = true;
        for (int thread = 0; thread < left.length; thread++) {
            if (left[thread] > 0) {
                done = false;
                left[thread]--;
                begun.add(thread);
                extend(left, begun, orders);
                begun.remove(begun.size() - 1);
                left[thread]++;
            }
        }
        if (done) {
            orders.add(List.copyOf(begun));
        }
    }

    /** What is read: the newest version, and the last that was wholly followed. */
    private static final class World {
        private final RowCache cache = new RowCache(10, null, () -> 0);
        private final AtomicInteger version = new AtomicInteger();
        private int followed;
    }

    private interface Actor {
        /** @return how many steps it takes */
        int steps();

        void step(int number, World world);
    }

    /** Notes the generation, reads, puts in; then probes and checks. */
    private static final class Loader implements Actor {
        private long generation;
        private int read;

        @Override
        public int steps() {
            return 4;
        }

        @Override
        public void step(int number, World world) {
            switch (number) {
                case 0 -> generation = world.cache.generation();
                case 1 -> read = world.version.get();
                case 2 -> world.cache.put(KEY, List.of(RowCacheTest.row(read)), generation);
                default -> check(world);
            }
        }

        private static void check(World world) {
            Collection<RowData> cached = world.cache.get(KEY);
            if (cached != null) {
                assertThat(cached.iterator().next().getInt(0)).isGreaterThanOrEqualTo(world.followed);
            }
        }
    }

    /** Follows two snapshots, each of which changes the key. */
    private static final class Follower implements Actor {
        @Override
        public int steps() {
            return 6;
        }

        @Override
        public void step(int number, World world) {
            switch (number % 3) {
                case 0 -> world.version.incrementAndGet();
                case 1 -> world.cache.beginGeneration();
                default -> {
                    world.cache.evict(KEY);
                    world.followed = world.version.get();
                }
            }
        }
    }

    private static List<Actor> actors() {
        return List.of(new Loader(), new Loader(), new Follower());
    }

    @Test
    void noOrderOfStepsKeepsAnOldAnswer() {
        List<List<Integer>> orders =
                orders(actors().stream().mapToInt(Actor::steps).toArray());
        assertThat(orders).hasSize(210_210);
        for (List<Integer> order : orders) {
            World world = new World();
            List<Actor> actors = actors();
            int[] next = new int[actors.size()];
            for (int thread : order) {
                actors.get(thread).step(next[thread]++, world);
            }
            Loader.check(world);
        }
    }

    /** The test would notice: with the two steps of the follower turned round, an order exists that keeps an old answer. */
    @Test
    void evictingBeforeTheViewMovesWouldBeSeen() {
        World world = new World();
        Loader loader = new Loader();
        world.cache.beginGeneration();
        world.cache.evict(KEY);
        loader.step(0, world);
        loader.step(1, world);
        loader.step(2, world);
        world.followed = world.version.incrementAndGet();
        Collection<RowData> cached = world.cache.get(KEY);
        assertThat(cached).isNotNull();
        assertThat(cached.iterator().next().getInt(0)).isLessThan(world.followed);
    }
}
