/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts SQL text into statements at each {@code ;} that is not in a string, a name or a comment. */
final class SqlScript {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}\\s]*)}");
    /** A statement set's own statements end with {@code ;} too, and the set with {@code END}. */
    private static final Pattern SET_START =
            Pattern.compile("(?s)(EXPLAIN\\b.*|EXECUTE|BEGIN)\\s+STATEMENT\\s+SET\\b.*");

    private static final Pattern SET_END = Pattern.compile("(?s).*(;|\\bBEGIN)\\s*END");

    private final String source;
    private final String text;
    private final List<SqlStatement> statements = new ArrayList<>();
    /** The statement so far without its comments: tells whether there is any, and of which kind it is. */
    private final StringBuilder bare = new StringBuilder();

    private int position;
    private int line = 1;
    private int start;
    private int startLine = 1;

    private SqlScript(String source, String text) {
        this.source = source;
        this.text = text;
    }

    /** A statement without its end, if the text stops in one, is the last. */
    static List<SqlStatement> parse(String source, String text) {
        return new SqlScript(source, text).cut(true);
    }

    /** Whether the text ends where a statement ends, so that a prompt need not ask for more. */
    static boolean isComplete(String text) {
        SqlScript script = new SqlScript("", text);
        script.cut(false);
        return script.bare.toString().isBlank();
    }

    /**
     * Puts values in for {@code ${name}}.
     *
     * @throws IllegalArgumentException naming the first line with a name that has no value
     */
    static String substitute(String source, String text, Map<String, String> values) {
        Matcher matcher = VARIABLE.matcher(text);
        StringBuilder out = new StringBuilder();
        while (matcher.find()) {
            String value = values.get(matcher.group(1));
            if (value == null) {
                long line = 1
                        + text.substring(0, matcher.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
                throw new IllegalArgumentException(source + ":" + line + ": " + matcher.group()
                        + " has no value. Known are " + String.join(", ", new TreeSet<>(values.keySet()))
                        + "; the value itself can be written instead.");
            }
            matcher.appendReplacement(out, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(out).toString();
    }

    private List<SqlStatement> cut(boolean keepUnfinished) {
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c == '\'' || c == '"' || c == '`') {
                passQuoted(c);
            } else if (text.startsWith("--", position)) {
                pass(indexOrEnd("\n"), false);
            } else if (text.startsWith("/*", position) && !text.startsWith("/*+", position)) {
                int end = indexOrEnd("*/");
                pass(Math.min(text.length(), end + 2), false);
            } else if (c == ';' && !inStatementSet()) {
                finish();
            } else {
                pass(position + 1, true);
            }
        }
        if (keepUnfinished && !bare.toString().isBlank()) {
            finish();
        }
        return statements;
    }

    private int indexOrEnd(String wanted) {
        int index = text.indexOf(wanted, position);
        return index < 0 ? text.length() : index;
    }

    /** A doubled quote inside is two quoted parts beside each other, which ends at the same place. */
    private void passQuoted(char quote) {
        int end = text.indexOf(quote, position + 1);
        pass(end < 0 ? text.length() : end + 1, true);
    }

    private void pass(int to, boolean isCode) {
        for (; position < to; position++) {
            char c = text.charAt(position);
            if (isCode) {
                if (bare.isEmpty() && !Character.isWhitespace(c)) {
                    start = position;
                    startLine = line;
                }
                if (!bare.isEmpty() || !Character.isWhitespace(c)) {
                    bare.append(c);
                }
            }
            if (c == '\n') {
                line++;
            }
        }
    }

    private boolean inStatementSet() {
        String sql = bare.toString().toUpperCase(Locale.ROOT);
        return SET_START.matcher(sql).matches()
                && !SET_END.matcher(sql.stripTrailing()).matches();
    }

    private void finish() {
        if (!bare.isEmpty()) {
            statements.add(new SqlStatement(text.substring(start, position).strip(), source, startLine));
        }
        bare.setLength(0);
        position = Math.min(position + 1, text.length());
    }
}
