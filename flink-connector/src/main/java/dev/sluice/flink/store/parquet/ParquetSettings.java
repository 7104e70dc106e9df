/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.parquet;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.paimon.format.HadoopCompressionType;
import org.apache.paimon.options.Options;
import org.apache.paimon.shade.org.apache.parquet.column.ParquetProperties;
import org.apache.paimon.shade.org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.paimon.shade.org.apache.parquet.crypto.EncryptionPropertiesFactory;
import org.apache.paimon.shade.org.apache.parquet.hadoop.ParquetOutputFormat;
import org.apache.paimon.shade.org.apache.parquet.hadoop.ParquetWriter;
import org.apache.paimon.shade.org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * A table's {@code parquet.*} options: the keys of Parquet's output format with its defaults, see Paimon's page "File
 * Format".
 *
 * @param plain that none of them asks for what only the engine's writer has: another page format, Bloom filters,
 *     validation, encryption, settings of single columns
 * @param rowGroupSize in bytes
 * @param maxPadding in bytes
 */
record ParquetSettings(
        boolean plain, long rowGroupSize, int maxPadding, ParquetProperties properties, Configuration configuration) {

    static ParquetSettings of(Options options) {
        Configuration conf = new Configuration(false);
        options.toMap().forEach(conf::set);
        WriterVersion version = WriterVersion.fromString(
                conf.get(ParquetOutputFormat.WRITER_VERSION, ParquetProperties.DEFAULT_WRITER_VERSION.toString()));
        boolean plain = version == WriterVersion.PARQUET_1_0
                && !conf.getBoolean(ParquetOutputFormat.VALIDATION, false)
                && !conf.getBoolean(
                        ParquetOutputFormat.BLOOM_FILTER_ENABLED, ParquetProperties.DEFAULT_BLOOM_FILTER_ENABLED)
                && conf.get(EncryptionPropertiesFactory.CRYPTO_FACTORY_CLASS_PROPERTY_NAME) == null
                && options.keySet().stream().noneMatch(key -> key.contains("#"));
        return new ParquetSettings(
                plain,
                conf.getLong(ParquetOutputFormat.BLOCK_SIZE, ParquetWriter.DEFAULT_BLOCK_SIZE),
                conf.getInt(ParquetOutputFormat.MAX_PADDING_BYTES, ParquetWriter.MAX_PADDING_SIZE_DEFAULT),
                properties(conf),
                conf);
    }

    private static ParquetProperties properties(Configuration conf) {
        return ParquetProperties.builder()
                .withPageSize(conf.getInt(ParquetOutputFormat.PAGE_SIZE, ParquetWriter.DEFAULT_PAGE_SIZE))
                .withPageRowCountLimit(conf.getInt(
                        ParquetOutputFormat.PAGE_ROW_COUNT_LIMIT, ParquetProperties.DEFAULT_PAGE_ROW_COUNT_LIMIT))
                .withDictionaryPageSize(conf.getInt(
                        ParquetOutputFormat.DICTIONARY_PAGE_SIZE, ParquetProperties.DEFAULT_DICTIONARY_PAGE_SIZE))
                .withDictionaryEncoding(conf.getBoolean(
                        ParquetOutputFormat.ENABLE_DICTIONARY, ParquetProperties.DEFAULT_IS_DICTIONARY_ENABLED))
                .withMinRowCountForPageSizeCheck(conf.getInt(
                        ParquetOutputFormat.MIN_ROW_COUNT_FOR_PAGE_SIZE_CHECK,
                        ParquetProperties.DEFAULT_MINIMUM_RECORD_COUNT_FOR_CHECK))
                .withMaxRowCountForPageSizeCheck(conf.getInt(
                        ParquetOutputFormat.MAX_ROW_COUNT_FOR_PAGE_SIZE_CHECK,
                        ParquetProperties.DEFAULT_MAXIMUM_RECORD_COUNT_FOR_CHECK))
                .withStatisticsTruncateLength(conf.getInt(
                        ParquetOutputFormat.STATISTICS_TRUNCATE_LENGTH,
                        ParquetProperties.DEFAULT_STATISTICS_TRUNCATE_LENGTH))
                .withColumnIndexTruncateLength(conf.getInt(
                        ParquetOutputFormat.COLUMN_INDEX_TRUNCATE_LENGTH,
                        ParquetProperties.DEFAULT_COLUMN_INDEX_TRUNCATE_LENGTH))
                .build();
    }

    /** @param compression of the table's files; {@code parquet.compression} beats it */
    CompressionCodecName codec(String compression) {
        String name = configuration.get("parquet.compression", compression);
        return name == null || HadoopCompressionType.NONE.value().equalsIgnoreCase(name)
                ? CompressionCodecName.UNCOMPRESSED
                : CompressionCodecName.fromConf(name.toUpperCase(Locale.ROOT));
    }
}
