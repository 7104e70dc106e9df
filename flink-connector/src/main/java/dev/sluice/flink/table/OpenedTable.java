/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import dev.sluice.flink.resolve.OptionProblem;
import dev.sluice.flink.resolve.ResolvedOptions;
import dev.sluice.flink.resolve.Scope;
import dev.sluice.flink.store.StoreTable;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One reference to a table in a statement, with the options that hold for it. Used on the planner's thread only. */
final class OpenedTable {

    private static final Logger LOG = LoggerFactory.getLogger(OpenedTable.class);

    private final StoreTable table;
    private final ResolvedOptions options;
    private final BooleanSupplier timeLost;
    private final Set<String> logged = new HashSet<>();

    /** @param table with the options already applied */
    OpenedTable(StoreTable table, ResolvedOptions options) {
        this(table, options, () -> false);
    }

    private OpenedTable(StoreTable table, ResolvedOptions options, BooleanSupplier timeLost) {
        this.table = table;
        this.options = options;
        this.timeLost = timeLost;
    }

    /** @param lost asked when the table is scanned: whether that would not be of the time that the statement asks for */
    OpenedTable withTimeLost(BooleanSupplier lost) {
        return new OpenedTable(table, options, lost);
    }

    StoreTable table() {
        return table;
    }

    ResolvedOptions options() {
        return options;
    }

    Configuration configuration() {
        return options.toConfiguration();
    }

    /** @throws org.apache.flink.table.api.ValidationException if the options do not go together */
    <T> T settings(Function<ReadableConfig, T> reader) {
        try {
            return reader.apply(configuration());
        } catch (IllegalArgumentException e) {
            throw Refusal.of("Table " + table.name() + ": " + Refusal.words(e) + ".", e);
        }
    }

    /** @throws ValidationException if a scan would read the present where the statement asks for the past */
    void checkScan() {
        if (timeLost.getAsBoolean()) {
            throw new ValidationException(
                    "Table " + table.name() + " has an alias beside FOR SYSTEM_TIME AS OF, and there"
                            + " Flink's planner drops the time and would read the present. Write (SELECT * FROM t FOR SYSTEM_TIME"
                            + " AS OF …) AS alias, or give the time in a hint:"
                            + " t /*+ OPTIONS('scan.timestamp-millis' = '…') */ AS alias.");
        }
    }

    /** What session and statement have set for this reference, secrets hidden; may be empty. */
    String dynamicWords() {
        return options.set().stream()
                .filter(option -> option.scope().compareTo(Scope.TABLE) > 0)
                .filter(option -> options.dynamic().containsKey(option.key()))
                .map(option -> option.key() + "=" + option.shownValue())
                .collect(Collectors.joining(", "));
    }

    /**
     * Logs the options in force, once however often the planner asks. It may make a scan and a lookup of one reference.
     *
     * @param what the part of the job that is made of the table
     */
    void log(String what) {
        if (!logged.add(what)) {
            return;
        }
        LOG.info("Options of the {} of table {}:\n{}", what, table.name(), options.listing());
        for (OptionProblem warning : options.warnings()) {
            LOG.warn("Table {}, option {}", table.name(), warning.words());
        }
    }
}
