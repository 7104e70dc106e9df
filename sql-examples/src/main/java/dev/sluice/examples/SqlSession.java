/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.TableConfig;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.internal.StreamTableEnvironmentImpl;
import org.apache.flink.table.api.internal.TableEnvironmentInternal;
import org.apache.flink.table.catalog.Catalog;
import org.apache.flink.table.catalog.CatalogManager;
import org.apache.flink.table.catalog.CatalogStoreHolder;
import org.apache.flink.table.catalog.FunctionCatalog;
import org.apache.flink.table.catalog.GenericInMemoryCatalog;
import org.apache.flink.table.catalog.GenericInMemoryCatalogStore;
import org.apache.flink.table.delegation.Executor;
import org.apache.flink.table.delegation.ExecutorFactory;
import org.apache.flink.table.delegation.Planner;
import org.apache.flink.table.delegation.StreamExecutorFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.PlannerFactoryUtil;
import org.apache.flink.table.module.ModuleManager;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.resource.ResourceManager;
import org.apache.flink.util.FlinkUserCodeClassLoaders;
import org.apache.flink.util.MutableURLClassLoader;

/**
 * Catalogs, temporary objects and settings of one user. A table environment is bound to streaming or batch
 * when it is made, so each statement gets a new one on top of these; that is how {@code SET
 * 'execution.runtime-mode'} can work in the middle of a file. For one thread at a time.
 */
public final class SqlSession {

    private final EmbeddedFlink flink;
    private final Configuration defaults = new Configuration();
    private final Configuration changed = new Configuration();
    private final MutableURLClassLoader classLoader;
    private final ResourceManager resources;
    private final ModuleManager modules = new ModuleManager();
    private final CatalogManager catalogs;
    private final FunctionCatalog functions;

    public SqlSession(EmbeddedFlink flink, RuntimeExecutionMode mode) {
        this.flink = flink;
        defaults.set(CoreOptions.DEFAULT_PARALLELISM, flink.parallelism());
        defaults.set(ExecutionOptions.RUNTIME_MODE, mode);
        // Here a job that fails is wanted at once; with checkpoints Flink would try again for ever.
        defaults.set(RestartStrategyOptions.RESTART_STRATEGY, "disable");
        classLoader = FlinkUserCodeClassLoaders.create(new URL[0], SqlSession.class.getClassLoader(), defaults);
        resources = new ResourceManager(defaults, classLoader);
        TableConfig config = TableConfig.getDefault();
        config.addConfiguration(defaults);
        GenericInMemoryCatalogStore store = new GenericInMemoryCatalogStore();
        store.open();
        catalogs = CatalogManager.newBuilder()
                .classLoader(classLoader)
                .config(config)
                .defaultCatalog("default_catalog", new GenericInMemoryCatalog("default_catalog", "default_database"))
                .executionConfig(flink.environment(defaults).getConfig())
                .catalogStoreHolder(CatalogStoreHolder.newBuilder()
                        .classloader(classLoader)
                        .config(config)
                        .catalogStore(store)
                        .build())
                .build();
        functions = new FunctionCatalog(config, resources, catalogs, modules);
    }

    public void set(String key, String value) {
        changed.setString(key, value);
    }

    void reset(String key) {
        changed.removeKey(key);
    }

    public void resetAll() {
        changed.keySet().forEach(changed::removeKey);
    }

    /** What a {@code SET} alone shows. */
    Map<String, String> settings() {
        return new TreeMap<>(effective().toMap());
    }

    boolean isStreaming() {
        return effective().get(ExecutionOptions.RUNTIME_MODE) == RuntimeExecutionMode.STREAMING;
    }

    Optional<Catalog> catalog(String name) {
        return catalogs.getCatalog(name);
    }

    /** An environment for one statement. */
    Statement statement(String sql) {
        Configuration effective = effective();
        StreamExecutionEnvironment streams = flink.environment(effective);
        Executor executor = ((StreamExecutorFactory) FactoryUtil.discoverFactory(
                        classLoader, ExecutorFactory.class, ExecutorFactory.DEFAULT_IDENTIFIER))
                .create(streams);
        TableConfig config = TableConfig.getDefault();
        config.setRootConfiguration(executor.getConfiguration());
        config.addConfiguration(effective);
        Planner planner = PlannerFactoryUtil.createPlanner(executor, config, classLoader, modules, catalogs, functions);
        TableEnvironmentInternal environment = new StreamTableEnvironmentImpl(
                catalogs, modules, resources, functions, config, streams, planner, executor, isStreaming());
        List<Operation> operations = environment.getParser().parse(sql);
        if (operations.size() != 1) {
            throw new IllegalArgumentException(
                    "There are " + operations.size() + " statements where one is expected; end each with ';'.");
        }
        return new Statement(environment, operations.get(0));
    }

    /** One statement, with or without its semicolon. */
    public TableResult execute(String sql) {
        Statement statement = statement(sql.endsWith(";") ? sql.substring(0, sql.length() - 1) : sql);
        return statement.environment().executeInternal(statement.operation());
    }

    /** A parsed statement and the environment to execute it in. */
    record Statement(TableEnvironmentInternal environment, Operation operation) {}

    private Configuration effective() {
        Configuration effective = new Configuration(defaults);
        effective.addAll(changed);
        return effective;
    }
}
