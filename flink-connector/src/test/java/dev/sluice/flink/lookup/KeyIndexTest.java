/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.types.logical.BigIntType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyIndexTest {

    private static final int KEYS = 20_000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void findsWhatEachKeyHadLastInMemoryAndInFiles(boolean inFiles) throws IOException {
        Spill spill =
                inFiles ? new DiskSpill("t", folder.resolve("own"), 1 << 12, 1 << 12, Long.MAX_VALUE) : Spill.NONE;
        Pages pages = new Pages("t", 1, spill);
        KeyIndex index = index(pages, spill);
        Map<Long, Integer> expected = new HashMap<>();
        Random random = new Random(5);
        for (int i = 0; i < 5 * KEYS; i++) {
            long id = random.nextInt(KEYS);
            BinaryRowData key = key(id);
            if (random.nextInt(3) == 0) {
                index.set(key, key.hashCode(), KeyIndex.NOTHING);
                expected.remove(id);
            } else {
                int address = pages.append(key);
                index.set(key, key.hashCode(), address);
                expected.put(id, address);
            }
        }
        for (long id = 0; id < 2 * KEYS; id++) {
            BinaryRowData key = key(id);
            assertThat(index.find(key, key.hashCode()))
                    .as("key %s", id)
                    .isEqualTo(expected.getOrDefault(id, KeyIndex.NOTHING));
        }
        assertThat(index.keys()).isEqualTo(expected.size());
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).as("the files are only mapped").isEmpty();
        }
    }

    @Test
    void anIndexThatNeitherMemoryNorDiskHasRoomForSaysWhichOptionsBoundIt() throws IOException {
        Spill spill = new DiskSpill("c.d.t", folder, 1 << 16, 1 << 10, 1 << 20);
        Pages pages = new Pages("c.d.t", 1, Spill.NONE);
        KeyIndex index = index(pages, spill);
        assertThatThrownBy(() -> {
                    for (long id = 0; ; id++) {
                        BinaryRowData key = key(id);
                        index.set(key, key.hashCode(), pages.append(key));
                    }
                })
                .hasMessageStartingWith("Table c.d.t needs more room for a lookup join than"
                        + " 'lookup.cache-max-memory-size' (65536 bytes) and 'lookup.cache-max-disk-size'"
                        + " (1048576 bytes)");
        assertThat(index.keys())
                .as("half of the room, since the next one is made from it")
                .isGreaterThan(40_000);
    }

    @Test
    void anIndexOfTheSameSizeTakesTheRoomOfTheOneBefore() throws IOException {
        Spill spill = new DiskSpill("t", folder, 1 << 10, 1 << 10, 1 << 16);
        Pages pages = new Pages("t", 1, Spill.NONE);
        KeyIndex index = index(pages, spill);
        // Few keys at a time, so that the index is made anew again and again but never larger.
        for (long id = 0; id < 100_000; id++) {
            BinaryRowData key = key(id);
            index.set(key, key.hashCode(), pages.append(key));
            BinaryRowData old = key(id - 500);
            index.set(old, old.hashCode(), KeyIndex.NOTHING);
        }
        assertThat(index.keys()).isEqualTo(500);
    }

    private static KeyIndex index(Pages pages, Spill spill) {
        return new KeyIndex(
                spill == Spill.NONE ? "t" : "c.d.t",
                pages,
                new KeyLayout(List.of(new BigIntType()), List.of(0)),
                spill);
    }

    private static BinaryRowData key(long id) {
        BinaryRowData key = new BinaryRowData(1);
        BinaryRowWriter writer = new BinaryRowWriter(key);
        writer.writeLong(0, id);
        writer.complete();
        return key;
    }
}
