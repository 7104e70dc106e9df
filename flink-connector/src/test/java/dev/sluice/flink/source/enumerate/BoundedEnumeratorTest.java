/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.TestSplits;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.store.PartitionValues;
import dev.sluice.flink.store.StoreTable;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.connector.source.DynamicFilteringData;
import org.apache.flink.table.connector.source.DynamicFilteringEvent;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.IntType;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.table.FormatTable;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BoundedEnumeratorTest {

    private final FakeContext context = new FakeContext(2);

    private static List<Split> splits(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> (Split) TestSplits.engineSplit(1, i))
                .toList();
    }

    private static List<Split> mustNotPlan() {
        throw new AssertionError("planned a second time");
    }

    @Test
    void requestsThatComeBeforeThePlanAreAnsweredAfterIt() {
        BoundedEnumerator enumerator = BoundedEnumerator.fresh(context, () -> splits(3), PartitionValues.NONE);
        enumerator.start();
        enumerator.handleSplitRequest(0, null);
        enumerator.handleSplitRequest(1, null);
        assertThat(context.takeAssigned(0)).isEmpty();

        context.runAsked();

        assertThat(context.takeAssigned(0)).containsExactly("bounded-0");
        assertThat(context.takeAssigned(1)).containsExactly("bounded-1");
    }

    @Test
    void everyRequestGetsOneSplitAndTheLastOnesAnEnd() {
        BoundedEnumerator enumerator = BoundedEnumerator.fresh(context, () -> splits(3), PartitionValues.NONE);
        enumerator.start();
        context.runAsked();
        for (int i = 0; i < 3; i++) {
            enumerator.handleSplitRequest(1, null);
        }
        assertThat(context.takeAssigned(1)).containsExactly("bounded-0", "bounded-1", "bounded-2");
        assertThat(context.noMoreSplits).isEmpty();

        enumerator.handleSplitRequest(1, null);
        enumerator.handleSplitRequest(0, null);

        assertThat(context.noMoreSplits).containsExactly(0, 1);
    }

    @Test
    void twoRequestsOfOneReaderBeforeThePlanGetTwoSplits() {
        BoundedEnumerator enumerator = BoundedEnumerator.fresh(context, () -> splits(3), PartitionValues.NONE);
        enumerator.start();
        enumerator.handleSplitRequest(0, null);
        enumerator.handleSplitRequest(0, null);

        context.runAsked();

        assertThat(context.takeAssigned(0)).containsExactly("bounded-0", "bounded-1");
    }

    @Test
    void returnedSplitsComeFirstAndInOrder() {
        BoundedEnumerator enumerator = BoundedEnumerator.fresh(context, () -> splits(3), PartitionValues.NONE);
        enumerator.start();
        context.runAsked();
        enumerator.addSplitsBack(List.of(TestSplits.split("back-1", 1, 0), TestSplits.split("back-2", 1, 1)), 1);

        enumerator.handleSplitRequest(0, null);
        enumerator.handleSplitRequest(0, null);
        enumerator.handleSplitRequest(0, null);

        assertThat(context.takeAssigned(0)).containsExactly("back-1", "back-2", "bounded-0");
    }

    @Test
    void aReaderThatIsGoneGetsNothing() {
        BoundedEnumerator enumerator = BoundedEnumerator.fresh(context, () -> splits(1), PartitionValues.NONE);
        enumerator.start();
        enumerator.handleSplitRequest(0, null);
        context.unregister(0);
        context.runAsked();

        enumerator.handleSplitRequest(1, null);

        assertThat(context.takeAssigned(0)).isEmpty();
        assertThat(context.takeAssigned(1)).containsExactly("bounded-0");
    }

    @Test
    void aCheckpointHoldsWhatIsLeftAndIsNotPlannedAgain() throws Exception {
        BoundedEnumerator enumerator = BoundedEnumerator.fresh(context, () -> splits(2), PartitionValues.NONE);
        enumerator.start();
        context.runAsked();
        enumerator.handleSplitRequest(0, null);
        EnumeratorState state = enumerator.snapshotState(1);
        assertThat(state.waiting()).extracting(PaimonSplit::splitId).containsExactly("bounded-1");

        FakeContext later = new FakeContext(1);
        BoundedEnumerator restored =
                BoundedEnumerator.restored(later, BoundedEnumeratorTest::mustNotPlan, PartitionValues.NONE, state);
        restored.start();
        later.runAsked();
        restored.handleSplitRequest(0, null);
        restored.handleSplitRequest(0, null);

        assertThat(later.takeAssigned(0)).containsExactly("bounded-1");
        assertThat(later.noMoreSplits).containsExactly(0);
    }

    @Test
    void aCheckpointBeforeThePlanPlansAgain() {
        BoundedEnumerator enumerator = BoundedEnumerator.fresh(context, () -> splits(2), PartitionValues.NONE);
        enumerator.start();
        EnumeratorState state = enumerator.snapshotState(1);

        FakeContext later = new FakeContext(1);
        BoundedEnumerator restored = BoundedEnumerator.restored(later, () -> splits(1), PartitionValues.NONE, state);
        restored.start();
        later.runAsked();
        restored.handleSplitRequest(0, null);

        assertThat(later.takeAssigned(0)).containsExactly("bounded-0");
    }

    @Test
    void aFailedPlanFailsTheJobWithItsOwnMessage() {
        BoundedEnumerator enumerator = BoundedEnumerator.fresh(
                context,
                () -> {
                    throw new IllegalStateException("Table t cannot be planned.");
                },
                PartitionValues.NONE);
        enumerator.start();

        assertThatThrownBy(context::runAsked)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Table t cannot be planned.");
    }

    private static PartitionValues days() {
        return PartitionValues.of(
                StoreTable.of(
                        "t",
                        FormatTable.builder()
                                .fileIO(LocalFileIO.create())
                                .identifier(Identifier.create("db", "t"))
                                .rowType(RowType.of(
                                        new DataType[] {DataTypes.INT(), DataTypes.INT()}, new String[] {"day", "x"}))
                                .partitionKeys(List.of("day"))
                                .location("file:/nowhere")
                                .format(FormatTable.Format.PARQUET)
                                .options(Map.of())
                                .build()),
                List.of("day"));
    }

    private static DynamicFilteringEvent only(int day) throws Exception {
        org.apache.flink.table.types.logical.RowType type =
                org.apache.flink.table.types.logical.RowType.of(new IntType());
        InternalTypeInfo<RowData> info = InternalTypeInfo.of(type);
        DataOutputSerializer out = new DataOutputSerializer(32);
        info.createSerializer(new SerializerConfigImpl()).serialize(GenericRowData.of(day), out);
        return new DynamicFilteringEvent(new DynamicFilteringData(info, type, List.of(out.getCopyOfBuffer()), true));
    }

    private static List<Split> daily(int days) {
        return IntStream.range(0, days)
                .mapToObj(day -> (Split) TestSplits.engineSplit(1, TestSplits.partition(day), 0, List.of()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void partitionsThatTheOtherSideOfAJoinLacksAreLeftOut(boolean filterFirst) throws Exception {
        BoundedEnumerator enumerator = BoundedEnumerator.fresh(context, () -> daily(4), days());
        enumerator.start();
        if (filterFirst) {
            enumerator.handleSourceEvent(0, only(2));
        }
        context.runAsked();
        if (!filterFirst) {
            enumerator.handleSourceEvent(0, only(2));
        }
        for (int i = 0; i < 4; i++) {
            enumerator.handleSplitRequest(0, null);
        }

        assertThat(context.takeAssigned(0)).containsExactly("bounded-2");
        assertThat(context.noMoreSplits).containsExactly(0);
    }
}
