/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.table.api.ResultKind;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.internal.TableResultInternal;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.operations.ModifyOperation;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.QueryOperation;
import org.apache.flink.table.operations.SinkModifyOperation;
import org.apache.flink.table.operations.StatementSetOperation;
import org.apache.flink.table.operations.command.ResetOperation;
import org.apache.flink.table.operations.command.SetOperation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes statements one after another and shows each with its result. */
final class StatementRunner {

    private static final Logger LOG = LoggerFactory.getLogger(StatementRunner.class);
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);

    private final SqlSession session;
    private final PrintStream out;
    /** Of the statement that is running; written by the runner's thread, read by whoever interrupts it. */
    private volatile @Nullable JobClient running;

    private volatile boolean cancelled;

    StatementRunner(SqlSession session, PrintStream out) {
        this.session = session;
        this.out = out;
    }

    /** @throws StatementException naming the statement, its place and the cause */
    void run(SqlStatement statement) {
        out.println("> " + statement.head());
        runQuietly(statement);
        out.println();
    }

    void runQuietly(SqlStatement statement) {
        cancelled = false;
        long start = System.nanoTime();
        try {
            SqlSession.Statement parsed = session.statement(statement.sql());
            execute(parsed, start);
            if (cancelled) {
                out.println("Cancelled.");
            }
        } catch (Exception e) {
            if (cancelled) {
                out.println("Cancelled.");
            } else {
                LOG.error("{} failed: {}", statement.place(), statement.sql(), e);
                throw new StatementException(statement, e);
            }
        } finally {
            running = null;
        }
    }

    /** Ends the running statement's job, if there is one; from any thread. */
    boolean cancel() {
        JobClient job = running;
        if (job == null) {
            return false;
        }
        cancelled = true;
        CompletableFuture<?> unused = job.cancel().whenComplete((done, failure) -> {
            if (failure != null) {
                out.println("The job does not stop: " + Failures.reason(failure));
            }
        });
        return true;
    }

    private void execute(SqlSession.Statement statement, long start) throws ExecutionException, InterruptedException {
        Operation operation = statement.operation();
        if (operation instanceof SetOperation set) {
            set(set);
            return;
        }
        if (operation instanceof ResetOperation reset) {
            reset.getKey().ifPresentOrElse(session::reset, session::resetAll);
            out.println("OK");
            return;
        }
        List<ObjectIdentifier> targets = targets(operation);
        SnapshotCounts snapshots = SnapshotCounts.of(session, targets);
        TableResultInternal result = statement.environment().executeInternal(operation);
        running = result.getJobClient().orElse(null);
        boolean returnsRows = operation instanceof QueryOperation;
        JobClient job = running;
        if (job != null && !returnsRows && !targets.isEmpty()) {
            follow(job, snapshots, start);
        } else {
            show(result, start, returnsRows);
        }
    }

    private void set(SetOperation set) {
        Optional<String> key = set.getKey();
        Optional<String> value = set.getValue();
        if (key.isPresent() && value.isPresent()) {
            session.set(key.get(), value.get());
            out.println("OK");
        } else {
            session.settings().forEach((name, setting) -> out.println(name + " = " + setting));
        }
    }

    private void show(TableResult result, long start, boolean isQuery) {
        if (result.getResultKind() == ResultKind.SUCCESS) {
            out.println("OK");
            return;
        }
        result.print();
        if (isQuery) {
            out.printf(Locale.ROOT, "(%.1f s)%n", seconds(start));
        }
    }

    private void follow(JobClient job, SnapshotCounts snapshots, long start)
            throws ExecutionException, InterruptedException {
        JobID id = job.getJobID();
        LongSupplier rows = snapshots.isEmpty() ? () -> RowCounts.read(id) : () -> RowCounts.written(id);
        JobProgress progress = new JobProgress(out, rows, snapshots, start);
        CompletableFuture<JobExecutionResult> finished = job.getJobExecutionResult();
        try {
            while (true) {
                try {
                    finished.get(PROGRESS_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                    progress.end(System.nanoTime());
                    return;
                } catch (TimeoutException stillRunning) {
                    progress.line(System.nanoTime());
                }
            }
        } finally {
            RowCounts.forget(id);
        }
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    /** The tables that an INSERT or a set of them writes. */
    private static List<ObjectIdentifier> targets(Operation operation) {
        List<ObjectIdentifier> targets = new ArrayList<>();
        if (operation instanceof StatementSetOperation set) {
            for (ModifyOperation single : set.getOperations()) {
                targets.addAll(targets(single));
            }
        } else if (operation instanceof SinkModifyOperation sink) {
            targets.add(sink.getContextResolvedTable().getIdentifier());
        }
        return targets;
    }
}
