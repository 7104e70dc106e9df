/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.flink.FlinkCatalogOptions;
import org.apache.paimon.flink.FlinkConnectorOptions;
import org.apache.paimon.format.OrcOptions;
import org.apache.paimon.format.csv.CsvOptions;
import org.apache.paimon.format.json.JsonOptions;
import org.apache.paimon.format.text.TextOptions;
import org.apache.paimon.globalindex.bitmap.BitmapGlobalIndexOptions;
import org.apache.paimon.globalindex.btree.BTreeIndexOptions;
import org.apache.paimon.globalindex.sorted.SortedIndexOptions;
import org.apache.paimon.hive.HiveCatalogOptions;
import org.apache.paimon.iceberg.IcebergOptions;
import org.apache.paimon.jdbc.JdbcCatalogOptions;
import org.apache.paimon.options.CatalogOptions;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.FallbackKey;
import org.apache.paimon.options.MemorySize;
import org.apache.paimon.options.Options;
import org.apache.paimon.privilege.PrivilegedCatalog;
import org.apache.paimon.rest.RESTCatalogInternalOptions;
import org.apache.paimon.rest.RESTCatalogOptions;
import org.apache.paimon.rest.RESTTokenFileIO;
import org.apache.paimon.security.SecurityConfiguration;
import org.apache.paimon.utils.TimeUtils;
import org.jspecify.annotations.Nullable;

/**
 * The keys that the engine's own option classes declare, read from those classes. Keys that have no declaration there,
 * because part of them is a name, are in {@link KeyPatterns}.
 */
final class EngineOptions {

    /** What a table carries: storage, scanning, committing, file formats, indexes. */
    static final List<Class<?>> TABLE_CLASSES = List.of(
            CoreOptions.class,
            FlinkConnectorOptions.class,
            IcebergOptions.class,
            OrcOptions.class,
            CsvOptions.class,
            JsonOptions.class,
            TextOptions.class,
            BTreeIndexOptions.class,
            BitmapGlobalIndexOptions.class,
            SortedIndexOptions.class);

    /** What a catalog is created with. */
    static final List<Class<?>> CATALOG_CLASSES = List.of(
            CatalogOptions.class,
            FlinkCatalogOptions.class,
            JdbcCatalogOptions.class,
            HiveCatalogOptions.class,
            PrivilegedCatalog.class,
            RESTCatalogOptions.class,
            RESTCatalogInternalOptions.class,
            RESTTokenFileIO.class,
            SecurityConfiguration.class);

    private static final Map<String, OptionSpec<?>> TABLE = read(TABLE_CLASSES, false);
    private static final Map<String, OptionSpec<?>> CATALOG = read(CATALOG_CLASSES, true);

    private EngineOptions() {}

    /** By primary key, sorted. */
    static Map<String, OptionSpec<?>> table() {
        return TABLE;
    }

    /** By primary key, sorted. */
    static Map<String, OptionSpec<?>> catalog() {
        return CATALOG;
    }

    /** @throws IllegalStateException if none of the engine's classes declares the option any more */
    @SuppressWarnings("unchecked")
    static <T> OptionSpec<T> spec(ConfigOption<T> option) {
        OptionSpec<?> spec = TABLE.getOrDefault(option.key(), CATALOG.get(option.key()));
        if (spec == null) {
            throw new IllegalStateException("The engine declares no option '" + option.key() + "'.");
        }
        return (OptionSpec<T>) spec;
    }

    private static Map<String, OptionSpec<?>> read(List<Class<?>> classes, boolean catalog) {
        Map<String, OptionSpec<?>> specs = new TreeMap<>();
        for (Class<?> type : classes) {
            for (Field field : type.getFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
                    ConfigOption<?> option = constant(field);
                    specs.putIfAbsent(option.key(), spec(option, valueType(field), catalog));
                }
            }
        }
        return Collections.unmodifiableMap(specs);
    }

    private static ConfigOption<?> constant(Field field) {
        try {
            return (ConfigOption<?>) field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("The engine's option " + field + " cannot be read.", e);
        }
    }

    private static Class<?> valueType(Field field) {
        Type argument = ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0];
        return argument instanceof ParameterizedType map ? (Class<?>) map.getRawType() : (Class<?>) argument;
    }

    private static <T> OptionSpec<T> spec(ConfigOption<T> option, Class<?> type, boolean catalog) {
        String key = option.key();
        List<OptionSpec.Alias> aliases = new ArrayList<>();
        for (FallbackKey fallback : option.fallbackKeys()) {
            aliases.add(new OptionSpec.Alias(fallback.getKey(), Origin.PAIMON));
        }
        Side side = catalog ? Side.CATALOG : EngineSides.of(key);
        boolean fixed = !catalog && EngineSides.isFixed(key);
        boolean dynamic = side != Side.CATALOG && side != Side.TABLE;
        return new OptionSpec<>(
                key,
                List.copyOf(aliases),
                ValueType.engine(name(type), accepted(type), text -> parse(option, text)),
                defaultText(option.defaultValue()),
                new OptionSpec.Words("", unit(type), null, Set.of(Origin.PAIMON)),
                new OptionSpec.Place(side, side == Side.TABLE, fixed, dynamic, false),
                null);
    }

    private static <T> T parse(ConfigOption<T> option, String text) {
        return new Options(Map.of(option.key(), text)).get(option);
    }

    private static String name(Class<?> type) {
        return type.isEnum() ? "Enum" : type.getSimpleName();
    }

    private static String unit(Class<?> type) {
        if (type == Boolean.class) {
            return "flag";
        }
        if (type == Duration.class) {
            return "duration";
        }
        if (type == MemorySize.class) {
            return "size";
        }
        return Number.class.isAssignableFrom(type) ? "number" : "text";
    }

    private static String accepted(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(Object::toString)
                            .collect(Collectors.joining(", "));
        }
        return switch (type.getSimpleName()) {
            case "Boolean" -> "true or false";
            case "Integer", "Long" -> "a whole number";
            case "Double", "Float" -> "a number";
            case "Duration" -> "a duration such as '10 s', '500 ms' or '1 h' (a bare number is milliseconds)";
            case "MemorySize" -> "a size such as '256 mb' or '1 gb' (a bare number is bytes)";
            case "Map" -> "pairs such as 'key1:value1,key2:value2'";
            default -> "text";
        };
    }

    private static @Nullable String defaultText(@Nullable Object value) {
        if (value == null || value.equals(Map.of())) {
            return null;
        }
        return value instanceof Duration duration ? TimeUtils.formatWithHighestUnit(duration) : value.toString();
    }
}
