/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Reads statements from a terminal, or from a pipe, and goes on after those that fail. */
final class Prompt {

    private static final String HELP = """
            Statements end with ';' and may take several lines. Ctrl-C drops what is typed or stops what runs.
              SHOW TABLES;  DESCRIBE t;  SELECT ...;  INSERT INTO ...;  CREATE TABLE ...;  CALL sys....;
              SET 'execution.runtime-mode' = 'streaming';   queries go on until Ctrl-C (now they end: 'batch')
              SET 'execution.checkpointing.interval' = '1 s';   what a streaming INSERT needs
              SET;      shows the settings
              HELP      this text
              QUIT      ends, as Ctrl-D does
            """;

    private final SqlSession session;
    private final StatementRunner runner;
    private final Path warehouse;

    Prompt(SqlSession session, StatementRunner runner, Path warehouse) {
        this.session = session;
        this.runner = runner;
        this.warehouse = warehouse;
    }

    void run() {
        if (session.catalog("sluice").isEmpty()) {
            session.execute(Warehouse.createCatalog(warehouse));
            session.execute("USE CATALOG sluice");
            if (Files.isDirectory(warehouse.resolve("tpch.db"))) {
                session.execute("USE tpch");
            }
        }
        try (Terminal terminal = TerminalBuilder.builder().dumb(true).build()) {
            terminal.handle(Terminal.Signal.INT, signal -> runner.cancel());
            PrintStream out = System.out;
            out.println("Catalog 'sluice' is on " + warehouse + ". HELP tells more, QUIT ends.");
            read(reader(terminal), out);
        } catch (IOException e) {
            throw new IllegalStateException("The terminal cannot be used: " + Failures.reason(e), e);
        }
    }

    private static LineReader reader(Terminal terminal) {
        LineReader reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .parser(new WholeStatements())
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, "     -> ")
                .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), ".sluice_history"))
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .build();
        reader.unsetOpt(LineReader.Option.INSERT_TAB);
        return reader;
    }

    private void read(LineReader reader, PrintStream out) {
        int entered = 0;
        while (true) {
            String text;
            try {
                text = reader.readLine("sluice> ");
            } catch (UserInterruptException e) {
                continue;
            } catch (EndOfFileException e) {
                return;
            }
            entered++;
            switch (word(text)) {
                case "" -> {}
                case "QUIT", "EXIT" -> {
                    return;
                }
                case "HELP" -> out.print(HELP);
                default -> execute(text, "input " + entered, out);
            }
        }
    }

    private void execute(String text, String name, PrintStream out) {
        try {
            SqlScript.parse(name, text).forEach(runner::runQuietly);
        } catch (StatementException e) {
            out.println("ERROR " + Failures.firstLine(e.reason()));
        }
    }

    private static String word(String text) {
        String trimmed = text.strip();
        return (trimmed.endsWith(";")
                        ? trimmed.substring(0, trimmed.length() - 1).strip()
                        : trimmed)
                .toUpperCase(Locale.ROOT);
    }

    /** Asks for another line until the text ends with a statement's end. */
    private static final class WholeStatements implements Parser {

        private final DefaultParser words =
                new DefaultParser().quoteChars(new char[0]).escapeChars(new char[0]);

        @Override
        public ParsedLine parse(String line, int cursor, ParseContext context) {
            if (context == ParseContext.ACCEPT_LINE && !isWhole(line)) {
                throw new EOFError(-1, -1, "The statement goes on", ";");
            }
            return words.parse(line, cursor, ParseContext.COMPLETE);
        }

        private static boolean isWhole(String line) {
            return switch (word(line)) {
                case "", "QUIT", "EXIT", "HELP" -> true;
                default -> SqlScript.isComplete(line);
            };
        }
    }
}
