/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.resolve.OptionResolver.Use;
import java.util.HashMap;
import java.util.Map;

/** One row of a reference document: a key, values that are accepted and refused, and what the refusal says. */
final class DocumentRow {

    private DocumentRow() {}

    /**
     * @param place READ, WRITE: in a hint; KEYED, APPEND: in CREATE TABLE with or without a primary key; CATALOG
     * @param with further options the value needs, as {@code k=v;k=v}, or null
     */
    static void accepted(String place, String key, String value, String with) {
        assertThat(resolved(place, options(key, value, with))).isNotNull();
    }

    static void refused(String place, String key, String value, String with, String message) {
        assertThatThrownBy(() -> resolved(place, options(key, value, with)))
                .isInstanceOf(OptionException.class)
                .hasMessageContaining("'" + key + "' = '" + value + "'")
                .hasMessageContaining(message);
    }

    /** The options in force, or for statements that create something the ones given. */
    static Map<String, String> resolved(String place, Map<String, String> options) {
        switch (place) {
            case "READ", "WRITE" -> {
                return OptionResolver.resolve(Tables.keyed(Map.of()), Map.of(), Map.of(), options, Use.valueOf(place))
                        .toMap();
            }
            case "KEYED" -> TableDdl.create(Tables.keyed(options), Map.of());
            case "APPEND" -> TableDdl.create(Tables.append(options), Map.of());
            case "CATALOG" -> CatalogDdl.create("c", options);
            default -> throw new IllegalArgumentException(place);
        }
        return options;
    }

    static Map<String, String> options(String key, String value, String with) {
        Map<String, String> options = new HashMap<>();
        if (with != null) {
            for (String pair : with.split(";")) {
                int sign = pair.indexOf('=');
                options.put(pair.substring(0, sign), pair.substring(sign + 1));
            }
        }
        options.put(key, value);
        return options;
    }
}
