/* SPDX-License-Identifier: Apache-2.0 */
/** Whole Flink jobs, run with one connector and another in turn, each in a process of its own. */
@NullMarked
package dev.sluice.benchmarks.jobs;

import org.jspecify.annotations.NullMarked;
