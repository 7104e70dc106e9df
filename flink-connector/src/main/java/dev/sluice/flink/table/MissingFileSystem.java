/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.Optional;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.UnsupportedSchemeException;

/** Tells a path whose file system is not installed from one that only cannot be used. */
public final class MissingFileSystem {

    private MissingFileSystem() {}

    /** @return what is missing and what to do, or empty if the failure is about something else */
    public static Optional<String> describe(Path path, Throwable failure) {
        String scheme = path.toUri().getScheme();
        if (scheme == null || !saysSo(failure)) {
            return Optional.empty();
        }
        return Optional.of("has the scheme '" + scheme + "', for which no file system is installed. Put the jar of that"
                + " file system (for s3: paimon-s3, or Flink's flink-s3-fs-hadoop as a plugin) into Flink's folders and"
                + " restart.");
    }

    private static boolean saysSo(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            // The engine asks Hadoop last and fails like this when HDFS is not on the class path.
            boolean withoutHadoop = t instanceof IllegalStateException
                    && t.getMessage() != null
                    && t.getMessage().contains("Hadoop");
            if (t instanceof UnsupportedSchemeException || withoutHadoop) {
                return true;
            }
        }
        return false;
    }
}
