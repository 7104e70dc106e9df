/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import java.util.List;
import org.apache.flink.table.api.ValidationException;

/** Everything that is wrong with the options of one statement. */
public final class OptionException extends ValidationException {

    private static final long serialVersionUID = 1L;

    private final transient List<OptionProblem> problems;

    /** @param subject what the options belong to, such as "Table c.d.t" or "Catalog c" */
    OptionException(String subject, List<OptionProblem> problems) {
        super(message(subject, problems));
        this.problems = List.copyOf(problems);
    }

    public List<OptionProblem> problems() {
        return problems;
    }

    private static String message(String subject, List<OptionProblem> problems) {
        if (problems.size() == 1) {
            return subject + ", option " + problems.get(0).words();
        }
        StringBuilder text = new StringBuilder(subject + " has " + problems.size() + " problems with its options.");
        for (int i = 0; i < problems.size(); i++) {
            text.append("\n  ")
                    .append(i + 1)
                    .append(". ")
                    .append(problems.get(i).words());
        }
        return text.toString();
    }
}
