/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.settings.ReadSettings;
import dev.sluice.flink.source.TestSplits;
import dev.sluice.flink.source.split.InFlight;
import dev.sluice.flink.source.split.PaimonSplit;
import dev.sluice.flink.source.split.ReaderStarted;
import dev.sluice.flink.source.split.SplitsFinished;
import dev.sluice.flink.store.SnapshotFollower;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.apache.flink.configuration.Configuration;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.table.source.Split;
import org.junit.jupiter.api.Test;

final class ContinuousEnumeratorTest {

    private static final boolean ORDERED = true;
    private static final boolean UNORDERED = false;
    /** Of each split. */
    private static final long ROWS = 5;

    private FollowRules rules(boolean ordered, String... options) {
        Configuration set = new Configuration();
        for (int i = 0; i < options.length; i += 2) {
            set.setString(options[i], options[i + 1]);
        }
        return new FollowRules(ordered, endsWithPresent, ReadSettings.from(set).stream(), 10, () -> context.millis);
    }

    private boolean endsWithPresent;
    private final FakeContext context = new FakeContext(2);
    private final FakeFollower follower = new FakeFollower();

    /** Gives the steps it was told, then waits. */
    private static final class FakeFollower implements ContinuousEnumerator.Follower {

        private final Queue<SnapshotFollower.Step> steps = new ArrayDeque<>();
        private final List<Long> kept = new ArrayList<>();
        private Long position;
        private int looks;
        private Long latest;

        @Override
        public Long latest() {
            return latest;
        }

        /** @param buckets one split each */
        void snapshot(long id, Integer... buckets) {
            List<Split> splits = Arrays.stream(buckets)
                    .map(bucket -> (Split) TestSplits.engineSplit(
                            id, BinaryRow.EMPTY_ROW, bucket, List.of(TestSplits.file("f", 100, ROWS))))
                    .toList();
            steps.add(new SnapshotFollower.Found(splits, id + 1));
        }

        @Override
        public SnapshotFollower.Step next() {
            looks++;
            SnapshotFollower.Step step = steps.poll();
            if (step instanceof SnapshotFollower.Found found) {
                position = found.position();
            }
            return step == null ? new SnapshotFollower.Waiting(position) : step;
        }

        @Override
        public void keepFrom(long oldest) {
            kept.add(oldest);
        }
    }

    private ContinuousEnumerator started(boolean ordered) {
        ContinuousEnumerator enumerator = ContinuousEnumerator.fresh(context, follower, rules(ordered));
        enumerator.start();
        enumerator.handleSourceEvent(0, new ReaderStarted(List.of()));
        enumerator.handleSourceEvent(1, new ReaderStarted(List.of()));
        return enumerator;
    }

    @Test
    void theSplitsOfABucketGoToOneReaderInSnapshotOrder() {
        follower.snapshot(1, 0, 1, 2);
        follower.snapshot(2, 2, 0);
        ContinuousEnumerator enumerator = started(ORDERED);
        context.runAsked();

        for (int i = 0; i < 5; i++) {
            enumerator.handleSplitRequest(0, null);
            enumerator.handleSplitRequest(1, null);
        }

        int even = InFlight.of(TestSplits.split("x", 1, 0)).bucket() % 2 == 0 ? 0 : 1;
        assertThat(context.takeAssigned(even)).containsExactly("2-0", "2-2", "3-0", "3-1");
        assertThat(context.takeAssigned(1 - even)).containsExactly("2-1");
    }

    @Test
    void unorderedSplitsGoToWhoeverAsks() {
        follower.snapshot(1, 0, 0, 0);
        ContinuousEnumerator enumerator = started(UNORDERED);
        context.runAsked();

        enumerator.handleSplitRequest(1, null);
        enumerator.handleSplitRequest(1, null);
        enumerator.handleSplitRequest(0, null);

        assertThat(context.takeAssigned(1)).containsExactly("2-0", "2-1");
        assertThat(context.takeAssigned(0)).containsExactly("2-2");
    }

    /** Sooner, it would be taken for idle, and its first rows for late. */
    @Test
    void aReaderWithoutSplitsHearsSoWhenTheTableIsReadToItsEnd() {
        follower.snapshot(1, 0);
        follower.snapshot(2, 0);
        ContinuousEnumerator enumerator = started(UNORDERED);
        enumerator.handleSplitRequest(0, null);
        enumerator.handleSplitRequest(1, null);
        assertThat(context.toldOfNothing).isEmpty();
        context.runAsked();
        assertThat(context.takeAssigned(0)).containsExactly("2-0");
        assertThat(context.takeAssigned(1)).containsExactly("3-0");
        enumerator.handleSplitRequest(0, null);
        enumerator.handleSplitRequest(1, null);
        context.tick();
        context.runAsked();
        assertThat(context.toldOfNothing).as("both have had something").isEmpty();
    }

