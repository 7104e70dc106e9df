/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.resolve.OptionResolver.Use;
import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.settings.WriterResources;
import java.util.Map;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paimon's page on running Flink jobs: managed memory, slots of writers and committer, dynamic options. */
final class RuntimeDocumentTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sink.use-managed-memory-allocator | true   |
            sink.managed.writer-buffer-memory | 256 mb | sink.use-managed-memory-allocator=true
            sink.writer-memory                | 512 mb |
            sink.writer-managed-memory        | 1 gb   | sink.writer-memory=512 mb
            sink.writer-cpu                   | 0.5    | sink.writer-memory=512 mb
            sink.committer-memory             | 512 mb |
            sink.committer-cpu                | 2      | sink.committer-memory=512 mb
            sink.committer-operator-chaining  | false  |
            """)
    void aGoodValueIsAccepted(String key, String value, String with) {
        DocumentRow.accepted("WRITE", key, value, with);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sink.use-managed-memory-allocator | 1    | | accepted is true or false
            sink.managed.writer-buffer-memory | 0 mb | | accepted is a size above 0
            sink.writer-memory         | 0      | | accepted is a size above 0
            sink.writer-memory         | much   | | accepted is a size above 0
            sink.writer-managed-memory | 0      | sink.writer-memory=512 mb | accepted is a size above 0
            sink.writer-managed-memory | 1 gb   | | it needs 'sink.writer-memory': only an explicit size makes the slot sharing group
            sink.writer-cpu            | 2      | | it needs 'sink.writer-memory'
            sink.writer-cpu            | 0      | sink.writer-memory=512 mb | accepted is a number above 0
            sink.writer-cpu            | NaN    | sink.writer-memory=512 mb | accepted is a number above 0
            sink.committer-cpu         | 2      | | it needs 'sink.committer-memory'
            sink.committer-memory      | -1     | | accepted is a size above 0
            """)
    void aBadValueIsRefused(String key, String value, String with, String message) {
        DocumentRow.refused("WRITE", key, value, with, message);
    }

    @Test
    void theManagedBudgetMakesAWriterGroupAndDoesNotSwitchTheAllocatorOn() {
        WriterResources resources = WriteSettings.from(
                        write(Map.of(), Map.of("sink.writer-memory", "512 mb", "sink.writer-managed-memory", "1 gb"))
                                .toConfiguration())
                .resources();

        assertThat(resources.managedMemory()).isFalse();
        assertThat(resources.committerSlots()).isNull();
        assertThat(resources.writerSlots())
                .isEqualTo(new WriterResources.Slots(1.0, MemorySize.parse("512 mb"), MemorySize.parse("1 gb")));
    }

    @Test
    void aWeightWithoutTheAllocatorIsAWarning() {
        ResolvedOptions resolved = write(Map.of(), Map.of("sink.managed.writer-buffer-memory", "1 gb"));

        assertThat(resolved.warnings())
                .anySatisfy(warning -> assertThat(warning.words())
                        .contains("it has no effect while 'sink.use-managed-memory-allocator' is false"));
    }

    @Test
    void theSessionsGlobalValueIsOverriddenForSelectedTablesAndResetUndoesBoth() {
        TableFacts table = Tables.named("mycatalog", "default", "T");
        String key = "scan.timestamp-millis";
        String selected = "paimon.mycatalog.default.T." + key;
        String anyCatalog = "paimon.*.default.T." + key;

        assertThat(read(table, Map.of(key, "1697018249001", selected, "1697018249000")))
                .containsEntry(key, "1697018249000");
        assertThat(read(table, Map.of(key, "1697018249001"))).containsEntry(key, "1697018249001");
        assertThat(read(table, Map.of())).isEmpty();
        assertThat(read(table, Map.of(anyCatalog, "1697018249000"))).containsEntry(key, "1697018249000");
        assertThat(read(Tables.named("mycatalog", "default", "U"), Map.of(anyCatalog, "1")))
                .isEmpty();
    }

    @Test
    void whatASessionSetsForSelectedTablesIsCheckedOnlyForThem() {
        Map<String, String> session = Map.of("paimon.*.*.U.no.such.option", "1");

        assertThat(read(Tables.named("c", "d", "T"), session)).isEmpty();
        assertThatThrownBy(() -> read(Tables.named("c", "d", "U"), session))
                .isInstanceOf(OptionException.class)
                .hasMessageContaining("no option has this key");
    }

    private static Map<String, String> read(TableFacts table, Map<String, String> session) {
        return OptionResolver.resolve(table, Map.of(), session, Map.of(), Use.READ)
                .toMap();
    }

    private static ResolvedOptions write(Map<String, String> session, Map<String, String> hint) {
        return OptionResolver.resolve(Tables.keyed(Map.of()), Map.of(), session, hint, Use.WRITE);
    }
}
