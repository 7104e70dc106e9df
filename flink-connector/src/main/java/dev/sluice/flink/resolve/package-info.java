/* SPDX-License-Identifier: Apache-2.0 */
/** Merges the scopes an option can be set in and remembers where each value came from. */
@NullMarked
package dev.sluice.flink.resolve;

import org.jspecify.annotations.NullMarked;
