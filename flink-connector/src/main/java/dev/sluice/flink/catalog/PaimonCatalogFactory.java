/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.factories.CatalogFactory;
import org.apache.paimon.options.Options;

/** Makes the catalog of {@code CREATE CATALOG … WITH ('type'='paimon')}, on every metastore the engine brings. */
public final class PaimonCatalogFactory implements CatalogFactory {

    public static final String IDENTIFIER = "paimon";

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    /** Empty, as is {@link #optionalOptions()}: which options there are depends on metastore and file system. */
    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    /** @throws org.apache.flink.table.api.ValidationException if the catalog cannot be opened with its options */
    @Override
    public Catalog createCatalog(Context context) {
        return new CatalogOpening(context.getName(), Options.fromMap(context.getOptions()), context.getClassLoader())
                .open();
    }
}
