/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

/**
 * A statement and where it was read.
 *
 * @param sql without the {@code ;} that ends it
 * @param source a file's name, or what else the statement came from
 * @param line of its first word, from 1
 */
record SqlStatement(String sql, String source, int line) {

    private static final int HEAD_LENGTH = 100;

    String place() {
        return source + ":" + line;
    }

    /** The statement on one line, cut where a line of a terminal ends. */
    String head() {
        String flat = sql.replaceAll("(?m)--.*$", " ").replaceAll("\\s+", " ").strip();
        return flat.length() <= HEAD_LENGTH ? flat : flat.substring(0, HEAD_LENGTH - 3) + "...";
    }
}
