/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The command line of the comparison.
 *
 * @param rows of the tables; more than one number for growth
 * @param pairs counted runs of each job with each connector
 * @param commits of each run of a job that follows a table
 * @param jobs beginnings of names; empty: all jobs
 * @param machine what the processes get
 * @param folder where tables, logs and results go
 */
record Arguments(
        List<Long> rows,
        int pairs,
        int commits,
        List<String> jobs,
        List<Connector> connectors,
        Machine machine,
        Path folder) {

    static final String USAGE = """
            usage: benchmarks/run [option ...] [job ...]

            Runs whole jobs with Sluice and with other connectors in turn, each in a process of its own, and shows how
            many times as fast Sluice is. Jobs are named by the beginning of their names, such as load or scan-append.

            benchmarks/run report DIR FILE ... writes the page and the charts anew from runs.jsonl of one or more runs.

              --rows N[,N...]     rows of the tables, default 2000000; with more than one number the jobs named, or else
                                  those that growth is shown of, run with each, all others with the first alone
              --pairs N           counted runs of each job with each connector, default 5; at most 2 from 5 million rows
                                  on and of commit-to-row, 1 from 10 million rows on
              --commits N         that a streaming read follows in a run of commit-to-row, default 20
              --connectors A,B    of sluice, official, iceberg; default sluice,official
              --parallelism N     subtasks, default 2
              --heap SIZE         of each process, default 2g
              --java ARGUMENT     for each process; can be given again
              --results DIR       where tables, logs and results go, default benchmarks/target/jobs
              --full              1, 5 and 20 million rows, with iceberg too
            """;

    private static final long LARGE = 5_000_000;
    private static final long HUGE = 10_000_000;

    /** @param java further arguments of the connectors' processes */
    record Machine(int parallelism, String heap, List<String> java) {}

    /** @throws IllegalArgumentException saying which argument is wrong */
    static Arguments parse(String... args) {
        List<Long> rows = List.of(2_000_000L);
        int pairs = 5;
        int commits = 20;
        List<String> jobs = new ArrayList<>();
        List<Connector> connectors = List.of(Connector.SLUICE, Connector.OFFICIAL);
        int parallelism = 2;
        String heap = "2g";
        List<String> java = new ArrayList<>();
        Path folder = Path.of("benchmarks", "target", "jobs");
        Deque<String> rest = new ArrayDeque<>(List.of(args));
        while (!rest.isEmpty()) {
            String arg = rest.removeFirst();
            switch (arg) {
                case "--rows" ->
                    rows = Stream.of(value(arg, rest).split(",", -1))
                            .map(Long::valueOf)
                            .toList();
                case "--pairs" -> pairs = Integer.parseInt(value(arg, rest));
                case "--commits" -> commits = Integer.parseInt(value(arg, rest));
                case "--connectors" -> connectors = connectors(value(arg, rest));
                case "--parallelism" -> parallelism = Integer.parseInt(value(arg, rest));
                case "--heap" -> heap = value(arg, rest);
                case "--java" -> java.add(value(arg, rest));
                case "--results" -> folder = Path.of(value(arg, rest));
                case "--full" -> {
                    rows = List.of(1_000_000L, 5_000_000L, 20_000_000L);
                    connectors = List.of(Connector.values());
                }
                default -> {
                    if (arg.startsWith("-")) {
                        throw new IllegalArgumentException("There is no option " + arg + ".\n\n" + USAGE);
                    }
                    jobs.add(arg);
                }
            }
        }
        return new Arguments(rows, pairs, commits, jobs, connectors, new Machine(parallelism, heap, java), folder);
    }

    private static List<Connector> connectors(String names) {
        return Stream.of(names.split(",", -1))
                .map(name -> Connector.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
    }

    private static String value(String option, Deque<String> rest) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value.\n\n" + USAGE);
        }
        return rest.removeFirst();
    }

    /**
     * All jobs run with the first number of rows. With the others only those that were named do, or else those that growth is
     * shown of, and never those that take the same time.
     */
    boolean wants(Job job, long rows) {
        boolean named = jobs.stream().anyMatch(job.name()::startsWith);
        if (rows == this.rows.get(0)) {
            return jobs.isEmpty() || named;
        }
        return !job.traits().fixed() && (jobs.isEmpty() ? job.traits().growth() : named);
    }

    /** Counted runs with each connector. Where one takes long, few have to do. */
    int pairs(Job job, long rows) {
        if (rows >= HUGE) {
            return 1;
        }
        return job.follows() || rows >= LARGE ? Math.min(pairs, 2) : pairs;
    }

    /** Whether a run comes first that is not counted. A job that follows, or that takes very long, warms up by itself. */
    boolean warmsUp(Job job, long rows) {
        return !job.follows() && rows < HUGE;
    }
}
