/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.table.api.ValidationException;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.CoreOptions.ChangelogProducer;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.format.FormatWriter;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.jspecify.annotations.Nullable;

/**
 * Whether the table's file formats can be written with its compressions. Which codecs there are depends on classes and native
 * libraries that the engine expects beside it, and it looks for them when the first file is written; this tries it, in
 * memory, while the statement is planned.
 */
public final class WritableFormats {

    private static final RowType ONE_TEXT = RowType.of(DataTypes.STRING());
    private static final List<String> CODECS =
            List.of("none", "zstd", "snappy", "lz4", "gzip", "zlib", "deflate", "bzip2", "lz4_raw", "null");

    private static final Pattern MISSING =
            Pattern.compile("(?:NoClassDefFoundError|ClassNotFoundException): ([A-Za-z][\\w/.$]*)");
    private static final String OWN = "dev.sluice.shaded.";

    private WritableFormats() {}

    private record Files(String format, String compression) {

        /** Needs nothing that the engine does not bring. */
        boolean isUsual() {
            return format.equals("parquet") && Set.of("zstd", "snappy", "none").contains(compression);
        }

        @Nullable
        Throwable failure(CoreOptions options) {
            try (InMemory out = new InMemory()) {
                FileFormat writable = FileFormat.fromIdentifier(format, options.toConfiguration());
                try (FormatWriter writer =
                        writable.createWriterFactory(ONE_TEXT).create(out, compression)) {
                    writer.addElement(GenericRow.of(BinaryString.fromString("x")));
                }
                return null;
            } catch (IOException | RuntimeException | LinkageError e) {
                return e;
            }
        }
    }

    /** @throws ValidationException with the compressions that can be written here */
    public static void check(StoreTable table) {
        CoreOptions options = CoreOptions.fromMap(table.options());
        for (Files files : of(table, options)) {
            Throwable failure = files.isUsual() ? null : files.failure(options);
            if (failure != null) {
                Throwable root = root(failure);
                throw new ValidationException(
                        "Table " + table + " has '" + CoreOptions.FILE_FORMAT.key() + "' = '" + files.format()
                                + "' with '"
                                + (table.kind() == StoreTable.Kind.FORMAT
                                        ? CoreOptions.FORMAT_TABLE_FILE_COMPRESSION.key()
                                        : CoreOptions.FILE_COMPRESSION.key())
                                + "' = '" + files.compression() + "', which cannot be written with the classes and"
                                + " libraries at hand ("
                                + missingClass(root)
                                        .map(name -> "class " + name + " is missing")
                                        .orElse(root.toString())
                                + "). " + advice(files, root, options),
                        failure);
            }
        }
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root;
    }

    /** Of the first failure, or, of a later one, as the virtual machine remembers it. */
    private static Optional<String> missingClass(Throwable root) {
        Matcher name = MISSING.matcher(root.toString());
        return name.find() ? Optional.of(name.group(1).replace('/', '.')) : Optional.empty();
    }

    private static String advice(Files files, Throwable root, CoreOptions options) {
        Set<String> writable = new TreeSet<>();
        for (String codec : CODECS) {
            if (new Files(files.format(), codec).failure(options) == null) {
                writable.add("'" + codec + "'");
            }
        }
        String choose = writable.isEmpty()
                ? "None can be with this format; choose another one, such as 'parquet'"
                : "These can be: " + String.join(", ", writable) + ". Choose one of them";
        // The SQL jar has a Hadoop of its own, under another name, which no jar beside it adds to.
        boolean jarsHelp =
                missingClass(root).filter(name -> !name.startsWith(OWN)).isPresent();
        return jarsHelp ? choose + ", or add the jar with the missing class to Flink's lib folder." : choose + ".";
    }

    private static Set<Files> of(StoreTable table, CoreOptions options) {
        Set<Files> all = new LinkedHashSet<>();
        String format = options.fileFormatString();
        if (table.kind() == StoreTable.Kind.FORMAT) {
            all.add(files(format, options.formatTableFileCompression()));
            return all;
        }
        String compression = options.fileCompression();
        all.add(files(format, compression));
        Map<Integer, String> formats = options.fileFormatPerLevel();
        Map<Integer, String> compressions = options.fileCompressionPerLevel();
        formats.forEach((level, one) -> all.add(files(one, compressions.getOrDefault(level, compression))));
        compressions.forEach((level, one) -> all.add(files(formats.getOrDefault(level, format), one)));
        if (options.changelogProducer() != ChangelogProducer.NONE) {
            all.add(files(
                    Objects.requireNonNullElse(options.changelogFileFormat(), format),
                    Objects.requireNonNullElse(options.changelogFileCompression(), compression)));
        }
        return all;
    }

    private static Files files(String format, String compression) {
        return new Files(format.toLowerCase(Locale.ROOT), compression.toLowerCase(Locale.ROOT));
    }

    private static final class InMemory extends PositionOutputStream {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public long getPos() {
            return bytes.size();
        }

        @Override
        public void write(int one) {
            bytes.write(one);
        }

        @Override
        public void write(byte[] some) {
            bytes.writeBytes(some);
        }

        @Override
        public void write(byte[] some, int from, int length) {
            bytes.write(some, from, length);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
