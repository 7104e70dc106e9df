/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.util.InstantiationUtil;
import org.apache.paimon.table.FallbackReadFileStoreTable.FallbackSplit;
import org.apache.paimon.table.source.ChainSplit;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.QueryAuthSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.SplitSerializer;

/**
 * The engine's splits as bytes. Splits of data files use the engine's own versioned form, which later versions of it
 * read; those of system and format tables have none and are Java-serialized, so they live as long as a job's classes.
 */
public final class SplitCodec {

    private static final byte ENGINE_FORM = 1;
    private static final byte JAVA_FORM = 2;

    private SplitCodec() {}

    public static byte[] encode(Split split) throws IOException {
        boolean engineForm = split instanceof DataSplit
                || split instanceof IncrementalSplit
                || split instanceof ChainSplit
                || split instanceof QueryAuthSplit
                || split instanceof FallbackSplit;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(engineForm ? ENGINE_FORM : JAVA_FORM);
        out.write(engineForm ? SplitSerializer.serialize(split) : InstantiationUtil.serializeObject(split));
        return out.toByteArray();
    }

    /** @throws IOException if the bytes are not what {@link #encode} made */
    public static Split decode(byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            throw new IOException("A split in the job's state is empty; the state is damaged.");
        }
        byte[] content = Arrays.copyOfRange(bytes, 1, bytes.length);
        return switch (bytes[0]) {
            case ENGINE_FORM -> SplitSerializer.deserialize(content);
            case JAVA_FORM -> javaForm(content);
            default ->
                throw new IOException("A split in the job's state has form " + bytes[0]
                        + ", known are 1 and 2; the state was written by a newer version or is damaged.");
        };
    }

    private static Split javaForm(byte[] content) throws IOException {
        try {
            return InstantiationUtil.deserializeObject(content, SplitCodec.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IOException(
                    "A split in the job's state is of class " + e.getMessage()
                            + ", which this version of the engine does not have; start the read anew.",
                    e);
        }
    }
}
