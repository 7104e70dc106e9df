/* SPDX-License-Identifier: Apache-2.0 */
/** The catalog that statements see. */
@NullMarked
package dev.sluice.flink.catalog;

import org.jspecify.annotations.NullMarked;
