/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import org.junit.jupiter.api.Test;

final class WriterStateTest {

    @Test
    void stateOfTheFirstVersionCanStillBeRead() throws Exception {
        try (InputStream in = WriterStateTest.class.getResourceAsStream("/dev/sluice/flink/sink/writer-state-v1.bin")) {
            assertThat(in).isNotNull();
            assertThat(WriterState.fromBytes(in.readAllBytes()))
                    .isEqualTo(new WriterState("nightly_1b4e28ba", 17, true));
        }
    }

    @Test
    void whatIsWrittenIsReadBack() throws Exception {
        WriterState state = new WriterState("user", 3, false);
        assertThat(WriterState.fromBytes(state.toBytes())).isEqualTo(state);
    }

    @Test
    void theNewestCheckpointOfAnyWriterCounts() {
        WriterState old = new WriterState("user", 3, true);
        WriterState newer = new WriterState("user", 4, false);
        assertThat(old.with(newer)).isEqualTo(newer);
        assertThat(newer.with(old)).isEqualTo(newer);
        assertThat(newer.with(new WriterState("user", 4, true))).isEqualTo(new WriterState("user", 4, true));
    }

    @Test
    void stateOfANewerVersionIsRefusedWithAdvice() {
        assertThatThrownBy(() -> WriterState.fromBytes(new byte[] {0, 0, 0, 2}))
                .hasMessageStartingWith("The writer's state has version 2, this version reads 1. Restore with");
    }
}
