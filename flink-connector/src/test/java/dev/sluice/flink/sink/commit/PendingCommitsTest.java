/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.store.PendingCommit;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PendingCommitsTest {

    private final PendingCommits pending = new PendingCommits();

    private static Committable of(long checkpointId, int writer, boolean last, String... files) {
        List<String> names = List.of(files);
        return new Committable(
                checkpointId,
                writer,
                2,
                last,
                names.stream().map(name -> Messages.adding(writer, name)).toList());
    }

    @Test
    void filesOfAllWritersFormOneCommitOfTheirCheckpoint() {
        pending.add(of(3, 0, false, "a"));
        pending.add(of(3, 1, false, "b"));

        List<PendingCommit> sealed = pending.seal(3, 99L, false);

        assertThat(sealed).hasSize(1);
        assertThat(sealed.get(0).checkpointId()).isEqualTo(3);
        assertThat(sealed.get(0).watermark()).isEqualTo(99L);
        assertThat(Messages.fileNames(sealed.get(0).messages())).containsExactly("a", "b");
    }

    @Test
    void nothingLeavesBeforeItsCheckpointCompletes() {
        pending.add(of(1, 0, false, "a"));
        pending.seal(1, null, false);
        pending.add(of(2, 0, false, "b"));
        pending.seal(2, null, false);

        assertThat(pending.takeUpTo(1)).extracting(PendingCommit::checkpointId).containsExactly(1L);
        pending.committed(1);
        assertThat(pending.takeUpTo(2)).extracting(PendingCommit::checkpointId).containsExactly(2L);
    }

    @Test
    void anAbortedCheckpointIsCommittedByTheNextUnderItsOwnNumber() {
        pending.add(of(1, 0, false, "a"));
        pending.seal(1, null, false);
        pending.add(of(2, 1, false, "b"));

        assertThat(pending.seal(3, null, false))
                .extracting(PendingCommit::checkpointId)
                .containsExactly(1L, 2L);
        assertThat(pending.takeUpTo(3)).hasSize(2);
    }

    @Test
    void filesOfALaterCheckpointStayOutOfAnEarlierOnesState() {
        pending.add(of(1, 0, false, "a"));
        pending.add(of(2, 0, false, "early"));

        assertThat(pending.seal(1, null, false))
                .extracting(PendingCommit::checkpointId)
                .containsExactly(1L);
        assertThat(pending.takeUpTo(1)).hasSize(1);
        assertThat(pending.seal(2, null, false)).hasSize(2);
    }

    @Test
    void aCheckpointWithoutFilesIsNoCommitUnlessTheTableWantsOne() {
        assertThat(pending.seal(1, null, false)).isEmpty();
        assertThat(pending.seal(2, 5L, true)).containsExactly(new PendingCommit(2, 5L, List.of()));
    }

    @Test
    void filesAfterTheirBarrierAreABug() {
        pending.add(of(1, 0, false, "a"));
        pending.seal(1, null, false);
        assertThatThrownBy(() -> pending.add(of(1, 1, false, "late")))
                .hasMessage("Writer 1 sent files for checkpoint 1 after that checkpoint's barrier.");
    }

    @Test
    void aBatchJobCommitsOnceEveryWriterHasEnded() {
        pending.add(of(PendingCommit.END_OF_BATCH, 0, true, "a"));
        assertThatThrownBy(() -> pending.whole(null))
                .hasMessage("Only 1 of 2 writers have reported the end of their input; nothing is committed."
                        + " Run the job again.");

        pending.add(of(PendingCommit.END_OF_BATCH, 1, true));
        PendingCommit whole = pending.whole(null);
        assertThat(whole.checkpointId()).isEqualTo(Long.MAX_VALUE);
        assertThat(Messages.fileNames(whole.messages())).containsExactly("a");
    }

    @Test
    void aBatchJobWithoutWritersIsNotTakenForAnEmptyOne() {
        assertThatThrownBy(() -> pending.whole(null)).hasMessageContaining("Only 0 of the writers");
    }
}
