/* SPDX-License-Identifier: Apache-2.0 */
/** Immutable, typed settings; each record is passed whole to the room that uses it. */
@NullMarked
package dev.sluice.flink.settings;

import org.jspecify.annotations.NullMarked;
