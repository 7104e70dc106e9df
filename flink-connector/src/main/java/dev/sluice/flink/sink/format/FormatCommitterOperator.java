/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.format;

import dev.sluice.flink.store.FormatFiles;
import dev.sluice.flink.store.StoreTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/** Shows all files of a job at the end of the input. Called by the task's thread; there is one of it. */
final class FormatCommitterOperator extends AbstractStreamOperator<Void>
        implements OneInputStreamOperator<byte[], Void>, BoundedOneInput {

    private static final long serialVersionUID = 1L;

    private final StoreTable table;
    private final @Nullable Map<String, String> overwrite;
    private final transient List<byte[]> files = new ArrayList<>();

    FormatCommitterOperator(
            StreamOperatorParameters<Void> parameters, StoreTable table, @Nullable Map<String, String> overwrite) {
        super(parameters);
        this.table = table;
        this.overwrite = overwrite;
    }

    @Override
    public void processElement(StreamRecord<byte[]> element) {
        files.add(element.getValue());
    }

    @Override
    public void endInput() throws Exception {
        FormatFiles.show(table, overwrite, files);
        LOG.info("Added {} files to format table {}", files.size(), table);
    }
}
