/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

/**
 * One thing wrong with one option, in the four parts a reader needs.
 *
 * @param key the option as it was written
 * @param value its value as it may be shown: secrets are hidden
 * @param where the scope and the place in it
 * @param wrong what is wrong and what is accepted, a full sentence without its dot
 * @param advice what to do next, a full sentence without its dot
 */
public record OptionProblem(String key, String value, String where, String wrong, String advice) {

    static OptionProblem of(Setting setting, String wrong, String advice) {
        return new OptionProblem(
                setting.writtenKey(),
                Secrets.shown(setting.writtenKey(), setting.value()),
                setting.where(),
                wrong,
                advice);
    }

    /** The whole in one paragraph. */
    public String words() {
        return Setting.words(key, value, where) + ": " + wrong + ". " + advice + ".";
    }
}
