/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import dev.sluice.flink.resolve.Secrets;
import dev.sluice.flink.table.MissingFileSystem;
import dev.sluice.flink.table.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.factories.FactoryUtil;
import org.apache.paimon.flink.FlinkFileIOLoader;
import org.apache.paimon.fs.Path;
import org.apache.paimon.options.CatalogOptions;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.Options;

/** Opens the engine's catalog, and says in a user's words why that did not work. */
final class CatalogOpening {

    private static final String JDBC = "jdbc";
    private static final String REST = "rest";
    private static final String FILESYSTEM = "filesystem";

    private final String name;
    private final Options options;
    private final ReadableConfig session;
    private final ClassLoader classLoader;
    private final String metastore;

    /** @param session of the table environment that opens the catalog; goes on changing with it */
    CatalogOpening(String name, Options options, ReadableConfig session, ClassLoader classLoader) {
        this.name = name;
        this.options = options;
        this.session = session;
        this.classLoader = classLoader;
        this.metastore = options.get(CatalogOptions.METASTORE);
    }

    PaimonCatalog open() {
        checkOptions();
        try {
            return owned(CatalogFactory.createCatalog(context(), classLoader));
        } catch (RuntimeException | LinkageError e) {
            throw Refusal.of("Catalog '" + name + "' cannot be opened: " + why(e), e);
        }
    }

    private CatalogContext context() {
        FlinkFileIOLoader flinkFileSystems = new FlinkFileIOLoader();
        CatalogContext context = CatalogContext.create(options, flinkFileSystems);
        try {
            context.hadoopConf();
            return context;
        } catch (IllegalStateException withoutHdfs) {
            // The engine drops Hadoop's settings when HDFS is not on the class path, yet its REST catalog asks for
            // them. Without HDFS there is nothing in them. The others must not get them, because a Hadoop of which
            // only parts are there then fails in its depths instead of saying that a file system is missing.
            return metastore.equals(REST)
                    ? CatalogContext.create(options, new Configuration(), null, flinkFileSystems)
                    : context;
        }
    }

    /** Hands the engine's catalog over, or closes it when that fails: the default database may not be creatable. */
    private PaimonCatalog owned(Catalog engine) {
        try {
            return new PaimonCatalog(engine, name, options, session);
        } catch (RuntimeException e) {
            try {
                engine.close();
            } catch (Exception inClose) {
                e.addSuppressed(inClose);
            }
            throw e;
        }
    }

    private void checkOptions() {
        List<String> metastores = FactoryUtil.discoverIdentifiers(classLoader, CatalogFactory.class);
        if (!metastores.contains(metastore)) {
            throw new ValidationException("Catalog '" + name + "': option 'metastore' is '" + metastore
                    + "'; accepted is one of " + metastores.stream().sorted().collect(Collectors.joining(", ")) + ".");
        }
        if (metastore.equals(FILESYSTEM) || metastore.equals(JDBC)) {
            require(
                    CatalogOptions.WAREHOUSE,
                    "the folder that holds the databases, for example 'warehouse'='file:///data/warehouse' or"
                            + " 's3://bucket/warehouse'");
        }
        if (metastore.equals(JDBC)) {
            require(CatalogOptions.URI, "the database of the metastore, for example 'uri'='jdbc:mysql://host:3306/db'");
        }
        if (metastore.equals(REST)) {
            require(CatalogOptions.URI, "the server of the catalog, for example 'uri'='http://host:8080'");
        }
    }

    private void require(ConfigOption<String> option, String meaning) {
        String value = options.get(option);
        if (value == null || value.isBlank()) {
            throw new ValidationException("Catalog '" + name + "' needs option '" + option.key() + "' (metastore '"
                    + metastore + "'): " + meaning + ".");
        }
    }

    private String why(Throwable e) {
        String words = Secrets.redact(Refusal.words(e), options.toMap());
        if (e instanceof LinkageError && metastore.equals("hive")) {
            return "the Hive metastore needs Hive's client and Hadoop under their own names (" + words
                    + "). The SQL jar keeps its part of Hadoop under other names, so this metastore does not work with"
                    + " it: put the thin jar sluice-flink-connector and its dependencies beside Hive's and Hadoop's jars, or"
                    + " use metastore 'filesystem', 'jdbc' or 'rest'";
        }
        if (e instanceof LinkageError) {
            return "metastore '" + metastore + "' needs a class that is not on the class path (" + words
                    + "). Put the jar that has it beside the connector's.";
        }
        if (metastore.equals(REST)) {
            return "the REST catalog at " + shownUri() + " (option 'uri') did not answer as needed: " + words
                    + ". Check that it runs there, that this machine reaches it, and the 'token.provider' options.";
        }
        if (metastore.equals(JDBC) && causedBy(SQLException.class, e)) {
            return "the metastore's database at " + shownUri() + " (option 'uri') cannot be used: " + words
                    + ". Check that its JDBC driver is on the class path, that this machine reaches it, and the"
                    + " 'jdbc.user' and 'jdbc.password' options.";
        }
        String warehouse = options.get(CatalogOptions.WAREHOUSE);
        return warehouse != null && concernsWarehouse(warehouse, e, words)
                ? aboutWarehouse(warehouse, e, words)
                : words + ".";
    }

    private String shownUri() {
        return Secrets.shown(CatalogOptions.URI.key(), options.get(CatalogOptions.URI));
    }

    private static boolean causedBy(Class<? extends Exception> kind, Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (kind.isInstance(t)) {
                return true;
            }
        }
        return false;
    }

    /** Rather than, say, an option whose value cannot be parsed. */
    private static boolean concernsWarehouse(String warehouse, Throwable e, String words) {
        Path path = new Path(warehouse);
        return causedBy(IOException.class, e)
                || words.contains(path.toUri().getPath())
                || MissingFileSystem.describe(path, e).isPresent();
    }

    private static String aboutWarehouse(String warehouse, Throwable e, String words) {
        String start = "warehouse " + warehouse + " (option 'warehouse') ";
        Path path = new Path(warehouse);
        String scheme = path.toUri().getScheme();
        Optional<String> missing = MissingFileSystem.describe(path, e);
        if (missing.isPresent()) {
            return start + missing.get();
        }
        if ((scheme == null || scheme.equals("file")) && path.toUri().getAuthority() == null) {
            java.nio.file.Path folder = java.nio.file.Path.of(path.toUri().getPath());
            for (java.nio.file.Path at = folder; at != null; at = at.getParent()) {
                if (Files.isRegularFile(at)) {
                    return start + (at.equals(folder) ? "is" : "lies below " + at + ", which is")
                            + " a file; accepted is a folder or a path where one can be created.";
                }
                if (Files.exists(at)) {
                    return start + "cannot be written by user '" + System.getProperty("user.name") + "' in folder " + at
                            + ": " + words + ". Give that user write permission there, or choose another folder.";
                }
            }
        }
        return start + "cannot be used: " + words + ". Check the path and that this process may write there.";
    }
}
