/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

final class RowPageTest {

    private static final RowType TYPE = RowType.of(new IntType(), new VarCharType(VarCharType.MAX_LENGTH));

    private final RowWriter writer = new RowWriter(TYPE);
    private final PagePool pool = new PagePool(TYPE.getFieldCount());

    private RowPage page() throws InterruptedException {
        RowPage page = pool.take();
        page.start("split");
        return page;
    }

    private void add(RowPage page, RowKind kind, int number, String text) {
        page.rows().add(writer.write(GenericRowData.ofKind(kind, number, StringData.fromString(text))));
    }

    @Test
    void givesRowsBackInOrderWithTheirKinds() throws Exception {
        RowPage page = page();
        add(page, RowKind.UPDATE_BEFORE, 1, "a longer text than eight bytes");
        add(page, RowKind.UPDATE_AFTER, 2, "");
        page.seal(true);

        assertThat(page.nextSplit()).isEqualTo("split");
        assertThat(page.nextRecordFromSplit()).isSameAs(page);
        RowData first = page.nextOfTurn();
        assertThat(first.getRowKind()).isEqualTo(RowKind.UPDATE_BEFORE);
        assertThat(first.getInt(0)).isEqualTo(1);
        assertThat(first.getString(1)).hasToString("a longer text than eight bytes");
        RowData second = page.nextOfTurn();
        assertThat(second.getRowKind()).isEqualTo(RowKind.UPDATE_AFTER);
        assertThat(second.getString(1)).hasToString("");
        assertThat(page.nextOfTurn()).isNull();
        assertThat(page.nextRecordFromSplit()).isNull();
        assertThat(page.nextSplit()).isNull();
        assertThat(page.finishedSplits()).containsExactly("split");
    }

    @Test
    void aReusedPageHoldsNothingOfBefore() throws Exception {
        RowPage page = page();
        add(page, RowKind.INSERT, 1, "x");
        page.seal(true).recycle();
        pool.take();

        RowPage again = page();
        assertThat(again).isSameAs(page);
        add(again, RowKind.DELETE, 2, "y");
        again.seal(false);

        assertThat(again.nextSplit()).isEqualTo("split");
        assertThat(again.nextRecordFromSplit().nextOfTurn().getInt(0)).isEqualTo(2);
        assertThat(again.nextRecordFromSplit()).isNull();
        assertThat(again.finishedSplits()).isEmpty();
    }

    @Test
    void isFullAtItsRowsAndAtItsBytes() throws Exception {
        RowPage byRows = page();
        for (int i = 0; i < RowPage.MAX_ROWS; i++) {
            assertThat(byRows.isFull()).isFalse();
            add(byRows, RowKind.INSERT, i, "");
        }
        assertThat(byRows.isFull()).isTrue();

        RowPage byBytes = page();
        add(byBytes, RowKind.INSERT, 1, "x".repeat(3 * RowPage.TARGET_BYTES));
        assertThat(byBytes.isFull()).isTrue();
        byBytes.seal(true);
        byBytes.nextSplit();
        assertThat(byBytes.nextRecordFromSplit().nextOfTurn().getString(1).toBytes())
                .hasSize(3 * RowPage.TARGET_BYTES);
    }

    @Test
    void aTurnHasABoundedNumberOfRows() throws Exception {
        RowPage page = page();
        for (int i = 0; i < RowPage.ROWS_PER_TURN + 2; i++) {
            add(page, RowKind.INSERT, i, "");
        }
        page.seal(true).nextSplit();

        int next = 0;
        List<Integer> turns = new ArrayList<>();
        while (page.nextRecordFromSplit() != null) {
            int rows = 0;
            for (RowData row = page.nextOfTurn(); row != null; row = page.nextOfTurn()) {
                assertThat(row.getInt(0)).isEqualTo(next++);
                rows++;
            }
            turns.add(rows);
        }
        assertThat(turns).containsExactly(RowPage.ROWS_PER_TURN, 2);
    }

    @Test
    void whoeverWaitsForAPageIsWokenByOneOrByACall() throws Exception {
        RowPage first = pool.take();
        pool.take();
        CompletableFuture<RowPage> waiting = CompletableFuture.supplyAsync(this::takeUnchecked);
        pool.give(first);
        assertThat(waiting.get(10, TimeUnit.SECONDS)).isSameAs(first);

        CompletableFuture<RowPage> woken = CompletableFuture.supplyAsync(this::takeUnchecked);
        pool.wakeUp();
        assertThat(woken.get(10, TimeUnit.SECONDS)).isNull();
    }

    private RowPage takeUnchecked() {
        try {
            return pool.take();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
