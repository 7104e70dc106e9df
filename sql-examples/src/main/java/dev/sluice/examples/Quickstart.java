/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** Runs the quickstart, SQL files or a prompt on a Flink in this process; {@code ./quickstart} starts it. */
public final class Quickstart {

    /** Whether a person sits at the input. */
    private static final boolean INTERACTIVE = Boolean.getBoolean("sluice.interactive");

    private static final int USAGE_ERROR = 2;
    /** What shells give to a program that Ctrl-C ended. */
    private static final int INTERRUPTED = 130;

    private final Path sqlFolder;
    private final PrintStream out;
    private final Arguments arguments;
    private final Path warehouse;
    /** Set by the thread that shuts the JVM down: then what fails next fails because of it. */
    private volatile boolean interrupted;

    private Quickstart(Path sqlFolder, Arguments arguments, Path warehouse, PrintStream out) {
        this.sqlFolder = sqlFolder;
        this.arguments = arguments;
        this.warehouse = warehouse;
        this.out = out;
    }

    /** Ends the JVM: 0 when all went well, 1 when a statement failed, 2 when the command line is wrong. */
    public static void main(String[] args) {
        // The script sets it, so that any working folder will do.
        Path sqlFolder = Path.of(System.getProperty("sluice.sql", "sql-examples/src/main/sql/quickstart"));
        System.exit(run(sqlFolder, System.out, System.err, args));
    }

    /** @param sqlFolder the quickstart's own files, which run in the order of their names */
    static int run(Path sqlFolder, PrintStream out, PrintStream err, String... args) {
        Quickstart quickstart;
        try {
            Arguments arguments = Arguments.parse(args);
            if (arguments.help()) {
                out.print(Arguments.USAGE);
                return 0;
            }
            quickstart = new Quickstart(sqlFolder, arguments, Warehouse.open(arguments.warehouse()), out);
        } catch (IllegalArgumentException e) {
            err.println("quickstart: " + e.getMessage());
            return USAGE_ERROR;
        }
        try {
            quickstart.start();
            return 0;
        } catch (StatementException | IllegalArgumentException | IllegalStateException e) {
            if (quickstart.interrupted) {
                return INTERRUPTED;
            }
            err.println("FAILED " + e.getMessage());
            String log = System.getProperty("sluice.log");
            if (log != null) {
                err.println("  log: " + log);
            }
            return 1;
        }
    }

    private void start() {
        List<Path> files = arguments.files();
        boolean isTour = files.isEmpty() && !arguments.prompt();
        if (isTour) {
            files = sqlFiles(sqlFolder);
            Tpch.warmUp();
        }
        Map<String, String> variables = Tpch.variables(arguments.scale(), warehouse);
        List<SqlStatement> statements = files.stream()
                .flatMap(file -> statements(file, variables).stream())
                .toList();
        out.println("Sluice on Flink " + EnvironmentInformation.getVersion() + ", warehouse " + warehouse
                + (isTour ? ", TPC-H at scale " + arguments.scale() : ""));
        int parallelism = Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
        try (EmbeddedFlink flink = EmbeddedFlink.start(parallelism, arguments.ui() ? "8081-8181" : "0")) {
            Thread onInterrupt = new Thread(() -> interrupt(flink), "interrupted");
            Runtime.getRuntime().addShutdownHook(onInterrupt);
            try {
                run(flink, statements, isTour);
            } finally {
                if (!interrupted) {
                    Runtime.getRuntime().removeShutdownHook(onInterrupt);
                }
            }
        }
    }

    private void interrupt(EmbeddedFlink flink) {
        interrupted = true;
        out.println();
        out.println("Interrupted. What was committed is in " + warehouse);
        flink.close();
    }

    private void run(EmbeddedFlink flink, List<SqlStatement> statements, boolean isTour) {
        if (arguments.ui()) {
            out.println("Flink's web UI: " + flink.webAddress());
        }
        out.println();
        RuntimeExecutionMode mode = arguments.prompt() ? RuntimeExecutionMode.BATCH : RuntimeExecutionMode.STREAMING;
        SqlSession session = new SqlSession(flink, mode);
        StatementRunner runner = new StatementRunner(session, out);
        statements.forEach(runner::run);
        if (isTour) {
            Tpch.check(session, arguments.scale(), warehouse, out);
            Warehouse.tellHowToOpen(warehouse, out);
        }
        if (arguments.prompt()) {
            new Prompt(session, runner, warehouse).run();
        } else if (arguments.ui()) {
            waitForEnter();
        }
    }

    private static List<Path> sqlFiles(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".sql"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "The quickstart's SQL files cannot be listed in " + folder.toAbsolutePath()
                            + ": start ./quickstart from the repository that holds them.",
                    e);
        }
    }

    private static List<SqlStatement> statements(Path file, Map<String, String> variables) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "SQL file " + file.toAbsolutePath() + " cannot be read: "
                            + (Files.exists(file) ? Failures.reason(e) : "there is no such file") + ".",
                    e);
        }
        String name = String.valueOf(file.getFileName());
        return SqlScript.parse(name, SqlScript.substitute(name, text, variables));
    }

    /** Only where somebody can press it. */
    private void waitForEnter() {
        if (!INTERACTIVE) {
            return;
        }
        out.println("Flink's web UI stays until you press Enter.");
        try {
            int key = System.in.read();
            while (key >= 0 && key != '\n') {
                key = System.in.read();
            }
        } catch (IOException e) {
            throw new IllegalStateException("The terminal cannot be read: " + Failures.reason(e), e);
        }
    }
}
