/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.examples.EmbeddedFlink;
import dev.sluice.examples.SqlSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.ExceptionUtils;
import org.jspecify.annotations.Nullable;

/**
 * One connector's process: a Flink that stays, and statements that come on the standard input, a line of JSON each. Every
 * one is answered with a line of JSON when it has ended.
 */
public final class Worker {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final SqlSession session;

    private Worker(SqlSession session) {
        this.session = session;
    }

    /**
     * @param settings of the session, for each statement anew
     * @param commits what to commit while the statement, a job without an end, runs
     */
    record Request(String statement, Map<String, String> settings, CommitToRow.@Nullable Commits commits) {}

    /**
     * @param rows what a query answered, sorted
     * @param millis from the statement's text to its last row
     * @param cpuMillis of the whole process
     * @param peakMegabytes the most memory that the process has held during the statement, as the system counts it
     * @param heapMegabytes what is left on the heap after the statement and a collection
     * @param latencies from each commit to its row, in milliseconds; empty without commits
     */
    record Answer(
            List<String> rows,
            long millis,
            long cpuMillis,
            long peakMegabytes,
            long heapMegabytes,
            List<Long> latencies,
            String error) {}

    /** @param args the number of parallel subtasks */
    public static void main(String[] args) throws Exception {
        // The protocol has the standard output for itself.
        PrintStream answers = System.out;
        System.setOut(System.err);
        try (EmbeddedFlink flink = EmbeddedFlink.start(Integer.parseInt(args[0]), "0");
                BufferedReader requests =
                        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Worker worker = new Worker(new SqlSession(flink, RuntimeExecutionMode.BATCH));
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                answers.println(JSON.writeValueAsString(worker.answer(JSON.readValue(line, Request.class))));
                answers.flush();
            }
        }
        // Pools of file systems and of the connectors keep threads that are no daemons.
        System.exit(0);
    }

    private Answer answer(Request request) throws IOException {
        session.resetAll();
        request.settings().forEach(session::set);
        System.gc();
        forgetPeak();
        long cpu = PROCESS.getProcessCpuTime();
        long start = System.nanoTime();
        List<String> rows = List.of();
        List<Long> latencies = List.of();
        String error = "";
        try {
            if (request.commits() == null) {
                rows = run(request.statement());
            } else {
                JobClient job =
                        session.execute(request.statement()).getJobClient().orElseThrow();
                latencies = CommitToRow.measure(job, request.commits());
                rows = Arrivals.times().keySet().stream()
                        .sorted()
                        .map(String::valueOf)
                        .toList();
            }
        } catch (Exception e) {
            error = ExceptionUtils.stringifyException(e);
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        long cpuMillis = (PROCESS.getProcessCpuTime() - cpu) / 1_000_000;
        long peak = peakMegabytes();
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
        return new Answer(rows, millis, cpuMillis, peak, heap, latencies, error);
    }

    private List<String> run(String statement) throws Exception {
        TableResult result = session.execute(statement);
        if (result.getJobClient().isPresent() && statement.stripLeading().startsWith("INSERT")) {
            result.await();
            return List.of();
        }
        List<String> rows = new ArrayList<>();
        try (CloseableIterator<Row> all = result.collect()) {
            all.forEachRemaining(row -> rows.add(row.toString()));
        }
        rows.sort(null);
        return rows;
    }

    /** Linux starts to count the peak anew; elsewhere the peak is that of the process so far. */
    private static void forgetPeak() throws IOException {
        Path switches = Path.of("/proc/self/clear_refs");
        if (Files.isWritable(switches)) {
            Files.writeString(switches, "5");
        }
    }

    /** 0 where the system does not tell. */
    private static long peakMegabytes() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.isReadable(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10)
                .findFirst()
                .orElse(0);
    }
}
