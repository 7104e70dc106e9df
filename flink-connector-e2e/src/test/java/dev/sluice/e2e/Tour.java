/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A short way through what a table can do, and what has to come out of it. */
final class Tour {
    private Tour() {}

    /** @param catalogOptions of the catalog besides its type, as in a WITH clause */
    static String sql(String catalogOptions) {
        return """
                SET 'parallelism.default' = '2';
                CREATE CATALOG lake WITH ('type'='paimon', %s);
                USE CATALOG lake;
                CREATE TABLE account (id INT, owner STRING, balance DECIMAL(10, 2), PRIMARY KEY (id) NOT ENFORCED)
                  WITH ('bucket'='2');
                CREATE TABLE log (at_time TIMESTAMP(3), line STRING) WITH ('bucket'='-1', 'file.format'='orc');
                INSERT INTO account VALUES (1, 'Ada', 10.50), (2, 'Blaise', 20), (3, 'Carl', CAST(NULL AS DECIMAL(10, 2)));
                CALL sys.create_tag(`table` => 'default.account', tag => 'opening', snapshot_id => 1);
                INSERT INTO account VALUES (2, 'Blaise', 21.25), (4, 'Dorothy', 40);
                INSERT INTO log VALUES (TIMESTAMP '2026-01-02 03:04:05.678', 'first'), (CAST(NULL AS TIMESTAMP(3)), 'second');
                -- now
                SELECT * FROM account ORDER BY id;
                -- by tag
                SELECT * FROM account /*+ OPTIONS('scan.tag-name'='opening') */ ORDER BY id;
                -- by snapshot
                SELECT id, balance FROM account /*+ OPTIONS('scan.snapshot-id'='1') */ WHERE id > 1 ORDER BY id;
                -- log
                SELECT * FROM log ORDER BY line;
                -- snapshots
                SELECT MAX(snapshot_id) FROM account$snapshots WHERE commit_kind = 'APPEND';
                SET 'paimon.lake.*.account.scan.snapshot-id' = '1';
                -- set
                SELECT COUNT(*) FROM account;
                -- effective
                CALL sys.effective_options('default.account');
                SET 'paimon.lake.*.account.scan.snapshot-id' = '2';
                -- effective then
                CALL sys.effective_options('default.account');
                -- two times
                EXPLAIN SELECT line FROM log FOR SYSTEM_TIME AS OF TIMESTAMP '2099-01-01 00:00:00'
                  EXCEPT SELECT line FROM log FOR SYSTEM_TIME AS OF TIMESTAMP '2099-01-02 00:00:00';
                -- as of
                SELECT line FROM log FOR SYSTEM_TIME AS OF TIMESTAMP '2099-01-01 00:00:00' ORDER BY line;
                """.formatted(catalogOptions);
    }

    static void check(ChildJvm.Finished run) {
        assertThat(run.rows("now"))
                .as(run.transcript())
                .containsExactly(
                        "+I[1, Ada, 10.50]", "+I[2, Blaise, 21.25]", "+I[3, Carl, null]", "+I[4, Dorothy, 40.00]");
        assertThat(run.rows("by tag"))
                .containsExactly("+I[1, Ada, 10.50]", "+I[2, Blaise, 20.00]", "+I[3, Carl, null]");
        assertThat(run.rows("by snapshot")).containsExactly("+I[2, 20.00]", "+I[3, null]");
        assertThat(run.rows("log")).containsExactly("+I[2026-01-02T03:04:05.678, first]", "+I[null, second]");
        assertThat(run.rows("snapshots")).containsExactly("+I[2]");
        assertThat(run.rows("set")).containsExactly("+I[3]");
        assertThat(run.rows("effective"))
                .contains(
                        "+I[scan.snapshot-id, 1, SET 'paimon.lake.*.account.scan.snapshot-id' in this session, , null]");
        assertThat(run.rows("effective then"))
                .contains(
                        "+I[scan.snapshot-id, 2, SET 'paimon.lake.*.account.scan.snapshot-id' in this session, , null]");
        assertThat(run.rows("as of")).containsExactly("+I[first]", "+I[second]");
        List<String> scans = Pattern.compile("TableSourceScan\\(table=\\[\\[lake, default, log\\$as_of_[0-9]+")
                .matcher(run.transcript())
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
        assertThat(scans).as("each time is a scan of its own").hasSize(2);
    }
}
