/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.paimon.catalog.FileSystemCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.memory.MemorySegment;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ManagedWriteBufferTest {

    private static final int PAGE = MemoryManager.DEFAULT_PAGE_SIZE;

    @TempDir
    Path folder;

    private final MemoryManager memory = MemoryManager.create(10L * PAGE, PAGE);
    private StoreTable table;

    @BeforeEach
    void createTable() throws Exception {
        FileSystemCatalog catalog =
                new FileSystemCatalog(LocalFileIO.create(), new org.apache.paimon.fs.Path(folder.toUri()));
        catalog.createDatabase("db", true);
        Identifier name = Identifier.create("db", "t");
        Schema schema = Schema.newBuilder()
                .column("id", DataTypes.INT())
                .column("v", DataTypes.STRING())
                .primaryKey("id")
                .options(Map.of("bucket", "1", "write-buffer-spillable", "false"))
                .build();
        catalog.createTable(name, schema, false);
        table = StoreTable.of("p.db.t", catalog.getTable(name));
    }

    @AfterEach
    void nothingIsLeftInUse() {
        assertThat(memory.verifyEmpty()).isTrue();
        memory.shutdown();
    }

    @Test
    void takesPagesAsTheyAreNeededAndNoMoreThanItsShare() throws Exception {
        try (ManagedWriteBuffer buffer = ManagedWriteBuffer.open(table, memory, 7L * PAGE + 5, 2)) {
            assertThat(buffer.freePages()).isEqualTo(3);
            assertThat(memory.availableMemory()).isEqualTo(10L * PAGE);
            List<MemorySegment> pages = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                MemorySegment page = buffer.nextSegment();
                assertThat(page).isNotNull();
                page.putLong(PAGE - 8, i);
                pages.add(page);
            }
            assertThat(buffer.nextSegment()).isNull();
            assertThat(memory.availableMemory()).isEqualTo(7L * PAGE);
            assertThat(pages.get(2).getLong(PAGE - 8)).isEqualTo(2);

            buffer.returnAll(List.of(pages.get(0)));
            assertThat(buffer.freePages()).isOne();
            assertThat(buffer.nextSegment()).isSameAs(pages.get(0));
        }
    }

    @Test
    void holdsTheRowsOfAWriterThatFlushesWhenItIsFull() throws Exception {
        try (ManagedWriteBuffer buffer = ManagedWriteBuffer.open(table, memory, 4L * PAGE, 1);
                TableWriter writer = TableWriter.open(
                        table,
                        "user",
                        new String[] {folder.resolve("tmp").toString()},
                        false,
                        buffer,
                        new UnregisteredMetricsGroup())) {
            for (int id = 0; id < 5_000; id++) {
                writer.write(GenericRow.of(id, BinaryString.fromString("a value of some length " + id)), 0);
            }
            assertThat(memory.availableMemory()).isEqualTo(6L * PAGE);
            List<CommitMessage> files = writer.prepareCommit(true, 1);
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void aWriterThatIsNotClosedFirstLosesItsPagesAllTheSame() throws Exception {
        ManagedWriteBuffer buffer = ManagedWriteBuffer.open(table, memory, 4L * PAGE, 1);
        assertThat(buffer.nextSegment()).isNotNull();
        buffer.close();
        buffer.close();
        assertThat(memory.availableMemory()).isEqualTo(10L * PAGE);
    }

    @Test
    void aShareOfTwoPagesIsRefused() {
        assertThatThrownBy(() -> ManagedWriteBuffer.open(table, memory, 5L * PAGE, 2))
                .isInstanceOf(WriteFailedException.class)
                .hasMessageContaining("163840 bytes (of 327680), for 2 buffer(s) of at least 98304 bytes");
    }
}
