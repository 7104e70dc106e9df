/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.factories.CatalogFactory;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.flink.FlinkFileIOLoader;
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

    @Override
    public Catalog createCatalog(Context context) {
        Options options = Options.fromMap(context.getOptions());
        org.apache.paimon.catalog.Catalog engine = org.apache.paimon.catalog.CatalogFactory.createCatalog(
                CatalogContext.create(options, new FlinkFileIOLoader()), context.getClassLoader());
        return new PaimonCatalog(engine, context.getName(), options);
    }
}
