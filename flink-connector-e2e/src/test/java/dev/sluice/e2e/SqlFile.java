/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.e2e;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/**
 * Runs in a child JVM: executes the statements of files one after the other on an embedded Flink, in batch mode until
 * a file sets another. Arguments of the form {@code name=value} are variables, {@code ${name}} in a file; all others
 * are files.
 *
 * <p>A statement ends with a semicolon at the end of a line. The comment line before a statement names it; each row
 * of its result is printed as {@code name| row}. Uses nothing but {@link TableEnvironment}, whose methods are the
 * same on every Flink that the tests run on.
 */
final class SqlFile {
    private static final Pattern SET = Pattern.compile("SET\\s+'([^']+)'\\s*=\\s*'([^']*)'", Pattern.CASE_INSENSITIVE);

    private record Statement(String name, String sql) {}

    private static final Pattern VARIABLE = Pattern.compile("[a-z_]+=.*");

    /** What made the session what it is; a change of the runtime mode starts a new one with the same. */
    private final List<String> past = new ArrayList<>();

    private TableEnvironment environment = environment("batch");
    // Not System.out: its encoding is the machine's.
    private final PrintStream out =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    public static void main(String[] args) throws Exception {
        SqlFile session = new SqlFile();
        for (String arg : args) {
            if (!VARIABLE.matcher(arg).matches()) {
                String text = Files.readString(Path.of(arg));
                for (Statement statement : statements(withVariables(text, args))) {
                    session.execute(statement);
                }
            }
        }
    }

    private static String withVariables(String text, String[] args) {
        String replaced = text;
        for (String arg : args) {
            if (VARIABLE.matcher(arg).matches()) {
                int equals = arg.indexOf('=');
                replaced = replaced.replace("${" + arg.substring(0, equals) + "}", arg.substring(equals + 1));
            }
        }
        return replaced;
    }

    private static TableEnvironment environment(String mode) {
        EnvironmentSettings.Builder settings = EnvironmentSettings.newInstance();
        TableEnvironment created = TableEnvironment.create(
                (mode.equals("batch") ? settings.inBatchMode() : settings.inStreamingMode()).build());
        created.getConfig().set("table.dml-sync", "true");
        return created;
    }

    private static List<Statement> statements(String text) {
        List<Statement> statements = new ArrayList<>();
        String name = "";
        StringBuilder sql = new StringBuilder();
        for (String line : text.lines().toList()) {
            if (line.startsWith("--")) {
                name = line.substring(2).strip();
            } else if (line.stripTrailing().endsWith(";")) {
                sql.append(line.stripTrailing(), 0, line.stripTrailing().length() - 1);
                statements.add(new Statement(name, sql.toString().strip()));
                name = "";
                sql.setLength(0);
            } else {
                sql.append(line).append('\n');
            }
        }
        if (!sql.toString().isBlank()) {
            throw new IllegalArgumentException("No semicolon at the end of: " + sql);
        }
        return statements;
    }

    private void execute(Statement statement) throws Exception {
        Matcher set = SET.matcher(statement.sql());
        if (set.matches() && set.group(1).equals("execution.runtime-mode")) {
            environment = environment(set.group(2));
            for (String before : past) {
                executeOnly(before);
            }
            return;
        }
        if (set.matches()
                || statement.sql().startsWith("CREATE ")
                || statement.sql().startsWith("USE ")) {
            past.add(statement.sql());
        }
        if (set.matches()) {
            executeOnly(statement.sql());
            return;
        }
        try {
            TableResult result = environment.executeSql(statement.sql());
            if (!statement.name().isEmpty()) {
                print(statement.name(), result);
            }
        } catch (Exception e) {
            throw new IOException("Failed: " + statement.sql(), e);
        }
    }

    private void executeOnly(String sql) {
        Matcher set = SET.matcher(sql);
        if (set.matches()) {
            environment.getConfig().set(set.group(1), set.group(2));
        } else {
            environment.executeSql(sql);
        }
    }

    private void print(String name, TableResult result) throws Exception {
        try (CloseableIterator<Row> rows = result.collect()) {
            rows.forEachRemaining(row -> out.println(name + "| " + row));
        }
    }
}
