/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink;

import dev.sluice.flink.settings.WriteSettings;
import dev.sluice.flink.store.StoreTable;
import java.util.Optional;

/** Gives the sink's operators the uids by which a restored job finds their state. */
@FunctionalInterface
public interface OperatorUids {

    /**
     * @param operator {@code Local merge}, {@code Router}, {@code Key index}, {@code Assigner}, {@code Writer}, {@code
     *     Compact Coordinator}, {@code Compact Worker}, {@code Committer} or {@code End}
     * @return empty to let Flink derive the uid from the shape of the job
     */
    Optional<String> of(String operator);

    /** Uids that end with the suffix the user set, or none. */
    static OperatorUids of(StoreTable table, WriteSettings settings) {
        String suffix = settings.operatorUidSuffix();
        return operator -> suffix == null
                ? Optional.empty()
                : Optional.of(operator + "_" + SinkTopology.shortName(table) + "_" + suffix);
    }
}
