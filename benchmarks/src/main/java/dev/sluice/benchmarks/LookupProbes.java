/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import dev.sluice.flink.lookup.LookupSpec;
import dev.sluice.flink.lookup.PaimonAsyncLookupFunction;
import dev.sluice.flink.lookup.PaimonLookupFunction;
import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.store.StoreTable;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.disk.IOManager;
import org.apache.paimon.flink.lookup.AsyncLookupFunctionWrapper;
import org.apache.paimon.flink.lookup.FileStoreLookupFunction;
import org.apache.paimon.flink.lookup.NewLookupFunction;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.table.sink.BatchTableCommit;
import org.apache.paimon.table.sink.BatchTableWrite;
import org.apache.paimon.table.sink.BatchWriteBuilder;
import org.apache.paimon.types.DataTypes;

/**
 * Probes a table of 8 columns through a lookup function, ours or the official connector's, one of them per process:
 * {@code LookupProbes make|sluice|official <load> <folder> <rows> <probes> [key=value ...]}. Loads are hot (nine in ten
 * probes on 1,000 keys), uniform, missing (every other key is not there), async (uniform, on a storage that takes 2 ms an
 * access) and memory (four functions held open). Only ratios between runs that alternate mean something.
 */
public final class LookupProbes {

    private static final int[] COLUMNS = {0, 1, 3};
    private static final int IN_FLIGHT = 100;
    private static final int WARM_UP = 300_000;

    private LookupProbes() {}

    public static void main(String[] args) throws Exception {
        String who = args[0];
        String load = args[1];
        Path folder = new Path(java.nio.file.Path.of(args[2]).toUri());
        long rows = Long.parseLong(args[3]);
        int probes = Integer.parseInt(args[4]);
        Map<String, String> options = new HashMap<>();
        for (int i = 5; i < args.length; i++) {
            options.put(args[i].substring(0, args[i].indexOf('=')), args[i].substring(args[i].indexOf('=') + 1));
        }
        if (who.equals("make")) {
            make(folder, rows);
            return;
        }
        FileIO storage = load.equals("async") ? new SlowStorage() : LocalFileIO.create();
        FileStoreTable table = FileStoreTableFactory.create(storage, folder).copy(options);
        switch (load) {
            case "memory" -> memory(who, table);
            case "async" -> async(who, table, rows, probes);
            default -> sync(who, load, table, rows, probes);
        }
        System.exit(0);
    }

    private static void make(Path folder, long rows) throws Exception {
        Schema.Builder schema = Schema.newBuilder().column("id", DataTypes.BIGINT());
        for (int i = 1; i < 8; i++) {
            schema.column("c" + i, i % 2 == 1 ? DataTypes.STRING() : DataTypes.BIGINT());
        }
        new SchemaManager(LocalFileIO.create(), folder)
                .createTable(schema.primaryKey("id").option("bucket", "4").build());
        FileStoreTable table = FileStoreTableFactory.create(LocalFileIO.create(), folder);
        BatchWriteBuilder builder = table.newBatchWriteBuilder();
        try (IOManager io = IOManager.create(System.getProperty("java.io.tmpdir"));
                BatchTableWrite write = builder.newWrite();
                BatchTableCommit commit = builder.newCommit()) {
            write.withIOManager(io);
            SplittableRandom random = new SplittableRandom(3);
            for (long id = 0; id < rows; id++) {
                GenericRow row = new GenericRow(8);
                // Keys are spread, so that every other number in their range is none.
                row.setField(0, id * 2);
                for (int i = 1; i < 8; i++) {
                    row.setField(
                            i,
                            i % 2 == 1
                                    ? BinaryString.fromString("value-" + random.nextInt(1_000_000))
                                    : (Object) random.nextLong());
                }
                write.write(row);
            }
            commit.commit(write.prepareCommit());
        }
    }

    private static LongSupplier keys(String load, long rows) {
        SplittableRandom random = new SplittableRandom(7);
        return switch (load) {
            case "hot" ->
                () -> 2 * (random.nextInt(10) < 9 ? random.nextLong(1000) * (rows / 1000) : random.nextLong(rows));
            case "missing" -> () -> random.nextLong(2 * rows);
            default -> () -> 2 * random.nextLong(rows);
        };
    }

