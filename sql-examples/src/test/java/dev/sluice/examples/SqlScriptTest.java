/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SqlScriptTest {

    @Test
    void cutsAtSemicolonsAndRemembersTheLineOfTheFirstWord() {
        List<SqlStatement> statements =
                SqlScript.parse("a.sql", "SELECT 1;\n\n-- a comment; not a statement\nSELECT\n 2\n;SELECT 3");
        assertThat(statements)
                .containsExactly(
                        new SqlStatement("SELECT 1", "a.sql", 1),
                        new SqlStatement("SELECT\n 2", "a.sql", 4),
                        new SqlStatement("SELECT 3", "a.sql", 6));
    }

    @Test
    void leavesSemicolonsInStringsNamesAndCommentsAlone() {
        assertThat(sql("SELECT ';', 'it''s;', `a;b`, \"c;d\" /* ; */ FROM t -- ;\n WHERE x = ';'; SELECT 2;"))
                .containsExactly(
                        "SELECT ';', 'it''s;', `a;b`, \"c;d\" /* ; */ FROM t -- ;\n WHERE x = ';'", "SELECT 2");
    }

    @Test
    void keepsHintsWhichLookLikeComments() {
        assertThat(sql("SELECT * FROM t /*+ OPTIONS('a'='1;2') */;"))
                .containsExactly("SELECT * FROM t /*+ OPTIONS('a'='1;2') */");
    }

    @Test
    void aQuoteInACommentOpensNoString() {
        assertThat(sql("-- don't\nSELECT 1; /* it's */ SELECT 2;")).containsExactly("SELECT 1", "SELECT 2");
    }

    @Test
    void onlyCommentsAndBlanksAreNoStatement() {
        assertThat(sql(" ;; -- nothing\n/* nothing */ ;\n")).isEmpty();
    }

    @Test
    void keepsAStatementSetTogether() {
        String set =
                "EXECUTE STATEMENT SET BEGIN\nINSERT INTO a SELECT CASE WHEN x THEN 1 END FROM t;\nINSERT INTO b SELECT 2;\nEND";
        assertThat(sql(set + "; SELECT 1;")).containsExactly(set, "SELECT 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1;", "SELECT 1; ", "", "-- a comment", "SELECT ';';"})
    void isCompleteWhereAStatementEnded(String text) {
        assertThat(SqlScript.isComplete(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "SELECT ';",
                "SELECT 1; SELECT",
                "SELECT 1 -- ;",
                "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1;"
            })
    void asksForMoreWhereAStatementGoesOn(String text) {
        assertThat(SqlScript.isComplete(text)).isFalse();
    }

    @Test
    void putsValuesInAsTheyAre() {
        assertThat(SqlScript.substitute("a.sql", "'${dir}' ${n}${n} $x", Map.of("dir", "/a $1\\b", "n", "2")))
                .isEqualTo("'/a $1\\b' 22 $x");
    }

    @Test
    void saysWhichVariableHasNoValueAndWhere() {
        assertThatThrownBy(() -> SqlScript.substitute("a.sql", "x\n'${scal}'", Map.of("scale", "1", "warehouse", "/w")))
                .hasMessage("a.sql:2: ${scal} has no value. Known are scale, warehouse;"
                        + " the value itself can be written instead.");
    }

    @Test
    void headIsOneLine() {
        assertThat(new SqlStatement("SELECT a, -- first\n   b\nFROM t", "a.sql", 1).head())
                .isEqualTo("SELECT a, b FROM t");
        assertThat(new SqlStatement("SELECT " + "a, ".repeat(90) + "b", "a.sql", 1).head())
                .hasSize(100)
                .endsWith("...");
    }

    private static List<String> sql(String text) {
        return SqlScript.parse("a.sql", text).stream().map(SqlStatement::sql).toList();
    }
}
