/* SPDX-License-Identifier: Apache-2.0 */
/** The committer operator and its state. */
@NullMarked
package dev.sluice.flink.sink.commit;

import org.jspecify.annotations.NullMarked;
