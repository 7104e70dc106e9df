/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The pages under {@code docs} say what the declarations say. */
final class OptionDocsTest {

    @Test
    void optionsPageIsCurrent() throws IOException {
        check("options.md", OptionDocs.options());
    }

    @Test
    void comingFromPageIsCurrent() throws IOException {
        check("coming-from.md", OptionDocs.comingFrom());
    }

    @Test
    void everyDeclaredOptionIsInAFamily() {
        assertThat(OptionDocs.families().values().stream()
                        .mapToInt(list -> list.size())
                        .sum())
                .isEqualTo(OptionRegistry.table().declared().size()
                        + OptionRegistry.catalog().declared().size());
    }

    private static void check(String name, String content) throws IOException {
        Path page = root().resolve("docs").resolve(name);
        if (System.getProperty("updateDocs") != null) {
            Files.createDirectories(page.getParent());
            Files.writeString(page, content);
        }
        assertThat(page)
                .as("docs/%s is stale; write it anew with: %s", name, OptionDocs.COMMAND)
                .hasContent(content);
    }

    /** The folder of the whole build, wherever the test was started. */
    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve(".mvn"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
