/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Bytes that an earlier build wrote and that every later one must read. */
public final class Golden {

    private Golden() {}

    /** @param name a file of hexadecimal digits below {@code golden} */
    public static byte[] bytes(String name) throws IOException {
        try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
            if (in == null) {
                throw new IOException("There is no golden file " + name + ".");
            }
            return HexFormat.of().parseHex(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip());
        }
    }
}
