/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.settings;

import dev.sluice.flink.option.PaimonCatalogOptions;
import dev.sluice.flink.option.UnknownOptions;
import org.apache.flink.configuration.ReadableConfig;

/**
 * How a catalog treats the options of its tables.
 *
 * @param unknownOptions what happens to a key that nobody knows
 */
public record CatalogSettings(UnknownOptions unknownOptions) {

    /** @throws IllegalArgumentException if a value cannot be read */
    public static CatalogSettings from(ReadableConfig options) {
        return new CatalogSettings(options.get(PaimonCatalogOptions.UNKNOWN_OPTIONS));
    }
}
