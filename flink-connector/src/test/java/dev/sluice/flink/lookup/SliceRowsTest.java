/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SliceRowsTest {

    @Test
    void givesBackAddressesInTheirOrderHoweverFarApart() {
        Random random = new Random(3);
        List<Integer> expected = new ArrayList<>(List.of(Integer.MAX_VALUE, 1, Integer.MAX_VALUE, 2, 2, 0));
        for (int i = 0; i < 10_000; i++) {
            expected.add(random.nextInt() >>> (1 + random.nextInt(31)));
        }
        SliceRows rows = new SliceRows();
        long grown = rows.bytes();
        for (int address : expected) {
            grown += rows.add(address);
        }
        assertThat(rows.bytes()).isEqualTo(grown);
        assertThat(rows.size()).isEqualTo(expected.size());
        List<Integer> found = new ArrayList<>();
        for (SliceRows.Cursor cursor = rows.cursor(); cursor.hasNext(); ) {
            found.add(cursor.next());
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void rowsBehindEachOtherTakeAByteEach() {
        SliceRows rows = new SliceRows();
        for (int i = 0; i < 100_000; i++) {
            rows.add(1 + 9 * i);
        }
        assertThat(rows.bytes()).isLessThan(150_010);
    }
}
