/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.lang.reflect.Field;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.apache.flink.table.functions.FunctionContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a folder for temporary files. A table function is not told the task manager's folders, though its context holds
 * an object that knows them, some wrappers down.
 */
final class LocalFolder {

    private static final Logger LOG = LoggerFactory.getLogger(LocalFolder.class);
    private static final int DEEPEST_WRAPPING = 4;

    private LocalFolder() {}

    /** One of the task manager's folders, or the JVM's where the context does not tell. */
    static String of(FunctionContext context) {
        try {
            @Nullable Object holder = field(context, "context");
            for (int depth = 0; holder != null && depth < DEEPEST_WRAPPING; depth++) {
                if (holder instanceof StreamingRuntimeContext runtime) {
                    String[] folders = runtime.getTaskManagerRuntimeInfo().getTmpDirectories();
                    return folders[ThreadLocalRandom.current().nextInt(folders.length)];
                }
                holder = field(holder, "runtimeContext");
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.info(
                    "This version of Flink does not tell a function the folders for temporary files: {}", e.toString());
        }
        return System.getProperty("java.io.tmpdir", ".");
    }

    private static @Nullable Object field(Object holder, String name) throws ReflectiveOperationException {
        Field field = holder.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(holder);
    }
}
