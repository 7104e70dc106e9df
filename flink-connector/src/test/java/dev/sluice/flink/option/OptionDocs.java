/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the reference of options from their declarations. */
final class OptionDocs {

    static final String COMMAND = "mvn -q -pl flink-connector -am test -Dtest=OptionDocsTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -DupdateDocs";

    private static final String GENERATED =
            "<!-- Generated from the declarations in dev.sluice.flink.option. To write it anew: " + COMMAND
                    + " -->\n\n";

    private OptionDocs() {}

    static Map<String, List<OptionSpec<?>>> families() {
        Map<String, List<OptionSpec<?>>> families = new LinkedHashMap<>();
        families.put("Table", TableOptions.specs());
        families.put("Read", ReadOptions.specs());
        families.put("Read limits", ReadLimitOptions.specs());
        families.put("Watermarks", WatermarkOptions.specs());
        families.put("Lookup join", LookupOptions.specs());
        families.put("Write", WriteOptions.specs());
        families.put("Around a commit", CommitOptions.specs());
        families.put("Memory and slots of a sink", WriterResourceOptions.specs());
        families.put("Catalog", PaimonCatalogOptions.specs());
        return families;
    }

    static String options() {
        StringBuilder page =
                new StringBuilder("# Options\n\n").append(GENERATED).append(scopes());
        families().forEach((title, specs) -> {
            page.append("\n## ").append(title).append("\n");
            specs.forEach(spec -> page.append(entry(spec)));
        });
        page.append(
                "\n## Read by the engine\n\nPaimon's own table options, taken from its option classes. They work as Paimon"
                        + " documents them; values are checked as strictly as ours.\n\n");
        page.append(engineTable(OptionRegistry.table()));
        page.append("\n### Keys with a name inside\n\n");
        OptionRegistry.patterns().forEach(key -> page.append("- `").append(key).append("`\n"));
        page.append("\n## Read by the engine when a catalog is created\n\n");
        page.append(engineTable(OptionRegistry.catalog()));
        return page.toString();
    }

    static String comingFrom() {
        StringBuilder page = new StringBuilder("# Coming from another connector\n\n").append(GENERATED);
        page.append("""
                ## Iceberg

                Iceberg's spellings are not accepted; the error names the key to use.

                | Iceberg | kind | on a Paimon table |
                |---|---|---|
                """);
        foreign(page, Origin.ICEBERG);
        page.append("""

                ## Paimon on Spark

                Spark's names work as they are; the primary name is on the right.

                | Spark | here |
                |---|---|
                """);
        for (OptionSpec<?> spec : declared()) {
            spec.aliases().stream()
                    .filter(alias -> alias.origin() == Origin.SPARK)
                    .forEach(alias -> row(page, code(alias.key()), code(spec.key())));
            if (spec.words().origins().contains(Origin.SPARK)
                    && spec.aliases().stream().noneMatch(alias -> alias.origin() == Origin.SPARK)) {
                row(page, code(spec.key()), "the same");
            }
        }
        row(page, code("table-default.<key>"), "the same, on the catalog");
        page.append("\nWithout meaning on Flink, and refused:\n\n| Spark | why |\n|---|---|\n");
        foreign(page, Origin.SPARK);
        page.append(
                "\n## The managed service's parameters\n\nAll of them work under their names; where the document and"
                        + " Paimon differ:\n\n| key | which holds |\n|---|---|\n");
        declared().stream()
                .filter(spec -> spec.words().origins().contains(Origin.VENDOR)
                        && spec.words().note() != null)
                .forEach(spec -> row(page, code(spec.key()), spec.words().note()));
        page.append(official());
        return page.toString();
    }

    private static String official() {
        StringBuilder text = new StringBuilder("\n## The official Paimon connector\n\n"
                + "Every key of the official connector is known. What is different:\n\n"
                + "- A hint wins over the session; there a session wins over a hint.\n"
                + "- `SET '<key>'` reaches a table only if the key is a declared table option, and only on its side; there"
                + " the whole session does.\n"
                + "- Names in `SET 'paimon.<catalog>.<database>.<table>.<key>'` are compared as text, and the most"
                + " specific key wins.\n"
                + "- Unknown keys and values that cannot be read are errors.\n"
                + "- What defines a table is refused in a hint or a session.\n\n"
                + "Other names it takes for the same option:\n\n| other name | primary name |\n|---|---|\n");
        for (OptionSpec<?> spec : OptionRegistry.table().all()) {
            spec.aliases().stream()
                    .filter(alias -> alias.origin() == Origin.PAIMON)
                    .filter(alias -> isOther(alias, spec))
                    .forEach(alias -> row(text, code(alias.key()), code(spec.key())));
        }
        text.append("\nKnown and without effect here:\n\n| key | why |\n|---|---|\n");
        for (OptionSpec<?> spec : OptionRegistry.table().all()) {
            WithoutEffect.reason(spec).ifPresent(reason -> row(text, code(spec.key()), reason));
        }
        return text.toString();
    }

