/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import org.jspecify.annotations.Nullable;

/** What a failure of planning becomes on the coordinator's thread, where throwing it fails the job. */
final class Failures {

    private Failures() {}

    static RuntimeException of(@Nullable Throwable failure) {
        if (failure instanceof RuntimeException already) {
            return already;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("Planning the read failed without a message of its own: " + failure, failure);
    }
}
