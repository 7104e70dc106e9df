/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.source.TestSplits;
import org.junit.jupiter.api.Test;

final class CommitLagTest {

    private long now = 10_000;
    private final CommitLag lag = new CommitLag(() -> now);

    @Test
    void isTheTimeFromTheCommitToTheFirstRowOfASplit() {
        assertThat(lag.getValue()).isEqualTo(CommitLag.UNKNOWN);
        lag.opened("s", 9_300);
        SplitProgress progress = new SplitProgress(TestSplits.split("s", 1, 0));

        progress.rowsEmitted(1, lag);
        assertThat(lag.getValue()).isEqualTo(700);
        now = 20_000;
        progress.rowsEmitted(1, lag);
        assertThat(lag.getValue()).isEqualTo(700);
    }

    @Test
    void aSplitWithoutRowsTellsNothing() {
        lag.opened("empty", 1_000);
        lag.finished("empty");
        lag.emitted("empty");

        assertThat(lag.getValue()).isEqualTo(CommitLag.UNKNOWN);
    }

    @Test
    void clocksThatDisagreeDoNotMakeItNegative() {
        lag.opened("s", 11_000);
        lag.emitted("s");

        assertThat(lag.getValue()).isZero();
    }
}
