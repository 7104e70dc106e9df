/* SPDX-License-Identifier: Apache-2.0 */
/** Every key the connector knows: type, default, unit, description. */
@NullMarked
package dev.sluice.flink.option;

import org.jspecify.annotations.NullMarked;
