/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.apache.paimon.data.BinaryRow;
import org.junit.jupiter.api.Test;

final class PartitionTrafficTest {

    private final PartitionTraffic traffic = new PartitionTraffic(8);
    private final BinaryRow busy = BinaryRow.singleColumn(1);
    private final BinaryRow quiet = BinaryRow.singleColumn(2);

    /** The writers of the two partitions: of {@code of} rows one is the quiet one's. */
    private Set<Integer> busyWriters(int rows, int of, Set<Integer> quietWriters) {
        Set<Integer> busyWriters = new HashSet<>();
        for (int i = 0; i < rows; i++) {
            if (i % of == 0) {
                quietWriters.add(traffic.next(quiet));
            } else {
                busyWriters.add(traffic.next(busy));
            }
        }
        return busyWriters;
    }

    @Test
    void aFewRowsKeepToOneWriter() {
        Set<Integer> quietWriters = new HashSet<>();
        assertThat(busyWriters(1_000, 2, quietWriters)).containsExactly(0);
        assertThat(quietWriters).containsExactly(0);
    }

    @Test
    void aPartitionHasWritersByItsPartOfTheRows() {
        Set<Integer> quietWriters = new HashSet<>();
        assertThat(busyWriters(500_000, 20, quietWriters)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(quietWriters).containsExactly(0);
    }

    @Test
    void whatWasBusyLongAgoIsNot() {
        busyWriters(500_000, 20, new HashSet<>());
        for (int i = 0; i < 8_000_000; i++) {
            traffic.next(quiet);
        }
        Set<Integer> busyWriters = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            busyWriters.add(traffic.next(busy));
        }
        assertThat(busyWriters).containsExactly(0);
    }

    @Test
    void theRowsOfAPartitionSpreadEvenlyOverItsWriters() {
        int[] rows = new int[8];
        for (int i = 0; i < 1_000_000; i++) {
            int writer = traffic.next(busy);
            if (i >= 200_000) {
                rows[writer]++;
            }
        }
        assertThat(rows).containsOnly(100_000);
    }
}