    @Test
    void aReaderHearsOnceThatNothingIsForIt() {
        follower.snapshot(1, 0);
        ContinuousEnumerator enumerator = started(UNORDERED);
        enumerator.handleSplitRequest(0, null);
        enumerator.handleSplitRequest(1, null);
        context.runAsked();
        assertThat(context.toldOfNothing).containsExactly(1);
        context.tick();
        context.runAsked();
        enumerator.handleSplitRequest(1, null);
        assertThat(context.toldOfNothing).containsExactly(1);

        enumerator.addSplitsBack(List.of(), 1);
        enumerator.handleSourceEvent(1, new ReaderStarted(List.of()));
        enumerator.handleSplitRequest(1, null);
        assertThat(context.toldOfNothing).as("started anew").containsExactly(1, 1);
    }

    @Test
    void aRequestThatFindsNothingIsAnsweredByTheNextSnapshot() {
        ContinuousEnumerator enumerator = started(UNORDERED);
        context.runAsked();
        enumerator.handleSplitRequest(0, null);
        assertThat(context.takeAssigned(0)).isEmpty();

        follower.snapshot(1, 0);
        context.tick();
        context.runAsked();

        assertThat(context.takeAssigned(0)).containsExactly("2-0");
    }

    @Test
    void afterOneSnapshotTheNextIsLookedForAtOnceAndThenOnlyWithTheClock() {
        follower.snapshot(1, 0);
        follower.snapshot(2, 0);
        started(UNORDERED);
        context.runAsked();
        assertThat(follower.looks).isEqualTo(3);

        context.runAsked();
        assertThat(follower.looks).isEqualTo(3);

        context.tick();
        context.runAsked();
        assertThat(follower.looks).isEqualTo(4);
    }

    @Test
    void aLookThatIsDueWhileOneIsUnderWayIsLeftOut() {
        started(UNORDERED);
        assertThat(context.askedFor()).isEqualTo(1);

        context.tick();
        context.tick();

        assertThat(context.askedFor()).isEqualTo(1);
    }

    @Test
    void planningRestsWhileTheReadersAreBehind() {
        for (int snapshot = 1; snapshot <= 10; snapshot++) {
            follower.snapshot(snapshot, 0, 0, 0, 0, 0);
        }
        ContinuousEnumerator enumerator = started(UNORDERED);
        context.runAsked();
        assertThat(follower.looks)
                .as("4 snapshots of 5 splits fill 2 readers' share")
                .isEqualTo(4);
        context.tick();
        context.runAsked();
        assertThat(follower.looks).isEqualTo(4);

        enumerator.handleSplitRequest(0, null);
        context.runAsked();

        assertThat(follower.looks).isEqualTo(5);
    }

    @Test
    void theEndOfTheTableReachesReadersOnlyWhenNothingWaits() {
        follower.snapshot(1, 0);
        follower.steps.add(new SnapshotFollower.Ended());
        ContinuousEnumerator enumerator = started(UNORDERED);
        context.runAsked();

        enumerator.handleSplitRequest(0, null);
        assertThat(context.noMoreSplits).isEmpty();
        enumerator.handleSplitRequest(0, null);
        enumerator.handleSplitRequest(1, null);

        assertThat(context.noMoreSplits).containsExactly(0, 1);
        context.tick();
        assertThat(context.askedFor()).isZero();
    }

    @Test
    void aReadThatEndsWithThePresentLeavesOutWhatIsCommittedLater() {
        endsWithPresent = true;
        follower.latest = 2L;
        follower.snapshot(1, 0);
        follower.snapshot(2, 0);
        follower.snapshot(3, 0);
        ContinuousEnumerator enumerator = started(UNORDERED);
        context.runAsked();
        follower.latest = 3L;
        context.tick();
        context.runAsked();

        for (int i = 0; i < 3; i++) {
            enumerator.handleSplitRequest(0, null);
        }

        assertThat(context.takeAssigned(0)).containsExactly("2-0", "3-0");
        assertThat(context.noMoreSplits).containsExactly(0);
        assertThat(enumerator.snapshotState(1).last()).isEqualTo(2L);
    }

    @Test
    void aSnapshotThatHoldsNothingToReadMayBeTheLast() {
        endsWithPresent = true;
        follower.latest = 2L;
        follower.snapshot(1, 0);
        follower.snapshot(3, 0);
        ContinuousEnumerator enumerator = started(UNORDERED);
        context.runAsked();

        enumerator.handleSplitRequest(0, null);
        enumerator.handleSplitRequest(0, null);

        assertThat(context.takeAssigned(0)).containsExactly("2-0");
        assertThat(context.noMoreSplits).containsExactly(0);
    }

