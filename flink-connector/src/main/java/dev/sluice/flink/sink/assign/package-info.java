/* SPDX-License-Identifier: Apache-2.0 */
/** Which writer a row goes to. */
@NullMarked
package dev.sluice.flink.sink.assign;

import org.jspecify.annotations.NullMarked;
