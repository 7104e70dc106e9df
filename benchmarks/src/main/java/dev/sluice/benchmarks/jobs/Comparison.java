/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Runs jobs with the connectors in turn, A B A B, and compares their times pair by pair and their answers. The first run of
 * each is not counted.
 */
public final class Comparison {

    private static final Path SQL = Path.of("benchmarks", "src", "main", "sql");
    private static final Path LIBRARIES = Path.of("benchmarks", "target", "lib");

    private final Arguments arguments;
    private final long rows;
    private final Path folder;
    private final Report report;
    private final List<WorkerProcess> workers = new ArrayList<>();

    private Comparison(Arguments arguments, long rows, Report report) {
        this.arguments = arguments;
        this.rows = rows;
        this.folder = arguments.folder().toAbsolutePath().resolve("rows-" + rows);
        this.report = report;
    }

    public static void main(String[] args) throws IOException {
        if (List.of(args).contains("--help")) {
            System.out.println(Arguments.USAGE);
            return;
        }
        if (args.length > 0 && args[0].equals("report")) {
            Report.write(Path.of(args[1]), Stream.of(args).skip(2).map(Path::of).toList());
            return;
        }
        Arguments arguments = Arguments.parse(args);
        List<String> command = new ArrayList<>(List.of(args));
        command.add(0, "benchmarks/run");
        try (Report report = Report.open(arguments.folder(), Circumstances.now(arguments, command, LIBRARIES))) {
            for (long rows : arguments.rows()) {
                new Comparison(arguments, rows, report).run();
            }
        }
    }

    private void run() throws IOException {
        deleteAll(folder);
        Files.createDirectories(folder);
        Map<String, String> variables = Map.of("rows", String.valueOf(rows), "scale", scale());
        List<JobFile> files = new ArrayList<>();
        JobFile common = JobFile.parse(Files.readString(SQL.resolve("common.sql")), variables);
        for (String name : List.of("load", "scan", "lookup", "planning", "latency")) {
            files.add(JobFile.parse(Files.readString(SQL.resolve(name + ".sql")), variables));
        }
        try {
            for (Connector connector : arguments.connectors()) {
                workers.add(WorkerProcess.start(connector, arguments.machine(), LIBRARIES, folder));
            }
            prepare(common);
            for (JobFile file : files) {
                List<Job> wanted = withInputs(file);
                if (!wanted.isEmpty()) {
                    prepare(file);
                }
                wanted.forEach(this::measure);
            }
        } finally {
            for (WorkerProcess worker : workers) {
                worker.close();
            }
        }
    }

    /** Six million line items at scale factor 1. */
    private String scale() {
        return String.format(Locale.ROOT, "%.6f", rows / 6_001_215.0);
    }

    private List<Job> withInputs(JobFile file) {
        List<Job> wanted =
                file.jobs().stream().filter(job -> arguments.wants(job, rows)).toList();
        return file.jobs().stream()
                .filter(job -> wanted.contains(job)
                        || wanted.stream().anyMatch(other -> other.input().equals(job.name())))
                .toList();
    }

    private void prepare(JobFile file) {
        for (JobFile.Tables tables : file.tables()) {
            workers.stream()
                    .filter(worker -> tables.connectors().contains(worker.connector()))
                    .limit(tables.shared() ? 1 : workers.size())
                    .forEach(worker -> tables.statements().forEach(statement -> worker.execute(statement, Map.of())));
        }
    }

    private void measure(Job job) {
        Map<Connector, List<Worker.Answer>> answers = new EnumMap<>(Connector.class);
        List<WorkerProcess> able = workers.stream()
                .filter(worker -> job.connectors().contains(worker.connector()))
                .toList();
        int first = arguments.warmsUp(job, rows) ? 0 : 1;
        for (int run = first; run <= arguments.pairs(job, rows); run++) {
            List<Worker.Answer> ofRun = job.follows() ? together(able, job, run) : inTurn(able, job);
            if (run == first || job.check().isEmpty() || !job.traits().checkOnce()) {
                compare(able, job, ofRun);
            }
            for (int i = 0; run > 0 && i < able.size(); i++) {
                answers.computeIfAbsent(able.get(i).connector(), c -> new ArrayList<>())
                        .add(ofRun.get(i));
            }
        }
        report.add(job.traits().fixed() ? 0 : rows, job, answers);
    }

    private static void compare(List<WorkerProcess> workers, Job job, List<Worker.Answer> answers) {
        Map<List<String>, List<String>> checks = new LinkedHashMap<>();
        for (int i = 0; i < workers.size(); i++) {
            List<String> check = job.check().isEmpty()
                    ? answers.get(i).rows()
                    : workers.get(i).execute(job.check(), Map.of()).rows();
            checks.computeIfAbsent(check, c -> new ArrayList<>())
                    .add(workers.get(i).connector().label());
        }
        if (checks.size() > 1) {
            throw new IllegalStateException("The answers of " + job.name() + " differ: " + checks);
        }
    }

    private static List<Worker.Answer> inTurn(List<WorkerProcess> workers, Job job) {
        List<Worker.Answer> answers = new ArrayList<>();
        for (WorkerProcess worker : workers) {
            job.before().forEach(statement -> worker.execute(statement, Map.of()));
            answers.add(worker.execute(job.measured(), job.settings()));
        }
        return answers;
    }

    /** All at the same time: jobs that wait for commits do next to nothing. */
    private List<Worker.Answer> together(List<WorkerProcess> workers, Job job, long seed) {
        for (WorkerProcess worker : workers) {
            job.before().forEach(statement -> worker.execute(statement, Map.of()));
        }
        ExecutorService threads = Executors.newFixedThreadPool(workers.size());
        try {
            return workers.stream()
                    .map(worker ->
                            CompletableFuture.supplyAsync(() -> worker.follow(job, arguments.commits(), seed), threads))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        } finally {
            threads.shutdown();
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