    @Test
    void aReadOfAnEmptyTableThatEndsWithThePresentEndsAtOnce() {
        endsWithPresent = true;
        ContinuousEnumerator enumerator = started(UNORDERED);
        context.runAsked();

        enumerator.handleSplitRequest(0, null);

        assertThat(context.noMoreSplits).containsExactly(0);
    }

    @Test
    void aRestoredReadEndsWhereTheFirstOneWould() {
        endsWithPresent = true;
        follower.latest = 2L;
        follower.snapshot(1, 0);
        ContinuousEnumerator enumerator = started(UNORDERED);
        context.runAsked();
        EnumeratorState state = enumerator.snapshotState(1);

        follower.latest = 3L;
        follower.snapshot(2, 0);
        follower.snapshot(3, 0);
        FakeContext later = new FakeContext(2);
        ContinuousEnumerator restored = ContinuousEnumerator.restored(later, follower, rules(UNORDERED), state);
        restored.start();
        later.runAsked();
        for (int i = 0; i < 3; i++) {
            restored.handleSplitRequest(1, null);
        }

        assertThat(later.takeAssigned(1)).containsExactly("2-0", "3-0");
        assertThat(later.noMoreSplits).containsExactly(1);
    }

    @Test
    void aRestoredEnumeratorGoesOnAndAReaderKeepsTheBucketItIsIn() {
        follower.snapshot(1, 0, 1);
        ContinuousEnumerator enumerator = started(ORDERED);
        context.runAsked();
        EnumeratorState state = enumerator.snapshotState(7);
        assertThat(state.position()).isEqualTo(2L);
        assertThat(state.complete()).isFalse();

        FakeContext later = new FakeContext(2);
        ContinuousEnumerator restored = ContinuousEnumerator.restored(later, follower, rules(ORDERED), state);
        restored.start();
        PaimonSplit held = TestSplits.split("1-0", 0, 0);
        int owner = Math.floorMod(InFlight.of(held).bucket(), 2);
        int other = 1 - owner;
        restored.handleSourceEvent(owner, new ReaderStarted(List.of()));
        restored.handleSplitRequest(owner, null);
        assertThat(later.takeAssigned(owner))
                .as("the other reader has not said what it holds")
                .isEmpty();

        restored.handleSourceEvent(other, new ReaderStarted(List.of(InFlight.of(held))));
        assertThat(later.takeAssigned(owner))
                .as("its only bucket is in the other reader's hands")
                .isEmpty();
        restored.handleSplitRequest(other, null);
        restored.handleSplitRequest(other, null);

        assertThat(later.takeAssigned(other)).containsExactlyInAnyOrder("2-0", "2-1");
    }

    @Test
    void splitsOfAFailedReaderGoBackToTheFrontAndWaitForIt() {
        follower.snapshot(1, 0);
        follower.snapshot(2, 0);
        ContinuousEnumerator enumerator = started(ORDERED);
        context.runAsked();
        int owner = Math.floorMod(InFlight.of(TestSplits.split("x", 1, 0)).bucket(), 2);
        enumerator.handleSplitRequest(owner, null);
        assertThat(context.takeAssigned(owner)).containsExactly("2-0");

        enumerator.addSplitsBack(List.of(TestSplits.split("2-0", 1, 0)), owner);
        enumerator.handleSourceEvent(owner, new ReaderStarted(List.of()));
        enumerator.handleSplitRequest(owner, null);
        enumerator.handleSplitRequest(owner, null);

        assertThat(context.takeAssigned(owner)).containsExactly("2-0", "3-0");
    }

    @Test
    void aConsumerKeepsWhatWaitsAndWhatIsBeingRead() {
        follower.snapshot(5, 0);
        follower.snapshot(6, 0);
        ContinuousEnumerator enumerator = started(UNORDERED);
        context.runAsked();
        enumerator.handleSplitRequest(0, null);

        enumerator.snapshotState(1);
        enumerator.handleSourceEvent(0, new SplitsFinished(List.of("6-0")));
        enumerator.snapshotState(2);
        enumerator.handleSplitRequest(0, null);
        enumerator.handleSourceEvent(0, new SplitsFinished(List.of("7-0")));
        enumerator.snapshotState(3);
        for (long checkpoint = 1; checkpoint <= 3; checkpoint++) {
            enumerator.notifyCheckpointComplete(checkpoint);
            context.runAsked();
        }

        assertThat(follower.kept).containsExactly(5L, 6L, 7L);
    }

