/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class FailuresTest {

    @Test
    void tellsTheInnermostCause() {
        Throwable failure = new RuntimeException(
                "Failed to wait job finish", new CompletionException(new IllegalStateException("bucket 3 is locked")));
        assertThat(Failures.reason(failure)).isEqualTo("bucket 3 is locked");
    }

    @Test
    void passesOverACauseThatSaysNothing() {
        assertThat(Failures.reason(new IllegalArgumentException("table t is gone", new NullPointerException())))
                .isEqualTo("table t is gone");
    }

    @Test
    void leavesOutTheClassesThatFlinkWritesIntoTheText() {
        assertThat(Failures.reason(
                        new RuntimeException("java.io.IOException: java.lang.IllegalStateException: disk full")))
                .isEqualTo("disk full");
    }

    @Test
    void namesTheKindWhereTheMessageIsOneWord() {
        assertThat(Failures.reason(new FileNotFoundException("/tmp/a"))).isEqualTo("FileNotFoundException: /tmp/a");
        assertThat(Failures.reason(new StackOverflowError()))
                .startsWith("StackOverflowError without a message, thrown at dev.sluice.examples.FailuresTest.");
    }
}
