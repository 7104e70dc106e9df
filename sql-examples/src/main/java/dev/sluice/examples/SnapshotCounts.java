/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.paimon.Snapshot;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.flink.FlinkCatalog;

/** Snapshots committed to the tables of a statement since it began. */
final class SnapshotCounts {

    private record Watched(Catalog catalog, Identifier table, long before) {}

    private final List<Watched> tables = new ArrayList<>();

    private SnapshotCounts() {}

    /** Tables that are in no Paimon catalog have no snapshots and are left out. */
    static SnapshotCounts of(SqlSession session, List<ObjectIdentifier> targets) {
        SnapshotCounts counts = new SnapshotCounts();
        for (ObjectIdentifier target : targets) {
            if (session.catalog(target.getCatalogName()).orElse(null) instanceof FlinkCatalog paimon) {
                Identifier table = Identifier.create(target.getDatabaseName(), target.getObjectName());
                counts.tables.add(new Watched(paimon.catalog(), table, latest(paimon.catalog(), table)));
            }
        }
        return counts;
    }

    /** Whether none of the tables has snapshots. */
    boolean isEmpty() {
        return tables.isEmpty();
    }

    /** As the end of a line of progress; an empty text when no table has snapshots. */
    String committed() {
        if (isEmpty()) {
            return "";
        }
        long committed = 0;
        for (Watched watched : tables) {
            committed += Math.max(0, latest(watched.catalog, watched.table) - watched.before);
        }
        return String.format(Locale.ROOT, "%d %s committed", committed, committed == 1 ? "snapshot" : "snapshots");
    }

    /** Snapshot ids count up from 1 without gaps, and expired ones stay counted. */
    private static long latest(Catalog catalog, Identifier table) {
        try {
            return catalog.getTable(table).latestSnapshot().map(Snapshot::id).orElse(0L);
        } catch (Catalog.TableNotExistException e) {
            return 0;
        }
    }
}
