/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.flink.lookup.LookupSpec;
import dev.sluice.flink.lookup.PaimonAsyncLookupFunction;
import dev.sluice.flink.lookup.PaimonLookupFunction;
import dev.sluice.flink.settings.LookupSettings;
import dev.sluice.flink.store.StoreTable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;
import org.apache.paimon.flink.lookup.AsyncLookupFunctionWrapper;
import org.apache.paimon.flink.lookup.FileStoreLookupFunction;
import org.apache.paimon.flink.lookup.NewLookupFunction;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;

/**
 * One side's part of a comparison, in a process of its own: {@code LookupRun sluice|official <load> <folder> <rows>
 * <probes> [key=value ...]}. Prints one line of figures, names and values by turns.
 */
final class LookupRun {

    private static final int[] COLUMNS = {0, 1, 3};
    private static final int IN_FLIGHT = 100;
    private static final int WARM_UP = 300_000;
    private static final int SUBTASKS = 4;

    private LookupRun() {}

    public static void main(String[] args) throws Exception {
        boolean ours = args[0].equals("sluice");
        String load = args[1];
        long rows = Long.parseLong(args[3]);
        int probes = Integer.parseInt(args[4]);
        Map<String, String> options = new HashMap<>();
        for (int i = 5; i < args.length; i++) {
            options.put(args[i].substring(0, args[i].indexOf('=')), args[i].substring(args[i].indexOf('=') + 1));
        }
        FileIO storage = load.equals("slow-storage") ? new SlowStorage() : LocalFileIO.create();
        FileStoreTable table = FileStoreTableFactory.create(
                        storage, new Path(java.nio.file.Path.of(args[2]).toUri()))
                .copy(options);
        if (load.equals("memory")) {
            memory(ours, table, rows, probes);
        } else if (options.containsKey("lookup.async")) {
            long open = System.nanoTime();
            AsyncLookupFunction function = ours ? Ours.async(table) : Official.async(table);
            LongSupplier keys = LookupTable.keys(load, rows);
            time(open, probes, count -> run(function, keys, count));
        } else {
            long open = System.nanoTime();
            LookupFunction function = ours ? Ours.sync(table) : Official.sync(table);
            LongSupplier keys = LookupTable.keys(load, rows);
            time(open, probes, count -> run(function, keys, count));
        }
        // Without waiting for threads of either side.
        System.exit(0);
    }

    private interface Probing {
        long found(int probes) throws Exception;
    }

    private static void time(long open, int probes, Probing probing) throws Exception {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long found = probing.found(WARM_UP);
        long warm = System.nanoTime();
        long cpu = system.getProcessCpuTime();
        found += probing.found(probes);
        System.out.printf(
                Locale.ROOT,
                "warm_seconds %.3f seconds %.3f cpu_seconds %.3f found %d%n",
                (warm - open) / 1e9,
                (System.nanoTime() - warm) / 1e9,
                (system.getProcessCpuTime() - cpu) / 1e9,
                found);
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

    private static void memory(boolean ours, FileStoreTable table, long rows, int probes) throws Exception {
        // What any reading of the table leaves behind, such as code and buffers, is no part of the comparison.
        LookupTable.read(table, COLUMNS);
        ProcessMemory before = ProcessMemory.now();
        List<LookupFunction> functions = new ArrayList<>();
        for (int i = 0; i < SUBTASKS; i++) {
            functions.add(ours ? Ours.sync(table) : Official.sync(table));
        }
        ProcessMemory opened = ProcessMemory.now();
        long found = 0;
        for (LookupFunction function : functions) {
            found += run(function, LookupTable.keys("uniform", rows), probes / SUBTASKS);
        }
        ProcessMemory probed = ProcessMemory.now();
        System.out.printf(
                Locale.ROOT,
                "%s%speak_mib %d found %d%n",
                opened.since(before, "opened"),
                probed.since(before, "probed"),
                ProcessMemory.peak() >> 20,
                found);
        for (LookupFunction function : functions) {
            function.close();
        }
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
            return new FunctionContext(null, LookupRun.class.getClassLoader(), null);
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
