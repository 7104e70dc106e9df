/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files behind ./quickstart with the SQL jar on every supported Flink: streaming writes, lookup joins, batch reads. */
final class QuickstartE2ECase {
    private static final String COUNTS = """
            -- customers
            SELECT COUNT(*) FROM customers;
            -- orders
            SELECT COUNT(*) FROM orders;
            -- line items
            SELECT COUNT(*) FROM line_items;
            -- without a customer
            SELECT COUNT(*) FROM line_items WHERE c_name IS NULL;
            -- years of revenue
            SELECT COUNT(DISTINCT order_year) FROM segment_revenue;
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"2.0", "2.1", "2.2", "2.3"})
    void loadsAllOfTpch(String flink) throws Exception {
        List<String> arguments = new ArrayList<>();
        for (Path file : Installed.quickstartFiles()) {
            arguments.add(file.toString());
        }
        arguments.add(Files.writeString(folder.resolve("counts.sql"), COUNTS).toString());
        arguments.addAll(List.of("warehouse=" + folder.resolve("wh"), "scale=0.01", "orders_per_second=20000"));

        ChildJvm.Finished run = ChildJvm.of(
                        "quickstart-" + flink,
                        Installed.flinkWithSqlJarAndTpch(flink),
                        "dev.sluice.e2e.SqlFile",
                        arguments.toArray(String[]::new))
                .run()
                .expectSuccess();

        // TPC-H at scale 0.01 has these many rows by its specification, its line items by its reference generator.
        assertThat(run.rows("customers")).as(run.transcript()).containsExactly("+I[1500]");
        assertThat(run.rows("orders")).containsExactly("+I[15000]");
        assertThat(run.rows("line items")).containsExactly("+I[60175]");
        assertThat(run.rows("without a customer")).containsExactly("+I[0]");
        assertThat(run.rows("years of revenue")).containsExactly("+I[7]");
    }
}