    @Test
    void aConsumerStaysWhereItIsUntilAllReadersSaidWhatTheyHold() {
        follower.snapshot(5, 0);
        ContinuousEnumerator enumerator = ContinuousEnumerator.fresh(context, follower, rules(UNORDERED));
        enumerator.start();
        context.runAsked();
        enumerator.handleSourceEvent(0, new ReaderStarted(List.of()));

        enumerator.snapshotState(1);
        enumerator.notifyCheckpointComplete(1);
        context.runAsked();

        assertThat(follower.kept).isEmpty();
    }

    @Test
    void aFailedLookFailsTheJobWithItsOwnMessage() {
        ContinuousEnumerator enumerator = ContinuousEnumerator.fresh(
                context,
                new ContinuousEnumerator.Follower() {
                    @Override
                    public Long latest() {
                        return null;
                    }

                    @Override
                    public SnapshotFollower.Step next() {
                        throw new IllegalStateException("Table t cannot be read on at snapshot 3.");
                    }

                    @Override
                    public void keepFrom(long oldest) {
                        throw new AssertionError("no consumer");
                    }
                },
                rules(UNORDERED));
        enumerator.start();

        assertThatThrownBy(context::runAsked)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Table t cannot be read on at snapshot 3.");
    }

    private ContinuousEnumerator limited(String... options) {
        ContinuousEnumerator enumerator = ContinuousEnumerator.fresh(context, follower, rules(UNORDERED, options));
        enumerator.start();
        context.runAsked();
        for (int i = 0; i < 6; i++) {
            enumerator.handleSplitRequest(0, null);
        }
        return enumerator;
    }

    private void passes(long millis) {
        context.millis += millis - FakeContext.TICK_MILLIS;
        context.tick();
        context.runAsked();
    }

    /** Each of these splits has one file. */
    @Test
    void inEachIntervalNoMoreIsHandedOutThanTheLimit() {
        follower.snapshot(1, 0, 0, 0);
        follower.snapshot(2, 0);
        limited("read.stream.max-files-per-discovery", "2", "continuous.discovery-interval", "10 s");

        assertThat(context.takeAssigned(0)).containsExactly("2-0", "2-1");
        passes(9_000);
        assertThat(context.takeAssigned(0)).isEmpty();
        passes(1_000);
        assertThat(context.takeAssigned(0)).containsExactly("2-2", "3-0");
    }

    @Test
    void aSplitBeyondTheLimitGoesOutAlone() {
        follower.snapshot(1, 0, 0);
        limited("read.stream.max-bytes-per-discovery", "1", "continuous.discovery-interval", "10 s");

        assertThat(context.takeAssigned(0)).containsExactly("2-0");
        passes(10_000);
        assertThat(context.takeAssigned(0)).containsExactly("2-1");
    }

    @Test
    void fewRowsAreHeldBackUntilThereAreEnoughOrTheDelayIsOver() {
        follower.snapshot(1, 0);
        limited(
                "read.stream.min-rows-per-discovery",
                String.valueOf(2 * ROWS),
                "read.stream.max-discovery-delay",
                "30 s");
        assertThat(context.takeAssigned(0)).isEmpty();

        follower.snapshot(2, 0);
        passes(1_000);
        assertThat(context.takeAssigned(0)).containsExactly("2-0", "3-0");

        follower.snapshot(3, 0);
        passes(1_000);
        passes(29_000);
        assertThat(context.takeAssigned(0)).isEmpty();
        passes(2_000);
        assertThat(context.takeAssigned(0)).containsExactly("4-0");
    }

    @Test
    void betweenTwoCheckpointsNoMoreSnapshotsArePlannedThanTheLimit() {
        follower.snapshot(1, 0);
        follower.snapshot(2, 0);
        follower.snapshot(3, 0);
        ContinuousEnumerator enumerator = limited("scan.max-snapshot.count", "2");
        assertThat(context.takeAssigned(0)).containsExactly("2-0", "3-0");

        passes(5_000);
        assertThat(context.takeAssigned(0)).isEmpty();
        enumerator.snapshotState(1);
        passes(1_000);
        assertThat(context.takeAssigned(0)).containsExactly("4-0");
    }

    @Test
    void atRestTheTableIsLookedAtEverySecondAndMoreOftenAfterASnapshot() {
        started(UNORDERED);
        context.runAsked();
        for (int i = 0; i < 50; i++) {
            passes(100);
        }
        assertThat(follower.looks).isBetween(7, 9);

        follower.snapshot(1, 0);
        int before = follower.looks;
        for (int i = 0; i < 12; i++) {
            passes(100);
        }
        assertThat(follower.looks - before).isBetween(3, 6);
    }
}
