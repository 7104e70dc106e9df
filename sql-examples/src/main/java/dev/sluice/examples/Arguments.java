/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param warehouse null: a temporary folder
 * @param files null entries never; empty: the quickstart's own files
 */
record Arguments(double scale, @Nullable Path warehouse, boolean ui, boolean prompt, boolean help, List<Path> files) {

    static final String USAGE = """
            usage: ./quickstart [options] [file.sql ...]

            Without a file: loads TPC-H data into Paimon tables on a Flink in this process, joins and queries it.
            With files: runs them. They may use ${warehouse} and ${scale}.

              --scale N        TPC-H scale factor, default 0.05 (75,000 orders, 299,814 line items)
              --warehouse DIR  where the tables are kept, default a new temporary folder
              --sql            a SQL prompt instead; catalog 'sluice' is on the warehouse
              --ui             also serve Flink's web UI and wait for Enter at the end
              --help           this text
            """;

    Arguments {
        files = List.copyOf(files);
    }

    /** @throws IllegalArgumentException saying which argument is wrong and what it can be */
    static Arguments parse(String... args) {
        double scale = 0.05;
        Path warehouse = null;
        boolean ui = false;
        boolean prompt = false;
        boolean help = false;
        List<Path> files = new ArrayList<>();
        Deque<String> rest = new ArrayDeque<>(List.of(args));
        while (!rest.isEmpty()) {
            String arg = rest.removeFirst();
            switch (arg) {
                case "--scale" -> scale = scale(value(arg, rest));
                case "--warehouse" -> warehouse = Path.of(value(arg, rest));
                case "--ui" -> ui = true;
                case "--sql" -> prompt = true;
                case "--help", "-h" -> help = true;
                default -> {
                    if (arg.startsWith("-")) {
                        throw new IllegalArgumentException("There is no option " + arg
                                + ". There are --scale, --warehouse, --sql, --ui and --help.");
                    }
                    files.add(Path.of(arg));
                }
            }
        }
        return new Arguments(scale, warehouse, ui, prompt, help, files);
    }

    private static String value(String option, Deque<String> rest) {
        if (rest.isEmpty() || rest.getFirst().startsWith("--")) {
            throw new IllegalArgumentException(option + " needs a value after it, such as "
                    + (option.equals("--scale") ? "--scale 0.05" : option + " /tmp/warehouse") + ".");
        }
        return rest.removeFirst();
    }

    private static double scale(String text) {
        try {
            double scale = Double.parseDouble(text);
            if (scale >= 0.001 && scale <= 100) {
                return scale;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--scale " + text + " is not a number; 0.05 is the default.", e);
        }
        throw new IllegalArgumentException("--scale " + text + " is out of range: give 0.001 to 100.");
    }
}