    private static boolean isOther(OptionSpec.Alias alias, OptionSpec<?> spec) {
        return OptionRegistry.table()
                .find(alias.key())
                .filter(found -> found.equals(spec))
                .isPresent();
    }

    private static void foreign(StringBuilder page, Origin origin) {
        for (ForeignKeys.Answer answer : ForeignKeys.all()) {
            if (answer.origin() != origin) {
                continue;
            }
            if (answer.equivalent() == null) {
                row(page, code(answer.key()), answer.remark());
            } else {
                String remark = answer.remark().isEmpty() ? "" : ": " + answer.remark();
                row(page, code(answer.key()), answer.kind(), answer.equivalent() + remark);
            }
        }
    }

    private static List<OptionSpec<?>> declared() {
        return families().values().stream().flatMap(List::stream).collect(Collectors.toList());
    }

    private static String entry(OptionSpec<?> spec) {
        StringBuilder text = new StringBuilder("\n### `" + spec.key() + "`\n\n");
        text.append(spec.words().description()).append("\n\n");
        line(text, "Type", spec.type().name() + ", " + spec.words().unit());
        line(text, "Default", spec.defaultText() == null ? "none" : code(spec.defaultText()));
        line(text, "Accepted", spec.type().accepted());
        line(text, "Set for", where(spec));
        if (!spec.aliases().isEmpty()) {
            line(
                    text,
                    "Also written",
                    spec.aliases().stream()
                            .map(alias ->
                                    code(alias.key()) + " (" + alias.origin().words() + ")")
                            .collect(Collectors.joining(", ")));
        }
        line(
                text,
                "Known from",
                spec.words().origins().stream().sorted().map(Origin::words).collect(Collectors.joining(", ")));
        if (spec.words().note() != null) {
            line(text, "Note", spec.words().note());
        }
        return text.toString();
    }

    private static String where(OptionSpec<?> spec) {
        if (spec.side() == Side.CATALOG) {
            return "a catalog, in CREATE CATALOG";
        }
        if (spec.place().fixed()) {
            return "a table, in CREATE TABLE only";
        }
        return spec.place().dynamic()
                ? "a table, a session or a statement; looked at on the "
                        + spec.side().words() + " side"
                : "a table, in CREATE TABLE or ALTER TABLE";
    }

    private static String engineTable(OptionRegistry registry) {
        StringBuilder text = new StringBuilder("| key | type | default | set for |\n|---|---|---|---|\n");
        registry.all().stream()
                .filter(spec -> !spec.place().declared())
                .forEach(spec -> row(
                        text,
                        code(spec.key()),
                        spec.type().name(),
                        spec.defaultText() == null || spec.defaultText().isBlank() ? "" : code(spec.defaultText()),
                        where(spec)));
        return text.toString();
    }

    private static String scopes() {
        return "A value can be set in six places. A later one wins; `CALL sys.effective_options('db.t')` shows which one"
                + " did.\n\n"
                + "| | scope | how |\n|---|---|---|\n"
                + "| 1 | default | nobody sets it |\n"
                + "| 2 | catalog | `'table-default.<key>'` of CREATE CATALOG, written into a table when it is created |\n"
                + "| 3 | table | `WITH (…)`, `ALTER TABLE … SET (…)` |\n"
                + "| 4 | session, all tables | `SET '<key>' = '…'` |\n"
                + "| 5 | session, selected tables | `SET 'paimon.<catalog>.<database>.<table>.<key>' = '…'` |\n"
                + "| 6 | statement | `/*+ OPTIONS('<key>' = '…') */` |\n\n"
                + "In scope 5 each of the three names may be `*` for any, or stand in back-quotes when it contains a dot;"
                + " names are compared as text. More names beat fewer; of as many, the table beats the database and that"
                + " the catalog. A key for table `t` also reaches its branches and system tables, such as `t$branch_x`"
                + " and `t$audit_log`; a key that names one of those beats it. The time of `FOR SYSTEM_TIME AS OF`"
                + " counts as scope 6.\n\n"
                + "Of a session only options of this page reach a table: a read option reaches sources, a write option"
                + " sinks. What defines a table cannot be set in scopes 4 to 6. Unknown keys, values that cannot be read"
                + " and combinations that contradict each other fail the statement with one message that names them all.\n";
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("- ").append(name).append(": ").append(value).append('\n');
    }

    private static void row(StringBuilder text, String... cells) {
        text.append("| ")
                .append(List.of(cells).stream()
                        .map(cell -> cell.replace("|", "\\|").replace("\n", " "))
                        .collect(Collectors.joining(" | ")))
                .append(" |\n");
    }

    private static String code(String text) {
        return "`" + text + "`";
    }
}
