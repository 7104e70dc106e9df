/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RowCacheTest {

    private long now;

    private RowCache cache(int maxRows, @Nullable Duration ttl) {
        return new RowCache(maxRows, ttl, () -> now);
    }

    @Test
    void theKeyThatWasNotUsedForLongestGoes() {
        RowCache cache = cache(3, null);
        put(cache, 1, 10);
        put(cache, 2, 20);
        put(cache, 3, 30);
        assertThat(cache.get(row(1))).isNotNull();
        put(cache, 4, 40);
        assertThat(cache.get(row(2))).isNull();
        assertThat(cache.get(row(1))).containsExactly(row(10));
        assertThat(cache.get(row(3))).containsExactly(row(30));
        assertThat(cache.get(row(4))).containsExactly(row(40));
        assertThat(cache.rows()).isEqualTo(3);
    }

    @Test
    void aKeyWithoutRowsIsAnAnswerAndCountsAsARow() {
        RowCache cache = cache(2, null);
        put(cache, 1);
        assertThat(cache.get(row(1))).isEmpty();
        assertThat(cache.rows()).isEqualTo(1);
        put(cache, 2);
        put(cache, 3);
        assertThat(cache.rows()).isEqualTo(2);
        assertThat(cache.get(row(1))).isNull();
    }

    @Test
    void eachRowOfAKeyCountsAndAKeyWithTooManyIsNotKept() {
        RowCache cache = cache(4, null);
        put(cache, 1, 10, 11, 12);
        put(cache, 2, 20, 21);
        assertThat(cache.get(row(1))).isNull();
        assertThat(cache.rows()).isEqualTo(2);
        put(cache, 3, 1, 2, 3, 4, 5);
        assertThat(cache.get(row(3))).isNull();
        assertThat(cache.get(row(2))).hasSize(2);
    }

    @Test
    void anAnswerIsForgottenWhenItsTimeIsUpHoweverOftenItIsUsed() {
        RowCache cache = cache(10, Duration.ofNanos(100));
        put(cache, 1, 10);
        now = 99;
        assertThat(cache.get(row(1))).isNotNull();
        now = 100;
        assertThat(cache.get(row(1))).isNull();
        assertThat(cache.rows()).isZero();
    }

    @Test
    void neverHoldsMoreThanAllowedInStripes() {
        RowCache cache = cache(5000, null);
        for (int key = 0; key < 20_000; key++) {
            put(cache, key, key);
        }
        assertThat(cache.rows()).isLessThanOrEqualTo(5000).isGreaterThan(4000);
        assertThat(cache.bytes()).isGreaterThan(cache.rows() * 32);
        cache.clear();
        assertThat(cache.rows()).isZero();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void anAnswerFromBeforeTheGenerationIsNotKept() {
        RowCache cache = cache(10, null);
        long before = cache.generation();
        cache.beginGeneration();
        cache.put(row(1), List.of(row(10)), before);
        assertThat(cache.get(row(1))).isNull();
        cache.put(row(1), List.of(row(10)), cache.generation());
        assertThat(cache.get(row(1))).isNotNull();
        cache.evict(row(1));
        assertThat(cache.get(row(1))).isNull();
        assertThat(cache.bytes()).isZero();
    }

    static BinaryRowData row(int value) {
        BinaryRowData row = new BinaryRowData(1);
        BinaryRowWriter writer = new BinaryRowWriter(row);
        writer.writeInt(0, value);
        writer.complete();
        return row;
    }

    private static void put(RowCache cache, int key, int... rows) {
        Collection<RowData> values =
                Arrays.stream(rows).mapToObj(value -> (RowData) row(value)).toList();
        cache.put(row(key), values, cache.generation());
    }
}
