/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.IntType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalFilesTest {

    private static final KeyLayout LAYOUT = new KeyLayout(List.of(new IntType()), List.of(0));
    private static final long ROWS = 1000;

    @TempDir
    Path temporary;

    private long now = 1;
    private int copied;

    private LocalFiles files(long mostBytes) throws IOException {
        return new LocalFiles(temporary.resolve("copies"), mostBytes, Duration.ofSeconds(10), () -> now);
    }

    /** A copy with even keys, of which those divisible by four are deleted. */
    private LocalRows acquire(LocalFiles files, String name) throws IOException {
        return files.acquire(name, target -> {
            copied++;
            try (LocalRows.Writer writer = new LocalRows.Writer(target, 1, ROWS)) {
                for (int key = 0; key < ROWS * 2; key += 2) {
                    writer.add(RowCacheTest.row(key), RowCacheTest.row(key), key % 4 != 0);
                }
                return writer.finish();
            }
        });
    }

    private BinaryRowData find(LocalRows rows, int key) {
        LocalRows.Found found = rows.find(RowCacheTest.row(key), LAYOUT, now);
        return found == null ? null : found.row();
    }

    @Test
    void findsRowsDeletionsAndNothing() throws IOException {
        LocalFiles files = files(Long.MAX_VALUE);
        LocalRows rows = acquire(files, "a");
        for (int key = 0; key < ROWS * 2; key++) {
            LocalRows.Found found = rows.find(RowCacheTest.row(key), LAYOUT, now);
            if (key % 2 == 1) {
                assertThat(found).isNull();
            } else if (key % 4 == 0) {
                assertThat(found).isEqualTo(LocalRows.Found.DELETION);
            } else {
                assertThat(found).isEqualTo(new LocalRows.Found(RowCacheTest.row(key)));
            }
        }
        rows.release();
        files.close();
        assertNothingLeft();
    }

    @Test
    void copiesOnceAndMakesRoomByDroppingWhatWasNotUsedForLongest() throws IOException {
        LocalFiles probe = files(Long.MAX_VALUE);
        LocalRows one = acquire(probe, "size");
        long size = one.bytes();
        one.release();
        probe.close();
        copied = 0;

        LocalFiles files = files(2 * size);
        acquire(files, "a").release();
        now += Duration.ofSeconds(2).toNanos();
        acquire(files, "b").release();
        now += Duration.ofSeconds(2).toNanos();
        LocalRows again = acquire(files, "a");
        find(again, 2);
        again.release();
        assertThat(copied).isEqualTo(2);
        acquire(files, "c").release();
        assertThat(files.has("b")).isFalse();
        assertThat(files.has("a")).isTrue();
        assertThat(files.bytes()).isEqualTo(2 * size);
        files.close();
        assertNothingLeft();
    }

    @Test
    void aCopyInUseOutlivesItsDropping() throws IOException {
        LocalFiles files = files(Long.MAX_VALUE);
        LocalRows rows = acquire(files, "a");
        files.retain(Set.of());
        assertThat(files.has("a")).isFalse();
        assertThat(find(rows, 2)).isEqualTo(RowCacheTest.row(2));
        rows.release();
        assertThat(rows.acquire()).isFalse();
        files.close();
        assertNothingLeft();
    }

    @Test
    void dropsWhatNobodyAskedForLong() throws IOException {
        LocalFiles files = files(Long.MAX_VALUE);
        acquire(files, "a").release();
        now += Duration.ofSeconds(11).toNanos();
        acquire(files, "b").release();
        files.retain(Set.of("a", "b"));
        assertThat(files.has("a")).isFalse();
        assertThat(files.has("b")).isTrue();
        files.close();
    }

    @Test
    void aFailedCopyLeavesNothingAndIsTriedAgain() throws IOException {
        LocalFiles files = files(Long.MAX_VALUE);
        assertThatThrownBy(() -> files.acquire("a", target -> {
                    throw new IOException("storage is gone");
                }))
                .hasMessage("storage is gone");
        assertThat(find(acquire(files, "a"), 2)).isEqualTo(RowCacheTest.row(2));
        files.close();
        assertThatThrownBy(() -> acquire(files, "b")).hasMessage("The lookup join's local files are closed.");
    }

    private void assertNothingLeft() throws IOException {
        try (Stream<Path> left = Files.walk(temporary)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }
}