    private static void sync(String who, String load, FileStoreTable table, long rows, int probes) throws Exception {
        LookupFunction function = who.equals("official") ? Official.sync(table) : Ours.sync(table);
        LongSupplier keys = keys(load, rows);
        long found = run(function, keys, WARM_UP);
        long start = System.nanoTime();
        found += run(function, keys, probes);
        report(who + " " + load, probes, System.nanoTime() - start, found);
        function.close();
    }

    private static long run(LookupFunction function, LongSupplier keys, int probes) throws IOException {
        GenericRowData key = new GenericRowData(1);
        long found = 0;
        for (int i = 0; i < probes; i++) {
            key.setField(0, keys.getAsLong());
            found += sum(function.lookup(key));
        }
        return found;
    }

    private static long sum(Collection<RowData> rows) {
        long found = 0;
        for (RowData row : rows) {
            found += row.getString(1).toBytes().length > 0 ? 1 : 0;
        }
        return found;
    }

    private static void async(String who, FileStoreTable table, long rows, int probes) throws Exception {
        long open = System.nanoTime();
        AsyncLookupFunction function = who.equals("official") ? Official.async(table) : Ours.async(table);
        LongSupplier keys = keys("uniform", rows);
        long found = run(function, keys, WARM_UP);
        long start = System.nanoTime();
        found += run(function, keys, probes);
        report(who + " async", probes, System.nanoTime() - start, found);
        report(who + " async from open", probes + WARM_UP, System.nanoTime() - open, found);
        function.close();
    }

    /** As Flink's operator does, with so many answers awaited at most. */
    private static long run(AsyncLookupFunction function, LongSupplier keys, int probes) throws Exception {
        Deque<CompletableFuture<Collection<RowData>>> inFlight = new ArrayDeque<>();
        long found = 0;
        for (int i = 0; i < probes; i++) {
            if (inFlight.size() == IN_FLIGHT) {
                found += sum(inFlight.remove().get());
            }
            GenericRowData key = new GenericRowData(1);
            key.setField(0, keys.getAsLong());
            inFlight.add(function.asyncLookup(key));
        }
        while (!inFlight.isEmpty()) {
            found += sum(inFlight.remove().get());
        }
        return found;
    }

    private static void memory(String who, FileStoreTable table) throws Exception {
        long before = used();
        List<LookupFunction> functions = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            functions.add(who.equals("official") ? Official.sync(table) : Ours.sync(table));
        }
        System.out.printf("%s memory: %d MiB of heap for 4 subtasks%n", who, (used() - before) >> 20);
        for (LookupFunction function : functions) {
            function.close();
        }
    }

    private static long used() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void report(String what, long probes, long nanos, long found) {
        System.out.printf("%s: %.0f probes a second, %d found%n", what, probes * 1e9 / nanos, found);
    }

    private static final class Ours {

        private static LookupSpec spec(FileStoreTable table) {
            return new LookupSpec(
                    StoreTable.of("table", table),
                    List.of(COLUMNS[0], COLUMNS[1], COLUMNS[2]),
                    List.of(0),
                    List.of(),
                    LookupSettings.from(Configuration.fromMap(table.options())));
        }

        private static FunctionContext context() {
            return new FunctionContext(null, LookupProbes.class.getClassLoader(), null);
        }

        static LookupFunction sync(FileStoreTable table) throws Exception {
            PaimonLookupFunction function = new PaimonLookupFunction(spec(table));
            function.open(context());
            return function;
        }

        static AsyncLookupFunction async(FileStoreTable table) throws Exception {
            PaimonAsyncLookupFunction function = new PaimonAsyncLookupFunction(spec(table));
            function.open(context());
            return function;
        }
    }

    private static final class Official {

        private static FileStoreLookupFunction open(FileStoreTable table) throws Exception {
            FileStoreLookupFunction function = new FileStoreLookupFunction(table, COLUMNS, new int[] {0}, null, null);
            // What its own tests call, since the public one wants a whole task.
            Method open = FileStoreLookupFunction.class.getDeclaredMethod("open", String.class);
            open.setAccessible(true);
            open.invoke(function, Files.createTempDirectory("lookup").toString());
            return function;
        }

        static LookupFunction sync(FileStoreTable table) throws Exception {
            return new NewLookupFunction(open(table));
        }

        static AsyncLookupFunction async(FileStoreTable table) throws Exception {
            return new AsyncLookupFunctionWrapper(new NewLookupFunction(open(table)), 16);
        }
    }
}
