/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PagesTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givesBackWhatWasAppendedHoweverLong(boolean spills) throws IOException {
        Spill spill = spills
                ? new DiskSpill("t", folder.resolve("own"), Pages.PAGE_BYTES, Pages.PAGE_BYTES, Long.MAX_VALUE)
                : Spill.NONE;
        Pages pages = new Pages("t", 2, spill);
        Random random = new Random(7);
        List<Integer> addresses = new ArrayList<>();
        List<BinaryRowData> rows = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            int length = i % 500 == 499 ? Pages.PAGE_BYTES + random.nextInt(1000) : random.nextInt(3000);
            BinaryRowData row = row(i, "x".repeat(length));
            rows.add(row);
            addresses.add(pages.append(row));
            assertThat(addresses.get(i)).isPositive();
        }
        for (int i = 0; i < rows.size(); i++) {
            BinaryRowData found = pages.row(addresses.get(i));
            assertThat(found).isEqualTo(rows.get(i));
            assertThat(found.getInt(0)).isEqualTo(i);
        }
        assertThat(pages.bytes()).isGreaterThan(4L * Pages.PAGE_BYTES);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void linksMakeListsOfRows() throws IOException {
        Pages pages = new Pages("t", 2, Spill.NONE);
        int first = pages.append(row(1, "a"));
        int second = pages.append(row(2, "b"));
        int third = pages.append(row(3, "c"));
        int list = pages.link(third, pages.link(second, first));
        assertThat(Pages.isLink(list)).isTrue();
        assertThat(pages.row(pages.rowOfLink(list)).getInt(0)).isEqualTo(3);
        int rest = pages.restOfLink(list);
        assertThat(pages.row(pages.rowOfLink(rest)).getInt(0)).isEqualTo(2);
        assertThat(Pages.isLink(pages.restOfLink(rest))).isFalse();
        assertThat(pages.row(pages.restOfLink(rest)).getInt(0)).isEqualTo(1);
    }

    @Test
    void saysWhichOptionsBoundTheRoom() throws IOException {
        Pages pages = new Pages("c.d.t", 2, new DiskSpill("c.d.t", folder, 1 << 20, 1 << 20, 1 << 20));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10; i++) {
                        pages.append(row(i, "x".repeat(600_000)));
                    }
                })
                .hasMessage("Table c.d.t needs more room for a lookup join than 'lookup.cache-max-memory-size' (1048576"
                        + " bytes) and 'lookup.cache-max-disk-size' (1048576 bytes) allow together. Raise one, select"
                        + " fewer columns, or filter the table.");
    }

    private static BinaryRowData row(int id, String text) {
        BinaryRowData row = new BinaryRowData(2);
        BinaryRowWriter writer = new BinaryRowWriter(row);
        writer.writeInt(0, id);
        writer.writeString(1, StringData.fromString(text));
        writer.complete();
        return row;
    }
}
