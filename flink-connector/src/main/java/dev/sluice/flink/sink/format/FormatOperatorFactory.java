/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.format;

import dev.sluice.flink.store.StoreTable;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;

/** Makes the operators of a batch job that writes a format table: {@code rows → writers → one committer}. */
public final class FormatOperatorFactory<I, O> extends AbstractStreamOperatorFactory<O>
        implements OneInputStreamOperatorFactory<I, O> {

    private static final long serialVersionUID = 1L;

    /** Makes one of them. */
    private interface Maker<O> extends Serializable {
        StreamOperator<O> make(StreamOperatorParameters<O> parameters);
    }

    private final Class<?> operator;
    private final Maker<O> maker;

    private FormatOperatorFactory(Class<?> operator, Maker<O> maker) {
        this.operator = operator;
        this.maker = maker;
    }

    /** Rows to files that nobody sees yet. */
    public static FormatOperatorFactory<RowData, byte[]> writer(StoreTable table) {
        return new FormatOperatorFactory<>(
                FormatWriterOperator.class, parameters -> new FormatWriterOperator(parameters, table));
    }

    /** @param overwrite the partition to replace, empty for those of the rows, or null to add to the table */
    public static FormatOperatorFactory<byte[], Void> committer(
            StoreTable table, @Nullable Map<String, String> overwrite) {
        HashMap<String, String> replaced = overwrite == null ? null : new HashMap<>(overwrite);
        return new FormatOperatorFactory<>(
                FormatCommitterOperator.class, parameters -> new FormatCommitterOperator(parameters, table, replaced));
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the signature is Flink's
    public <T extends StreamOperator<O>> T createStreamOperator(StreamOperatorParameters<O> parameters) {
        return (T) maker.make(parameters);
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // the signature is Flink's
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return (Class<? extends StreamOperator>) operator;
    }
}
