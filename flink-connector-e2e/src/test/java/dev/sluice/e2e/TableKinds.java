/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table of each kind that the sink writes, three steps of rows for them, and what each table has to hold after each
 * step. Each step brings keys of the step before and new ones; from the second on, some keys are deleted and some rows
 * are older than what is stored.
 */
final class TableKinds {
    /** How rows of one key become one row. */
    private enum Merge {
        /** Without a key. */
        APPEND,
        /** With the key's kind of change in the column {@code kind}. */
        LAST,
        /** Without deletes: the kind of a row that moves cannot come from a column, see the refusal in WriteLayout. */
        LAST_INSERT,
        /** By the column {@code seq}. */
        GREATEST_SEQUENCE,
        FIRST,
        /** {@code a} by the sequence group of {@code seq}, {@code b} by itself. */
        PARTIAL,
        /** The sum of {@code a} and the greatest {@code b}. */
        AGGREGATE
    }

    /**
     * @param name of the table
     * @param keys of the primary key; empty without one
     * @param part what fills the partition column, which rows carry whether the table is partitioned or not
     * @param clauses of the table after its columns
     */
    private record Kind(String name, Merge merge, String keys, Part part, String clauses, Written written) {}

    private enum Part {
        /** The same for all rows of a key. */
        OF_KEY,
        /** Another one in each step. */
        OF_STEP
    }

    /** What it takes to write a table, and for the rows to be seen. */
    private enum Written {
        PLAINLY,
        /** The rows are in no bucket before a compaction. */
        WITH_A_COMPACTION,
        INTO_A_BRANCH
    }

    /** @param b null where a step brings none */
    private record Stored(String part, int id, int seq, int a, Integer b) {}

    private record Change(Stored row, String movingPart, boolean delete) {}

    private static final String COLUMNS = "(part STRING, id INT, seq INT, a INT, b INT, kind STRING";
    private static final String LAST = "'rowkind.field'='kind'";
    private static final String EXACT = "'changelog-producer'='lookup'";

    private static final List<Kind> KINDS = List.of(
            keyed("fixed", Merge.LAST, "'bucket'='2', " + LAST),
            partitioned("fixed_partitioned", Merge.GREATEST_SEQUENCE, "'bucket'='2', 'sequence.field'='seq'"),
            keyed("dynamic_buckets", Merge.LAST, "'bucket'='-1', 'dynamic-bucket.target-row-num'='7', " + LAST),
            partitioned(
                    "dynamic_partitioned", Merge.LAST, "'bucket'='-1', 'dynamic-bucket.target-row-num'='4', " + LAST),
            moving("moving", Merge.LAST_INSERT, "'bucket'='-1', 'dynamic-bucket.target-row-num'='4'"),
            moving("moving_first_row", Merge.FIRST, "'bucket'='-1', 'merge-engine'='first-row'"),
            keyed("postpone", Merge.LAST, "'bucket'='-2', " + LAST),
            new Kind(
                    "postponed",
                    Merge.LAST,
                    "id",
                    Part.OF_KEY,
                    with("'bucket'='-2', 'postpone.batch-write-fixed-bucket'='false', " + LAST),
                    Written.WITH_A_COMPACTION),
            appended("unaware", with("'bucket'='-1'")),
            appended("unaware_partitioned", "PARTITIONED BY (part) " + with("'bucket'='-1'")),
            appended("appended_bucketed", with("'bucket'='2', 'bucket-key'='id'")),
            keyed(
                    "partial",
                    Merge.PARTIAL,
                    "'bucket'='2', 'merge-engine'='partial-update', 'fields.seq.sequence-group'='a'"),
            keyed(
                    "partial_dynamic",
                    Merge.PARTIAL,
                    "'bucket'='-1', 'dynamic-bucket.target-row-num'='7', 'merge-engine'='partial-update',"
                            + " 'fields.seq.sequence-group'='a', 'file.format'='avro'"),
            keyed(
                    "aggregated",
                    Merge.AGGREGATE,
                    "'bucket'='2', 'merge-engine'='aggregation', 'fields.a.aggregate-function'='sum',"
                            + " 'fields.b.aggregate-function'='max', " + EXACT),
            keyed("first_row", Merge.FIRST, "'bucket'='2', 'merge-engine'='first-row', " + EXACT),
            keyed("changelog_of_input", Merge.LAST, "'bucket'='2', 'changelog-producer'='input', " + LAST),
            keyed("changelog_by_lookup", Merge.LAST, "'bucket'='2', " + EXACT + ", " + LAST),
            partitioned(
                    "changelog_dynamic",
                    Merge.LAST,
                    "'bucket'='-1', 'dynamic-bucket.target-row-num'='4', " + EXACT + ", " + LAST),
            keyed("vectors", Merge.LAST, "'bucket'='2', 'deletion-vectors.enabled'='true', " + LAST),
            moving(
                    "vectors_moving",
                    Merge.LAST_INSERT,
                    "'bucket'='-1', 'dynamic-bucket.target-row-num'='4', 'deletion-vectors.enabled'='true'"),
            new Kind(
                    "branched",
                    Merge.LAST,
                    "id",
                    Part.OF_KEY,
                    with("'bucket'='-1', 'dynamic-bucket.target-row-num'='7', " + LAST),
                    Written.INTO_A_BRANCH));

