/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.catalog.CachingCatalog;
import org.apache.paimon.flink.FlinkCatalog;
import org.apache.paimon.jdbc.JdbcCatalog;
import org.apache.paimon.rest.RESTCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Catalogs on the metastores other than the file system. */
final class MetastoresITCase {

    @TempDir
    Path folder;

    private TableEnvironment env;

    @BeforeEach
    void createEnvironment() {
        env = TableEnvironment.create(EnvironmentSettings.inBatchMode());
    }

    @Test
    void aJdbcCatalogKeepsDatabasesTablesAndViews() throws Exception {
        String create = "CREATE CATALOG %s WITH ('type'='paimon','metastore'='jdbc','warehouse'='" + folder.toUri()
                + "','uri'='jdbc:h2:" + folder.resolve("metastore") + ";DATABASE_TO_UPPER=FALSE','jdbc.user'='sa')";
        env.executeSql(create.formatted("j"));
        assertThat(CachingCatalog.rootCatalog(engine("j"))).isInstanceOf(JdbcCatalog.class);
        env.executeSql("USE CATALOG j");
        env.executeSql("CREATE DATABASE sales");
        env.executeSql("CREATE TABLE sales.t (id BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='2')");
        env.executeSql("CREATE VIEW sales.v AS SELECT 1 AS uno");
        env.executeSql("CREATE TABLE sales.u (id BIGINT)");
        env.executeSql("DROP TABLE sales.u");

        TableEnvironment another = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        engineOf("j").close();
        another.executeSql(create.formatted("again"));
        another.executeSql("USE CATALOG again");
        env = another;
        assertThat(first("SHOW DATABASES")).containsExactlyInAnyOrder("default", "sales");
        assertThat(first("SHOW TABLES IN sales")).contains("t").doesNotContain("u");
        assertThat(first("SHOW VIEWS IN sales")).containsExactly("v");
        assertThat(first("DESCRIBE sales.t")).containsExactly("id");
    }

    @Test
    void aJdbcCatalogThatCannotReachItsDatabaseNamesItWithoutThePassword() {
        assertThatThrownBy(
                        () -> env.executeSql(
                                "CREATE CATALOG j WITH ('type'='paimon','metastore'='jdbc','warehouse'='"
                                        + folder.toUri()
                                        + "','uri'='jdbc:nope://host/db?password=sesame','jdbc.user'='me','jdbc.password'='hush')"))
                .rootCause()
                .hasMessageStartingWith("Catalog 'j' cannot be opened: the metastore's database at jdbc:nope://host/db"
                        + "?password=****** (option 'uri') cannot be used: ")
                .hasMessageContaining("No suitable driver")
                .hasMessageContaining("JDBC driver")
                .hasMessageNotContaining("sesame")
                .hasMessageNotContaining("hush");
    }

    @Test
    void aRestCatalogAsksItsServer() throws Exception {
        Map<String, String> answers = Map.of(
                "/v1/config", "{\"defaults\":{\"prefix\":\"mine\"},\"overrides\":{}}",
                "/v1/mine/databases/default",
                        "{\"id\":\"1\",\"name\":\"default\",\"location\":\"file:/w\",\"options\":{}}",
                "/v1/mine/databases", "{\"databases\":[\"default\",\"sales\"]}");
        Set<String> tokens = ConcurrentHashMap.newKeySet();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            answer(exchange, answers.get(exchange.getRequestURI().getPath()));
        });
        server.start();
        try {
            env.executeSql("CREATE CATALOG r WITH ('type'='paimon','metastore'='rest','warehouse'='w','uri'='http://"
                    + "127.0.0.1:" + server.getAddress().getPort() + "','token.provider'='bear','token'='hush')");
            assertThat(CachingCatalog.rootCatalog(engine("r"))).isInstanceOf(RESTCatalog.class);
            env.executeSql("USE CATALOG r");
            assertThat(first("SHOW DATABASES")).containsExactly("default", "sales");
            assertThat(tokens).containsExactly("Bearer hush");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aRestCatalogWithoutItsServerNamesTheUri() throws Exception {
        int closedPort;
        try (ServerSocket socket = new ServerSocket(0)) {
            closedPort = socket.getLocalPort();
        }
        String uri = "http://127.0.0.1:" + closedPort;
        assertThatThrownBy(() -> env.executeSql("CREATE CATALOG r WITH ('type'='paimon','metastore'='rest','uri'='"
                        + uri + "','token.provider'='bear','token'='hush')"))
                .rootCause()
                .hasMessageStartingWith("Catalog 'r' cannot be opened: the REST catalog at " + uri + " (option 'uri')")
                .hasMessageContaining("Check that it runs there")
                .hasMessageNotContaining("hush");
    }

    @Test
    void anUnknownMetastoreIsRefusedWithThoseThatAreKnown() {
        assertThatThrownBy(
                        () -> env.executeSql("CREATE CATALOG m WITH ('type'='paimon','metastore'='hyve','warehouse'='"
                                + folder.toUri() + "')"))
                .rootCause()
                .hasMessage("Catalog 'm': option 'metastore' is 'hyve'; accepted is one of filesystem, hive, jdbc,"
                        + " rest.");
    }

    @Test
    void theHiveMetastoreWithoutItsClientSaysWhatIsMissingAndWhichJarCannotHaveIt() {
        assertThatThrownBy(() -> env.executeSql(
                        "CREATE CATALOG h WITH ('type'='paimon','metastore'='hive','uri'='thrift://localhost:1','warehouse'='"
                                + folder.toUri() + "')"))
                .rootCause()
                .hasMessageStartingWith(
                        "Catalog 'h' cannot be opened: the Hive metastore needs Hive's client and Hadoop")
                .hasMessageContaining("put the thin jar sluice-flink-connector and its dependencies beside Hive's");
    }

    private FlinkCatalog engineOf(String name) {
        return (FlinkCatalog) env.getCatalog(name).orElseThrow();
    }

    private org.apache.paimon.catalog.Catalog engine(String name) {
        return engineOf(name).catalog();
    }

    private List<String> first(String sql) throws Exception {
        List<String> names = new ArrayList<>();
        try (CloseableIterator<Row> rows = env.executeSql(sql).collect()) {
            rows.forEachRemaining(row -> names.add(String.valueOf(row.getField(0))));
        }
        return names;
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        try (exchange) {
            byte[] bytes = (body == null ? "{\"code\":404,\"message\":\"no such thing\"}" : body)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(body == null ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
