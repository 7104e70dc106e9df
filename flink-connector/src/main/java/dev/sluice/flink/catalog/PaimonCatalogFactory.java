/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import dev.sluice.flink.resolve.CatalogDdl;
import dev.sluice.flink.resolve.OptionProblem;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.factories.CatalogFactory;
import org.apache.paimon.options.Options;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the catalog of {@code CREATE CATALOG … WITH ('type'='paimon')}, on every metastore the engine brings. */
public final class PaimonCatalogFactory implements CatalogFactory {

    public static final String IDENTIFIER = "paimon";

    private static final Logger LOG = LoggerFactory.getLogger(PaimonCatalogFactory.class);

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
        String name = context.getName();
        for (OptionProblem warning : CatalogDdl.create(name, context.getOptions())) {
            LOG.warn("Catalog {}, option {}", name, warning.words());
        }
        Options options = Options.fromMap(CatalogDdl.withPrimaryKeys(context.getOptions()));
        return new CatalogOpening(name, options, context.getConfiguration(), context.getClassLoader()).open();
    }
}
