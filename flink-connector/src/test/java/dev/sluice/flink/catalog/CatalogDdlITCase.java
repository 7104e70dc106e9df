/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.flink.FlinkCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The DDL of the official connector's catalog, through ours. */
final class CatalogDdlITCase {

    @TempDir
    Path warehouse;

    private TableEnvironment env;

    @BeforeEach
    void createCatalog() {
        env = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        env.executeSql("CREATE CATALOG p WITH ('type'='paimon','warehouse'='" + warehouse.toUri() + "')");
        env.executeSql("USE CATALOG p");
    }

    @Test
    void theCatalogIsOursAndStaysTheOfficialOneForCodeThatUnwrapsIt() {
        assertThat(env.getCatalog("p")).get().isInstanceOf(PaimonCatalog.class).isInstanceOf(FlinkCatalog.class);
    }

    @Test
    void tablesAreCreatedAlteredDescribedAndDropped() throws Exception {
        env.executeSql("CREATE TABLE t (id BIGINT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket'='2')");
        env.executeSql("ALTER TABLE t ADD w INT");
        assertThat(rows("DESCRIBE t"))
                .extracting(r -> r.getField(0) + " " + r.getField(1))
                .containsExactly("id BIGINT", "v STRING", "w INT");
        env.executeSql("DROP TABLE t");
        assertThat(rows("SHOW TABLES")).isEmpty();
    }

    private List<Row> rows(String sql) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> result = env.executeSql(sql).collect()) {
            result.forEachRemaining(rows::add);
        }
        return rows;
    }
}
