/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.UnknownOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds out which options hold for one reference to a table in one statement. Stateless. */
public final class OptionResolver {

    /** What the statement does with the table. */
    public enum Use {
        /** Scan or lookup. */
        READ,
        /** Insert, overwrite, update, delete. */
        WRITE
    }

    private OptionResolver() {}

    /**
     * Merges table, session and statement.
     *
     * @param table the table with its stored options
     * @param catalog what the table's catalog was created with
     * @param session everything set in the session and in Flink's configuration, keys as written; what is not for this
     *     table is left alone
     * @param statement the hint's options only, without those the planner merged in from the table
     * @param use which side of the statement the table is on
     * @throws OptionException naming everything that is wrong at once
     */
    public static ResolvedOptions resolve(
            TableFacts table,
            Map<String, String> catalog,
            Map<String, String> session,
            Map<String, String> statement,
            Use use) {
        UnknownOptions unknown = CatalogDdl.unknownOptions(catalog);
        Merge merge = new Merge(table, use == Use.READ, unknown, new Findings());
        below(merge, table, session);
        sorted(statement).forEach((key, value) -> merge.statement(Setting.statement(key, value)));
        return finish(merge, table, use);
    }

    /**
     * The same for a table that no Paimon catalog holds: declared with {@code 'connector'='paimon'} and a path. Flink
     * merges a hint into the WITH clause, so both count as the statement's.
     *
     * @param table the table found at the path with its stored options; if there is none yet, as it would be created
     * @param with the WITH clause, all of it
     * @throws OptionException naming everything that is wrong at once
     */
    public static ResolvedOptions resolveDeclared(
            TableFacts table, Map<String, String> session, Map<String, String> with, Use use) {
        Merge merge = new Merge(table, use == Use.READ, UnknownOptions.ERROR, new Findings());
        below(merge, table, session);
        sorted(with).forEach((key, value) -> merge.with(Setting.with(key, value)));
        return finish(merge, table, use);
    }

    private static void below(Merge merge, TableFacts table, Map<String, String> session) {
        sorted(table.stored()).forEach((key, value) -> merge.stored(Setting.stored(key, value, table.name())));
        sessionSettings(table, session, merge.findings()).forEach(merge::session);
    }

    private static ResolvedOptions finish(Merge merge, TableFacts table, Use use) {
        InForce inForce = new InForce(merge.winners(), table, merge.findings());
        if (use == Use.READ) {
            ReadConflicts.find(inForce);
        } else {
            WriteConflicts.find(inForce);
        }
        merge.findings().throwIfAny("Table " + table.name());
        return new ResolvedOptions(merge.options(), merge.findings().warnings(), use == Use.READ);
    }

    /** Global ones first, then those for selected tables, the most specific last. */
    private static List<Setting> sessionSettings(TableFacts table, Map<String, String> session, Findings findings) {
        List<Setting> global = new ArrayList<>();
        List<Setting> selected = new ArrayList<>();
        sorted(session).forEach((key, value) -> {
            if (!key.startsWith(SessionKey.PREFIX)) {
                global.add(Setting.session(key, value));
                return;
            }
            SessionKey.parse(key)
                    .ifPresentOrElse(
                            parsed -> {
                                if (parsed.matches(table.name())) {
                                    selected.add(Setting.sessionTable(key, parsed, value, table.name()));
                                }
                            },
                            () -> findings.problem(
                                    Setting.session(key, value),
                                    "a key for selected tables has the form " + SessionKey.FORM,
                                    "RESET '" + key + "' and set it in that form"));
        });
        selected.sort((one, other) -> Integer.compare(one.rank(), other.rank()));
        global.addAll(selected);
        return global;
    }

    private static Map<String, String> sorted(Map<String, String> options) {
        return new TreeMap<>(options);
    }
}
