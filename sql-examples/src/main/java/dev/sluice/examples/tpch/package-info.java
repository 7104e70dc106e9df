/* SPDX-License-Identifier: Apache-2.0 */

/** TPC-H data as a bounded table source: {@code 'connector'='tpch'}. */
@NullMarked
package dev.sluice.examples.tpch;

import org.jspecify.annotations.NullMarked;
