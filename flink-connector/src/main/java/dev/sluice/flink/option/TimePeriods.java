/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.apache.flink.util.StringUtils;

/** The text form of a list of time periods. */
final class TimePeriods {

    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    private TimePeriods() {}

    /** Whether each period has a start before its end. */
    static boolean wellFormed(String text) {
        return !StringUtils.isNullOrWhitespaceOnly(text)
                && List.of(text.split(",", -1)).stream().allMatch(TimePeriods::isPeriod);
    }

    private static boolean isPeriod(String text) {
        String[] ends = text.split("->", -1);
        if (ends.length != 2) {
            return false;
        }
        try {
            LocalDateTime start = LocalDateTime.parse(ends[0].trim(), MINUTE);
            return start.isBefore(LocalDateTime.parse(ends[1].trim(), MINUTE));
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}
