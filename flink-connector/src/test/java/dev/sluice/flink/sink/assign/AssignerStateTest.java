/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class AssignerStateTest {

    @Test
    void stateOfTheFirstVersionStaysReadable() throws Exception {
        byte[] firstVersion = {0, 0, 0, 1};
        assertThat(AssignerState.bytes()).isEqualTo(firstVersion);
        assertThatCode(() -> AssignerState.check(firstVersion)).doesNotThrowAnyException();
    }

    @Test
    void stateOfANewerVersionIsRefused() {
        assertThatThrownBy(() -> AssignerState.check(new byte[] {0, 0, 0, 2}))
                .isInstanceOf(IOException.class)
                .hasMessage("The assigner's state has version 2, this version reads 1."
                        + " Restore with the Sluice version that wrote the checkpoint, or a newer one.");
    }
}
