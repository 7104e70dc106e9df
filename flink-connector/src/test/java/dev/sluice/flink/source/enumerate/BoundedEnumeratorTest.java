/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.TestSplits;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.store.PartitionValues;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.paimon.table.source.Split;
import org.junit.jupiter.api.Test;

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
}
