/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.paimon.CoreOptions;

/** Keys with a name inside, or a whole space of keys that a library behind the engine reads. */
final class KeyPatterns {

    /** What follows {@code fields.<column>.}; the engine builds these keys where it reads them. */
    static final Set<String> FIELD_SUFFIXES = Set.of(
            CoreOptions.AGG_FUNCTION,
            CoreOptions.IGNORE_RETRACT,
            CoreOptions.NESTED_KEY,
            CoreOptions.NESTED_KEY_NULL_STRATEGY,
            CoreOptions.NESTED_SEQUENCE_FIELD,
            CoreOptions.COUNT_LIMIT,
            CoreOptions.DISTINCT,
            CoreOptions.LIST_AGG_DELIMITER,
            CoreOptions.MERGE_MAP_TS_FIELD,
            CoreOptions.MAP_STORAGE_LAYOUT,
            CoreOptions.MAP_SHARED_SHREDDING_MAX_COLUMNS,
            CoreOptions.MAP_SHARED_SHREDDING_COLUMN_PLACEMENT_POLICY,
            CoreOptions.STATS_MODE_SUFFIX,
            "sequence-group",
            "pk-vector.index.type",
            "pk-vector.index.options",
            "pk-vector.distance.metric",
            "pk-btree.index.options",
            "pk-bitmap.index.options",
            "pk-full-text.index.options");

    /** Read by the file systems the engine can load; part of a catalog, or of a table that has none. */
    static final List<String> STORAGE_PREFIXES =
            List.of("s3.", "s3a.", "fs.", "hadoop.", "oss.", "obs.", "cosn.", "gs.", "azure.", "dlf.", "security.");

    private static final List<String> FORMAT_PREFIXES = List.of(
            "orc.",
            "parquet.",
            "avro.",
            "lance.",
            "mosaic.",
            "vortex.",
            "lumina.",
            "full-text.",
            "variant.",
            CoreOptions.BLOB_DESCRIPTOR_PREFIX);

    private static final List<String> CATALOG_PREFIXES =
            List.of("jdbc.", "header.", "hive.", "lock.", "token.", "io-cache.", "metadata.iceberg.");

    /** Declared by a class of the engine that loads only where Hadoop is. */
    private static final Set<String> HADOOP_KEYS = Set.of("hadoop-conf-loader", "hadoop-load-default-config");

    private static final Pattern FIELD = Pattern.compile("fields\\.(.+?)\\.(" + alternatives(FIELD_SUFFIXES) + ")");
    private static final Pattern FILE_INDEX =
            Pattern.compile("file-index\\.[^.]+\\.(" + CoreOptions.COLUMNS + "|.+\\.[^.]+)");
    private static final Pattern CALLBACK = Pattern.compile("(commit|tag)\\.callback\\..+\\.param");
    private static final Pattern FLINK_SCHEMA = Pattern.compile("schema\\..+");
    private static final Pattern PK_VECTOR = Pattern.compile("fields\\.(.+?)\\.pk-vector\\..+");

    private static final OptionSpec.Place DEFINES = new OptionSpec.Place(Side.TABLE, true, false, false, false);
    private static final OptionSpec.Place STORAGE = new OptionSpec.Place(Side.TABLE, false, false, false, false);
    private static final OptionSpec.Place FORMAT = new OptionSpec.Place(Side.BOTH, false, false, true, false);
    private static final OptionSpec.Place WRITES = new OptionSpec.Place(Side.WRITE, false, false, true, false);
    private static final OptionSpec.Place CATALOG = new OptionSpec.Place(Side.CATALOG, false, false, false, false);

    private KeyPatterns() {}

    static Optional<OptionSpec<?>> table(String key) {
        if (key.equals("connector") || FLINK_SCHEMA.matcher(key).matches()) {
            return Optional.of(spec(key, DEFINES));
        }
        if (FIELD.matcher(key).matches() || PK_VECTOR.matcher(key).matches()) {
            return Optional.of(spec(key, key.endsWith("." + CoreOptions.STATS_MODE_SUFFIX) ? WRITES : DEFINES));
        }
        if (FILE_INDEX.matcher(key).matches() || CALLBACK.matcher(key).matches()) {
            return Optional.of(spec(key, WRITES));
        }
        if (startsWithAny(key, FORMAT_PREFIXES)) {
            return Optional.of(spec(key, FORMAT));
        }
        return isStorage(key) ? Optional.of(spec(key, STORAGE)) : Optional.empty();
    }

    static Optional<OptionSpec<?>> catalog(String key) {
        boolean known = isStorage(key) || HADOOP_KEYS.contains(key) || startsWithAny(key, CATALOG_PREFIXES);
        return known ? Optional.of(spec(key, CATALOG)) : Optional.empty();
    }

    static boolean isStorage(String key) {
        return startsWithAny(key, STORAGE_PREFIXES);
    }

    /** The columns that a {@code fields.<column>.…} key names, or none for any other key. */
    static List<String> fieldsOf(String key) {
        Matcher matcher = FIELD.matcher(key);
        return matcher.matches() ? List.of(matcher.group(1).split(CoreOptions.FIELDS_SEPARATOR)) : List.of();
    }

    /** For documentation: the keys with a name in angle brackets. */
    static Set<String> spellings() {
        Set<String> all = new TreeSet<>();
        FIELD_SUFFIXES.forEach(suffix -> all.add("fields.<column>." + suffix));
        all.add("file-index.<type>.columns");
        all.add("file-index.<type>.<column>.<property>");
        all.add("commit.callback.<class>.param");
        all.add("tag.callback.<class>.param");
        FORMAT_PREFIXES.forEach(prefix -> all.add(prefix + "<property>"));
        STORAGE_PREFIXES.forEach(prefix -> all.add(prefix + "<property>"));
        return all;
    }

    private static OptionSpec<String> spec(String key, OptionSpec.Place place) {
        return new OptionSpec<>(
                key,
                List.of(),
                ValueType.engine("String", "text", text -> text),
                null,
                new OptionSpec.Words("", "text", null, Set.of(Origin.PAIMON)),
                place,
                null);
    }

    private static boolean startsWithAny(String key, List<String> prefixes) {
        Predicate<String> more = prefix -> key.startsWith(prefix) && key.length() > prefix.length();
        return prefixes.stream().anyMatch(more);
    }

    private static String alternatives(Set<String> words) {
        return String.join("|", words.stream().sorted().map(Pattern::quote).toList());
    }
}
