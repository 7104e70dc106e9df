/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ArgumentsTest {

    @Test
    void withoutAnyRunsTheTourAtTheDefaultScale() {
        assertThat(Arguments.parse()).isEqualTo(new Arguments(0.05, null, false, false, false, List.of()));
    }

    @Test
    void takesAllOfThem() {
        assertThat(Arguments.parse("--scale", "0.1", "--warehouse", "/w", "--ui", "--sql", "a.sql", "b.sql"))
                .isEqualTo(new Arguments(
                        0.1, Path.of("/w"), true, true, false, List.of(Path.of("a.sql"), Path.of("b.sql"))));
        assertThat(Arguments.parse("--help").help()).isTrue();
    }

    @Test
    void saysWhatIsWrongWithAnArgument() {
        assertThatThrownBy(() -> Arguments.parse("--scal", "1"))
                .hasMessage("There is no option --scal. There are --scale, --warehouse, --sql, --ui and --help.");
        assertThatThrownBy(() -> Arguments.parse("--scale"))
                .hasMessage("--scale needs a value after it, such as --scale 0.05.");
        assertThatThrownBy(() -> Arguments.parse("--warehouse", "--ui"))
                .hasMessage("--warehouse needs a value after it, such as --warehouse /tmp/warehouse.");
        assertThatThrownBy(() -> Arguments.parse("--scale", "big"))
                .hasMessage("--scale big is not a number; 0.05 is the default.");
        assertThatThrownBy(() -> Arguments.parse("--scale", "NaN"))
                .hasMessage("--scale NaN is out of range: give 0.001 to 100.");
    }

    @Test
    void makesAWarehouseThatIsMissing(@TempDir Path folder) {
        assertThat(Warehouse.open(folder.resolve("a/b")))
                .isEqualTo(folder.resolve("a/b"))
                .isDirectory();
    }

    @Test
    void refusesAWarehouseThatIsNoWritableFolder(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> Warehouse.open(file))
                .hasMessage("--warehouse " + file + " is a file: give a folder, or a path where one can be made.");
        assertThatThrownBy(() -> Warehouse.open(file.resolve("below")))
                .hasMessageStartingWith("--warehouse " + file.resolve("below") + " cannot be made (");
        assertThatThrownBy(() -> Warehouse.open(Path.of("s3://bucket/w")))
                .hasMessageContaining("is not a local folder. For other file systems write CREATE CATALOG");
    }

    @Test
    void theStatementToOpenTheTablesQuotesThePath() {
        assertThat(Warehouse.createCatalog(Path.of("/tmp/it's here")))
                .isEqualTo("CREATE CATALOG sluice WITH ('type' = 'paimon', 'warehouse' = '/tmp/it''s here');");
    }
}
