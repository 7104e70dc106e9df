/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

import java.util.ArrayList;
import java.util.List;

/** Gathers what is wrong with one statement, so that all of it is said at once. Confined to one call. */
final class Findings {

    private final List<OptionProblem> problems = new ArrayList<>();
    private final List<OptionProblem> warnings = new ArrayList<>();

    void problem(Setting setting, String wrong, String advice) {
        problems.add(OptionProblem.of(setting, wrong, advice));
    }

    void warning(Setting setting, String wrong, String advice) {
        warnings.add(OptionProblem.of(setting, wrong, advice));
    }

    /** Drops what was wrong before already. */
    void forget(Findings before) {
        problems.removeAll(before.problems);
        warnings.removeAll(before.warnings);
    }

    List<OptionProblem> warnings() {
        return warnings;
    }

    /** @throws OptionException if there is a problem */
    void throwIfAny(String subject) {
        if (!problems.isEmpty()) {
            throw new OptionException(subject, problems);
        }
    }
}
