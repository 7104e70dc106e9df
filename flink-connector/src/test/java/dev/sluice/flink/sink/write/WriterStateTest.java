/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class WriterStateTest {

    @Test
    void stateOfTheFirstVersionCanStillBeRead() throws Exception {
        try (InputStream in = WriterStateTest.class.getResourceAsStream("/dev/sluice/flink/sink/writer-state-v1.bin")) {
            assertThat(in).isNotNull();
            assertThat(WriterState.fromBytes(in.readAllBytes())).isEqualTo(new WriterState("nightly_1b4e28ba"));
        }
    }

    @Test
    void whatIsWrittenIsReadBack() throws Exception {
        WriterState state = new WriterState("user");
        assertThat(WriterState.fromBytes(state.toBytes())).isEqualTo(state);
    }

    @Test
    void stateOfTheSecondVersionCanStillBeRead() throws Exception {
        byte[] written = HexFormat.of().parseHex("00000002" + "0010" + "6e696768746c795f3162346532386261");
        assertThat(WriterState.fromBytes(written)).isEqualTo(new WriterState("nightly_1b4e28ba"));
        assertThat(new WriterState("nightly_1b4e28ba").toBytes()).isEqualTo(written);
    }

    @Test
    void stateOfANewerVersionIsRefusedWithAdvice() {
        assertThatThrownBy(() -> WriterState.fromBytes(new byte[] {0, 0, 0, 3}))
                .hasMessageStartingWith("The writer's state has version 3, this version reads 1 to 2. Restore with");
    }
}