    private TableKinds() {}

    private static Kind keyed(String name, Merge merge, String options) {
        return new Kind(name, merge, "id", Part.OF_KEY, with(options), Written.PLAINLY);
    }

    private static Kind partitioned(String name, Merge merge, String options) {
        return new Kind(
                name, merge, "part, id", Part.OF_KEY, "PARTITIONED BY (part) " + with(options), Written.PLAINLY);
    }

    /** Partitioned by a column that is not in the key. */
    private static Kind moving(String name, Merge merge, String options) {
        return new Kind(name, merge, "id", Part.OF_STEP, "PARTITIONED BY (part) " + with(options), Written.PLAINLY);
    }

    private static Kind appended(String name, String clauses) {
        return new Kind(name, Merge.APPEND, "", Part.OF_KEY, clauses, Written.PLAINLY);
    }

    private static String with(String options) {
        return "WITH (" + options + ")";
    }

    static List<String> names() {
        return KINDS.stream().map(Kind::name).toList();
    }

    static String create() {
        StringBuilder sql = new StringBuilder();
        for (Kind kind : KINDS) {
            sql.append("CREATE TABLE ").append(kind.name()).append(' ').append(COLUMNS);
            sql.append(kind.keys().isEmpty() ? "" : ", PRIMARY KEY (" + kind.keys() + ") NOT ENFORCED");
            sql.append(") ").append(kind.clauses()).append(";\n");
            if (kind.written() == Written.INTO_A_BRANCH) {
                sql.append("CALL sys.create_branch('default.")
                        .append(kind.name())
                        .append("', 'side');\n");
            }
        }
        return sql.toString();
    }

    /** @param step 1 to 3 */
    static String write(int step) {
        String view = "step_" + step;
        StringBuilder sql =
                new StringBuilder("CREATE TEMPORARY VIEW ").append(view).append(" AS SELECT * FROM (VALUES ");
        sql.append(changes(step).stream().map(TableKinds::values).collect(Collectors.joining(",\n")));
        sql.append(") AS v (part, moving, id, seq, a, b, kind);\n");
        // A few tables a job: the official connector's shuffles would need more network buffers than there are.
        for (int first = 0; first < KINDS.size(); first += 4) {
            sql.append("EXECUTE STATEMENT SET BEGIN\n");
            for (Kind kind : KINDS.subList(first, Math.min(first + 4, KINDS.size()))) {
                sql.append("INSERT INTO ").append(path(kind)).append(" SELECT ");
                sql.append(kind.part() == Part.OF_STEP ? "moving" : "part").append(", id, seq, a, b, kind FROM ");
                // No end of a line here, which would end the statement.
                sql.append(view).append("; ");
            }
            sql.append("END;\n");
        }
        for (Kind kind : KINDS) {
            if (kind.written() == Written.WITH_A_COMPACTION) {
                sql.append("CALL sys.compact('default.").append(kind.name()).append("');\n");
            }
        }
        return sql.append("DROP TEMPORARY VIEW ").append(view).append(";\n").toString();
    }

