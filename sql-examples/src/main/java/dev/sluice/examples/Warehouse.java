/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The folder that holds the tables. */
final class Warehouse {

    private Warehouse() {}

    /**
     * @param given null: a new temporary folder
     * @throws IllegalArgumentException if it is no folder that can be written to
     */
    static Path open(@Nullable Path given) {
        Path folder = given;
        try {
            if (folder == null) {
                return Files.createTempDirectory("sluice-quickstart-");
            }
            if (folder.toString().matches("\\w+:/.*")) {
                throw new IllegalArgumentException("--warehouse " + folder
                        + " is not a local folder. For other file systems write CREATE CATALOG in a file of your own.");
            }
            folder = folder.toAbsolutePath().normalize();
            if (Files.exists(folder) && !Files.isDirectory(folder)) {
                throw new IllegalArgumentException(
                        "--warehouse " + folder + " is a file: give a folder, or a path where one can be made.");
            }
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--warehouse " + (folder == null ? "in " + System.getProperty("java.io.tmpdir") : folder)
                            + " cannot be made (" + e.getClass().getSimpleName()
                            + "): give a folder that you may write to.",
                    e);
        }
        if (!Files.isWritable(folder)) {
            throw new IllegalArgumentException(
                    "--warehouse " + folder + " is not writable: give a folder that you may write to.");
        }
        return folder;
    }

    /** The statement that opens the tables anywhere, on one line. */
    static String createCatalog(Path warehouse) {
        return "CREATE CATALOG sluice WITH ('type' = 'paimon', 'warehouse' = '" + quoted(warehouse) + "');";
    }

    /** For use between quotes of SQL. */
    static String quoted(Path warehouse) {
        return warehouse.toString().replace("'", "''");
    }

    static void tellHowToOpen(Path warehouse, PrintStream out) {
        out.println("The tables are in " + warehouse + "/tpch.db. To open them:");
        out.println("  here:                   ./quickstart --sql --warehouse " + shellWord(warehouse.toString()));
        out.println("  in a Flink SQL client:  " + createCatalog(warehouse));
        out.println("                          USE sluice.tpch;");
    }

    private static String shellWord(String text) {
        return text.matches("[\\w./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
