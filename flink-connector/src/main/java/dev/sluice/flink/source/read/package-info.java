/* SPDX-License-Identifier: Apache-2.0 */
/** The source reader. */
@NullMarked
package dev.sluice.flink.source.read;

import org.jspecify.annotations.NullMarked;
