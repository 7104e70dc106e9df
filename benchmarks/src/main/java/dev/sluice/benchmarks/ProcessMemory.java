/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What this process takes, in bytes, after collecting garbage. Told by Linux; elsewhere all but the heap is 0.
 *
 * @param heap of the Java heap, in use
 * @param anonymous of memory that is backed by no file, heap and native
 * @param mapped of files in memory, which the system takes away without asking when it needs the room
 * @param disk of files in the folder for temporary ones, and of those that are deleted but mapped
 */
record ProcessMemory(long heap, long anonymous, long mapped, long disk) {

    static ProcessMemory now() throws InterruptedException, IOException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            // The collector gives unused heap back to the system a little later.
            Thread.sleep(200);
        }
        Runtime runtime = Runtime.getRuntime();
        return new ProcessMemory(
                runtime.totalMemory() - runtime.freeMemory(),
                status("RssAnon:"),
                status("RssFile:") + status("RssShmem:"),
                files(Path.of(System.getProperty("java.io.tmpdir"))) + deletedFiles());
    }

    /** The most that was in memory since the start, mapped files included, in bytes. */
    static long peak() throws IOException {
        return status("VmHWM:");
    }

    /** As names and values by turns, in MiB, each name with the end given. */
    String since(ProcessMemory before, String end) {
        return figure("heap", end, heap - before.heap)
                + figure("anonymous", end, anonymous - before.anonymous)
                + figure("mapped", end, mapped - before.mapped)
                + figure("disk", end, disk - before.disk);
    }

    private static String figure(String name, String end, long bytes) {
        return String.format(Locale.ROOT, "%s_mib_%s %.1f ", name, end, bytes / 1048576.0);
    }

    private static long status(String name) throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                    .findFirst()
                    .orElse(0);
        }
    }

    private static long files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .mapToLong(ProcessMemory::size)
                    .sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long deletedFiles() throws IOException {
        Path maps = Path.of("/proc/self/maps");
        if (!Files.exists(maps)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(maps)) {
            return lines.filter(line -> line.endsWith("(deleted)"))
                    .map(line -> line.substring(0, line.indexOf(' ')).split("-"))
                    .mapToLong(ends -> Long.parseLong(ends[1], 16) - Long.parseLong(ends[0], 16))
                    .sum();
        }
    }
}
