/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import dev.sluice.flink.table.PaimonTableFactory;
import java.util.Optional;
import org.apache.flink.table.factories.Factory;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.flink.FlinkCatalog;
import org.apache.paimon.flink.FlinkCatalogOptions;
import org.apache.paimon.options.Options;

/**
 * A Paimon catalog whose tables are read and written by this connector. It stays a {@link FlinkCatalog} for code that
 * unwraps one.
 */
public final class PaimonCatalog extends FlinkCatalog {

    /**
     * @param engine owned by this catalog from here on; {@link #close()} closes it
     * @param options the options of CREATE CATALOG
     */
    public PaimonCatalog(Catalog engine, String name, Options options) {
        super(engine, name, options.get(FlinkCatalogOptions.DEFAULT_DATABASE), options);
    }

    @Override
    public Optional<Factory> getFactory() {
        return Optional.of(new PaimonTableFactory(this));
    }
}
