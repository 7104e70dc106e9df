/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import org.junit.jupiter.api.Test;

final class RefusalTest {

    @Test
    void wordsLeaveOutWrappersThatOnlyRepeatTheirCause() {
        Exception wrapped = new RuntimeException(
                new IllegalArgumentException("Could not parse value.", new NumberFormatException()));
        assertThat(Refusal.words(wrapped)).isEqualTo("Could not parse value: NumberFormat");
    }

    @Test
    void wordsNameTheKindOfAFailureThatSaysOnlyWhatItIsAbout() {
        assertThat(Refusal.words(new UncheckedIOException(new AccessDeniedException("/data/w"))))
                .isEqualTo("AccessDenied /data/w");
    }

    @Test
    void wordsStayOnOneLine() {
        assertThat(Refusal.words(new IllegalStateException("first line\nsecond line")))
                .isEqualTo("first line");
    }

    @Test
    void theFailureBehindARefusalIsKeptButIsNotItsCause() {
        Exception detail = new IllegalStateException("engine");
        assertThat(Refusal.of("told", detail)).hasMessage("told").hasNoCause().hasSuppressedException(detail);
    }
}
