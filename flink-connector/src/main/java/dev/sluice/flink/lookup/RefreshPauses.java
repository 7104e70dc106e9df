/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Periods, in the time zone of the process, in which a table is not refreshed. Immutable.
 *
 * @param periods both ends included, to the minute
 */
record RefreshPauses(List<Period> periods) {

    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    record Period(LocalDateTime from, LocalDateTime to) {}

    RefreshPauses {
        periods = List.copyOf(periods);
    }

    /** @param option as {@code lookup.refresh.time-periods-blacklist} has it, checked before; null for none */
    static RefreshPauses parse(@Nullable String option) {
        List<Period> periods = new ArrayList<>();
        if (option != null) {
            for (String period : option.split(",", -1)) {
                String[] ends = period.split("->", -1);
                periods.add(new Period(
                        LocalDateTime.parse(ends[0].trim(), MINUTE), LocalDateTime.parse(ends[1].trim(), MINUTE)));
            }
        }
        return new RefreshPauses(periods);
    }

    /** @return how long the pause that is on now still lasts; null if there is none */
    @Nullable
    Duration remaining(LocalDateTime now) {
        Duration longest = null;
        for (Period period : periods) {
            if (!now.isBefore(period.from()) && !now.isAfter(period.to())) {
                Duration left = Duration.between(now, period.to()).plusMillis(1);
                longest = longest == null || left.compareTo(longest) > 0 ? left : longest;
            }
        }
        return longest;
    }
}
