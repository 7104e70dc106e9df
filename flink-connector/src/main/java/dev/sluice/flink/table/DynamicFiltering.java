/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

/** Filters on partitions that a running job finds out from the other side of a join. */
final class DynamicFiltering {

    /** What Flink's planner (2.0 to 2.3) puts into the operator that collects such a filter, and so into the job. */
    private static final String IN_JOB = "scala.collection.convert.Wrappers$SeqWrapper";

    private DynamicFiltering() {}

    /**
     * A job with such a filter fails to start where Scala's library is seen by the planner alone, which is how Flink is
     * distributed.
     */
    static boolean works() {
        try {
            Class.forName(IN_JOB, false, DynamicFiltering.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
