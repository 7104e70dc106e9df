/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trino.tpch.TpchEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class TpchSplitTest {

    /** TPC-H's cardinalities; those of line items are what its own generator gives at these scales. */
    @ParameterizedTest
    @CsvSource({
        "CUSTOMER, 0.01, 1500",
        "ORDERS, 0.01, 15000",
        "LINEITEM, 0.01, 60175",
        "CUSTOMER, 0.05, 7500",
        "ORDERS, 0.05, 75000",
    })
    void allPartsTogetherHaveTheRowsOfTheSpecification(TpchTables table, double scale, int rows) {
        for (int parts : new int[] {1, 3}) {
            assertThat(all(table, scale, parts)).hasSize(rows);
        }
    }

    @ParameterizedTest
    @EnumSource
    void partsHoldTheSameRowsAsTheWhole(TpchTables table) {
        assertThat(all(table, 0.001, 4)).isEqualTo(all(table, 0.001, 1));
    }

    @ParameterizedTest
    @EnumSource
    void goesOnWhereACheckpointStopped(TpchTables table) throws IOException {
        TpchSplit split = new TpchSplit(table, 0.001, 2, 2, 0);
        List<String> undisturbed = lines(split.getIterator());
        TpchSplitSerializer serializer = new TpchSplitSerializer();

        TpchRows rows = split.getIterator();
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            seen.add(rows.next().toLine());
        }
        byte[] checkpoint = serializer.serialize(split.getUpdatedSplitForIterator(rows));
        seen.addAll(lines(serializer.deserialize(1, checkpoint).getIterator()));

        assertThat(seen).isEqualTo(undisturbed);
    }

    @Test
    void checkpointsKeepTheirFormat() throws IOException {
        TpchSplit split = new TpchSplit(TpchTables.ORDERS, 0.05, 1, 2, 258);
        String golden = "00064f5244455253" + "3fa999999999999a" + "00000001" + "00000002" + "0000000000000102";
        TpchSplitSerializer one = new TpchSplitSerializer();
        assertThat(HexFormat.of().formatHex(one.serialize(split))).isEqualTo(golden);
        assertThat(one.deserialize(1, HexFormat.of().parseHex(golden))).isEqualTo(split);

        byte[] all = TpchSplitSerializer.ofAll().serialize(List.of(split));
        assertThat(HexFormat.of().formatHex(all)).isEqualTo("00000001" + golden);
        assertThat(TpchSplitSerializer.ofAll().deserialize(1, all)).containsExactly(split);
    }

    @Test
    void refusesACheckpointOfAnotherVersion() {
        assertThatThrownBy(() -> new TpchSplitSerializer().deserialize(2, new byte[0]))
                .hasMessage("A checkpoint holds TPC-H splits of version 2, this version reads version 1."
                        + " Start the job without the checkpoint; the data is generated anew.");
    }

    @Test
    void makesNoMorePartsThanThereAreRows() {
        assertThat(TpchTables.CUSTOMER.parts(0.00001, 8)).isEqualTo(1);
        assertThat(TpchTables.CUSTOMER.parts(0.01, 8)).isEqualTo(8);
    }

    private static List<String> all(TpchTables table, double scale, int parts) {
        List<String> lines = new ArrayList<>();
        for (int part = 1; part <= parts; part++) {
            lines.addAll(lines(new TpchSplit(table, scale, part, parts, 0).getIterator()));
        }
        return lines;
    }

    private static List<String> lines(Iterator<TpchEntity> rows) {
        List<String> lines = new ArrayList<>();
        rows.forEachRemaining(row -> lines.add(row.toLine()));
        return lines;
    }
}
