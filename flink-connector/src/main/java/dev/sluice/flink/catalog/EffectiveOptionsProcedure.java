/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import dev.sluice.flink.resolve.OptionResolver;
import dev.sluice.flink.resolve.OptionResolver.Use;
import dev.sluice.flink.resolve.ResolvedOption;
import dev.sluice.flink.resolve.Secrets;
import dev.sluice.flink.resolve.TableFacts;
import dev.sluice.flink.resolve.TableName;
import dev.sluice.flink.table.StoredFacts;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;
import org.apache.flink.types.Row;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.table.Table;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL sys.effective_options('db.t')}: the options that the next statement of the session has on a table, without
 * a hint. Options of a read and of a write stand in one list.
 */
public final class EffectiveOptionsProcedure implements Procedure {

    static final String NAME = "effective_options";

    private static final String SET_BY_FLINK = "execution.";

    private final Catalog engine;
    private final String catalog;
    private final Map<String, String> catalogOptions;
    private final @Nullable TableConfig opener;

    /** @param opener of the table environment that opened the catalog, or null if that is not known */
    EffectiveOptionsProcedure(
            Catalog engine, String catalog, Map<String, String> catalogOptions, @Nullable TableConfig opener) {
        this.engine = engine;
        this.catalog = catalog;
        this.catalogOptions = catalogOptions;
        this.opener = opener;
    }

    /**
     * @param table {@code database.table}; back-quotes around a part allow dots in it
     * @return key, value, scope, what it overrode and the default, sorted by key; secrets are hidden
     * @throws ValidationException if there is no such table, or a statement on it would be refused
     */
    @ProcedureHint(
            argument = {@ArgumentHint(name = "table", type = @DataTypeHint("STRING"))},
            output =
                    @DataTypeHint(
                            "ROW<`key` STRING, `value` STRING, `scope` STRING, `overrode` STRING, `default` STRING>"))
    public Row[] call(ProcedureContext context, String table) {
        ProcedureTableName name = ProcedureTableName.parse(table);
        TableFacts facts = StoredFacts.of(new TableName(catalog, name.database(), name.table()), open(name));
        Map<String, String> session = session(context);
        Map<String, ResolvedOption> all = new TreeMap<>();
        for (Use use : Use.values()) {
            OptionResolver.resolve(facts, catalogOptions, session, Map.of(), use)
                    .effective()
                    .forEach(option -> all.merge(option.key(), option, EffectiveOptionsProcedure::stronger));
        }
        return all.values().stream().map(EffectiveOptionsProcedure::row).toArray(Row[]::new);
    }

    /**
     * What the session has SET. A procedure is handed that laid over Flink's configuration, where an embedded table
     * environment leaves copies of what has been RESET; its own configuration has none. Where a session has its
     * configuration to itself, as behind a SQL gateway, there are no such copies.
     */
    private Map<String, String> session(ProcedureContext context) {
        Map<String, String> handed =
                context.getExecutionEnvironment().getConfiguration().toMap();
        if (opener == null) {
            return handed;
        }
        Map<String, String> set = opener.getConfiguration().toMap();
        // The catalog may have been registered in another environment too, whose settings these are not.
        boolean same = set.entrySet().stream()
                .allMatch(
                        e -> e.getKey().startsWith(SET_BY_FLINK) || e.getValue().equals(handed.get(e.getKey())));
        return same ? set : handed;
    }

    /** The side that an option is not for sees only what is stored. */
    private static ResolvedOption stronger(ResolvedOption one, ResolvedOption other) {
        return other.scope().compareTo(one.scope()) > 0 ? other : one;
    }

    private Table open(ProcedureTableName name) {
        try {
            return engine.getTable(Identifier.create(name.database(), name.table()));
        } catch (Catalog.TableNotExistException e) {
            throw new ValidationException("There is no table '" + name.table() + "' in database '" + name.database()
                    + "' of catalog '" + catalog + "'. SHOW TABLES lists what there is.");
        }
    }

    private static Row row(ResolvedOption option) {
        String defaultText = option.defaultText();
        return Row.of(
                option.key(),
                option.shownValue(),
                option.where(),
                option.shownOverrode(),
                defaultText == null ? null : Secrets.shown(option.key(), defaultText));
    }
}