    /** @param name of the result */
    static String read(String name) {
        return "-- " + name + "\n"
                + KINDS.stream()
                        .map(kind -> "SELECT '" + kind.name() + "', part, id, seq, a, b FROM " + path(kind))
                        .collect(Collectors.joining("\nUNION ALL "))
                + ";\n";
    }

    static void check(ChildJvm.Finished run, String result, String table, int steps) {
        Kind kind = KINDS.stream()
                .filter(each -> each.name().equals(table))
                .findFirst()
                .orElseThrow();
        String start = "+I[" + table + ", ";
        assertThat(run.rows(result).stream().filter(row -> row.startsWith(start)))
                .as(result + " of " + table)
                .containsExactlyInAnyOrderElementsOf(expected(kind, steps).stream()
                        .map(row -> start + row.part() + ", " + row.id() + ", " + row.seq() + ", " + row.a() + ", "
                                + row.b() + "]")
                        .toList());
    }

    private static String path(Kind kind) {
        return kind.written() == Written.INTO_A_BRANCH ? "`" + kind.name() + "$branch_side`" : kind.name();
    }

    private static String values(Change change) {
        Stored row = change.row();
        String b = row.b() == null ? "CAST(NULL AS INT)" : row.b().toString();
        return "('" + row.part() + "', '" + change.movingPart() + "', " + row.id() + ", " + row.seq() + ", " + row.a()
                + ", " + b + ", '" + (change.delete() ? "-D" : "+I") + "')";
    }

    /** Ids 0 to 39, 20 to 59, 10 to 29 with 50 to 69. */
    private static List<Change> changes(int step) {
        IntStream ids = switch (step) {
            case 1 -> IntStream.range(0, 40);
            case 2 -> IntStream.range(20, 60);
            default -> IntStream.concat(IntStream.range(10, 30), IntStream.range(50, 70));
        };
        return ids.mapToObj(id -> change(step, id)).toList();
    }

    private static Change change(int step, int id) {
        // Every fourth row is older than those of the steps before.
        int seq = step == 1 || id % 4 != 0 ? 100 * step : 60 - 10 * step;
        Integer b = (id + step) % 5 == 0 ? null : 100 * step + id;
        Stored row = new Stored("p" + id % 3, id, seq, 1000 * step + id, b);
        return new Change(row, "p" + (id + step) % 3, step > 1 && id % 7 == 0);
    }

    /** Computed from the rows alone. */
    private static List<Stored> expected(Kind kind, int steps) {
        List<Stored> appended = new ArrayList<>();
        Map<Integer, Stored> byKey = new TreeMap<>();
        for (int step = 1; step <= steps; step++) {
            for (Change change : changes(step)) {
                Stored row = change.row();
                if (kind.part() == Part.OF_STEP) {
                    row = new Stored(change.movingPart(), row.id(), row.seq(), row.a(), row.b());
                }
                Stored before = byKey.get(row.id());
                Stored after = before == null ? row : merged(kind.merge(), before, row);
                appended.add(row);
                byKey.put(row.id(), after);
                if (kind.merge() == Merge.LAST && change.delete()) {
                    byKey.remove(row.id());
                }
            }
        }
        return kind.merge() == Merge.APPEND ? appended : List.copyOf(byKey.values());
    }

    private static Stored merged(Merge merge, Stored before, Stored row) {
        boolean newer = row.seq() >= before.seq();
        Integer b = row.b() == null ? before.b() : row.b();
        return switch (merge) {
            case APPEND, LAST, LAST_INSERT -> row;
            case GREATEST_SEQUENCE -> newer ? row : before;
            case FIRST -> before;
            case PARTIAL ->
                new Stored(row.part(), row.id(), newer ? row.seq() : before.seq(), newer ? row.a() : before.a(), b);
            case AGGREGATE -> {
                Integer greatest =
                        before.b() != null && row.b() != null ? Integer.valueOf(Math.max(before.b(), row.b())) : b;
                yield new Stored(row.part(), row.id(), row.seq(), before.a() + row.a(), greatest);
            }
        };
    }
}
