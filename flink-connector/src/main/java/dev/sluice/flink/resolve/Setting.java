/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.resolve;

/**
 * One value as somebody set it.
 *
 * @param writtenKey the key as written, without the prefix for selected tables
 * @param where for messages: the scope and the place in it, such as the full session key
 * @param undo for advice: what takes the value away again, without a dot
 * @param rank orders settings of one scope: the greater is the more specific
 */
record Setting(String writtenKey, String value, Scope scope, String where, String undo, int rank) {

    static final String RESET = "ALTER TABLE RESET";

    static Setting stored(String key, String value, TableName table) {
        String undo = "ALTER TABLE " + table.quoted() + " RESET ('" + key + "')";
        return new Setting(key, value, Scope.TABLE, "stored with the table", undo, 0);
    }

    static Setting tableDefault(String key, String value) {
        String where = "'table-default." + key + "' of the catalog";
        return new Setting(key, value, Scope.TABLE_DEFAULT, where, "give the table its own value", 0);
    }

    /** @param statement what it is written in, such as "CREATE TABLE" */
    static Setting declared(String key, String value, String statement) {
        return new Setting(key, value, Scope.TABLE, statement, "leave it out", 0);
    }

    static Setting session(String key, String value) {
        return new Setting(key, value, Scope.SESSION, "SET '" + key + "' in this session", "RESET '" + key + "'", 0);
    }

    static Setting sessionTable(String fullKey, SessionKey parsed, String value, TableName name) {
        return new Setting(
                parsed.key(),
                value,
                Scope.SESSION_TABLE,
                "SET '" + fullKey + "' in this session",
                "RESET '" + fullKey + "'",
                parsed.specificity(name));
    }

    static Setting statement(String key, String value) {
        return new Setting(key, value, Scope.STATEMENT, "hint of this statement", "take it out of the hint", 0);
    }

    static Setting with(String key, String value) {
        return new Setting(key, value, Scope.STATEMENT, "WITH clause or hint of the table", "take it out there", 0);
    }

    /** Key, value and place, for the message of another option that it conflicts with. */
    String words() {
        OptionProblem shown = OptionProblem.of(this, "", "");
        return words(writtenKey, shown.value(), where);
    }

    /** A RESET of what is not there has no value. */
    static String words(String key, String shownValue, String where) {
        boolean none = shownValue.isEmpty() && where.equals(RESET);
        return none ? "'" + key + "' (" + where + ")" : "'" + key + "' = '" + shownValue + "' (" + where + ")";
    }
}
