/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import dev.sluice.flink.option.ForeignKeys;
import dev.sluice.flink.option.OptionRegistry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What to say about a key that is not known where it was set. */
final class UnknownKey {

    private UnknownKey() {}

    static String wrong(OptionRegistry registry, String key) {
        Optional<ForeignKeys.Answer> foreign = registry.foreign(key);
        if (foreign.isPresent()) {
            String words = foreign.get().words();
            return words.substring(0, words.length() - 1);
        }
        if (elsewhere(registry).find(key).isPresent()) {
            return registry == OptionRegistry.table()
                    ? "it is an option of a catalog, not of a table"
                    : "it is an option of a table, not of a catalog";
        }
        return "no option has this key";
    }

    static String advice(OptionRegistry registry, Setting setting) {
        String key = setting.writtenKey();
        Optional<ForeignKeys.Answer> foreign = registry.foreign(key);
        if (foreign.isPresent()) {
            return "Replace it, or " + setting.undo();
        }
        if (elsewhere(registry).find(key).isPresent()) {
            return registry == OptionRegistry.table()
                    ? "Give it to CREATE CATALOG; here " + setting.undo()
                    : "Give it to CREATE TABLE, or as 'table-default." + key
                            + "' to the catalog for all its new tables";
        }
        List<String> near = registry.nearest(key);
        String list = near.stream().map(n -> "'" + n + "'").collect(Collectors.joining(", "));
        return near.isEmpty()
                ? "No known key is near; " + setting.undo() + ", or create the catalog with 'unknown-options' = 'warn'"
                : "Nearest known: " + list + ". Use " + (near.size() == 1 ? "it" : "one of them") + ", or "
                        + setting.undo();
    }

    private static OptionRegistry elsewhere(OptionRegistry registry) {
        return registry == OptionRegistry.table() ? OptionRegistry.catalog() : OptionRegistry.table();
    }
}
