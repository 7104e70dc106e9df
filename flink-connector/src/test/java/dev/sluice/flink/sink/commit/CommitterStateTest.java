/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.store.PendingCommit;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.junit.jupiter.api.Test;

final class CommitterStateTest {

    @Test
    void stateOfTheFirstVersionCanStillBeRead() throws Exception {
        CommitterState state = CommitterState.fromBytes(golden("committer-state-v1.bin"));

        assertThat(state.commitUser()).isEqualTo("nightly_1b4e28ba");
        assertThat(state.pending()).hasSize(2);
        PendingCommit first = state.pending().get(0);
        assertThat(first.checkpointId()).isEqualTo(17);
        assertThat(first.watermark()).isEqualTo(1_700_000_000_000L);
        assertThat(Messages.fileNames(first.messages())).containsExactly("data-a.parquet", "data-b.parquet");
        CommitMessage second = first.messages().get(1);
        assertThat(second.bucket()).isEqualTo(3);
        assertThat(second.totalBuckets()).isEqualTo(4);
        assertThat(second.partition()).isEqualTo(BinaryRow.singleColumn(42));
        assertThat(state.pending().get(1)).isEqualTo(new PendingCommit(18, null, List.of()));
        assertThat(state.unmarkedPartitions()).isEmpty();
        assertThat(state.untaggedSavepoints()).isEmpty();
        assertThat(state.untold()).isEmpty();
    }

    @Test
    void stateOfTheSecondVersionCanStillBeRead() throws Exception {
        byte[] written = HexFormat.of()
                .parseHex("00000002" + "0004" + "75736572" + "00000000" // version, commit user, no pending commits
                        + "00000001" + "000e" + "64743d323032362d30312d30312f" // one partition
                        + "00000001" + "0000000000000005"); // one savepoint
        assertThat(CommitterState.fromBytes(written))
                .isEqualTo(new CommitterState("user", List.of(), List.of("dt=2026-01-01/"), List.of(5L), List.of()));
    }

    @Test
    void stateOfTheThirdVersionIsTheSecondsAndCommitsThatListenersDoNotKnow() throws Exception {
        byte[] written = HexFormat.of()
                .parseHex("00000003" + "0004" + "75736572" + "00000000" + "00000000" + "00000000"
                        + "00000001" + "0000000000000007" + "01" + "0000000000000009" // one commit with its watermark
                        + messagesVersion() + "00000000"); // without files
        CommitterState state = new CommitterState(
                "user", List.of(), List.of(), List.of(), List.of(new PendingCommit(7, 9L, List.of())));
        assertThat(CommitterState.fromBytes(written)).isEqualTo(state);
        assertThat(state.toBytes()).isEqualTo(written);
    }

    /** The engine's own, which may rise with its releases. */
    private static String messagesVersion() {
        return HexFormat.of().toHexDigits(new CommitMessageSerializer().getVersion());
    }

    @Test
    void whatIsWrittenIsReadBack() throws Exception {
        CommitterState state = new CommitterState(
                "user",
                List.of(new PendingCommit(5, -1L, List.of(Messages.adding(0, "x"), Messages.adding(1, "y")))),
                List.of("dt=2026-01-01/"),
                List.of(5L),
                List.of(new PendingCommit(4, null, List.of(Messages.adding(0, "w")))));
        assertThat(CommitterState.fromBytes(state.toBytes())).isEqualTo(state);
    }

    @Test
    void stateOfANewerVersionIsRefusedWithAdvice() {
        assertThatThrownBy(() -> CommitterState.fromBytes(new byte[] {0, 0, 0, 9}))
                .isInstanceOf(IOException.class)
                .hasMessage("The committer's state has version 9, this version reads 1 to 3."
                        + " Restore with the Sluice version that wrote the checkpoint, or a newer one.");
    }

    @Test
    void committablesSurviveTheNetwork() throws Exception {
        Committable sent = new Committable(9, 2, 3, true, List.of(Messages.adding(2, "z")));
        DataOutputSerializer out = new DataOutputSerializer(64);
        CommittableSerializer.INSTANCE.serialize(sent, out);
        assertThat(CommittableSerializer.INSTANCE.deserialize(new DataInputDeserializer(out.getCopyOfBuffer())))
                .isEqualTo(sent);
    }

    private static byte[] golden(String file) throws IOException {
        try (InputStream in = CommitterStateTest.class.getResourceAsStream("/dev/sluice/flink/sink/" + file)) {
            assertThat(in).as(file).isNotNull();
            return in.readAllBytes();
        }
    }
}
