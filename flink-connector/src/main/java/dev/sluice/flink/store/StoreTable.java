/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FormatTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.types.RowType;

/**
 * A table as one statement sees it: opened, with that statement's options applied. Immutable, serializable and safe to
 * share between threads; travels from the planner to every task of the job.
 */
public final class StoreTable implements Serializable {

    private static final long serialVersionUID = 1L;

    /** What can be done with a table depends on which of these it is. */
    public enum Kind {
        /** Stored in buckets by primary key; rows merge. */
        PRIMARY_KEY,
        /** Stored without a primary key; rows are only added. */
        APPEND,
        /** Plain data files in partition folders, no snapshots. */
        FORMAT,
        /** A read-only view of another table's metadata or changelog, such as {@code t$snapshots}. */
        SYSTEM
    }

    private final String name;
    private final Table table;

    private StoreTable(String name, Table table) {
        this.name = name;
        this.table = table;
    }

    /**
     * @param name what messages call the table: {@code catalog.database.table}, or its path when it has no catalog
     * @param table the engine's table, with the statement's options already applied
     */
    public static StoreTable of(String name, Table table) {
        return new StoreTable(name, table);
    }

    public String name() {
        return name;
    }

    public Kind kind() {
        if (table instanceof FormatTable) {
            return Kind.FORMAT;
        }
        if (table instanceof FileStoreTable) {
            return table.primaryKeys().isEmpty() ? Kind.APPEND : Kind.PRIMARY_KEY;
        }
        return Kind.SYSTEM;
    }

    /** The engine's row type; its fields carry the ids that schema evolution goes by. */
    public RowType rowType() {
        return table.rowType();
    }

    /** Empty for a table without a primary key. */
    public List<String> primaryKeys() {
        return table.primaryKeys();
    }

    /** Empty for a table without partitions. */
    public List<String> partitionKeys() {
        return table.partitionKeys();
    }

    /** The options in force for this statement: stored ones overlaid with the statement's. */
    public Map<String, String> options() {
        return table.options();
    }

    /** Whether a read can go on with the table's next snapshots; false for FORMAT and for most SYSTEM tables. */
    public boolean canFollow() {
        return Reads.canFollow(this);
    }

    /** @throws IllegalArgumentException if following the table would not give its rows, saying why and what to do */
    public void checkFollow() {
        Reads.checkFollow(this);
    }

    /** Whether rows of one bucket must be read in the order they were written. */
    public boolean orderedByBucket() {
        return Reads.orderedByBucket(this);
    }

    /**
     * Whether the table, opened in a task, may go on being used when that task's job is gone and its class loader closed:
     * if this connector and the table's storage come from no job's own jars, or both from the same.
     *
     * @throws IllegalStateException if the table is of kind FORMAT or SYSTEM
     */
    public boolean outlivesJobs() {
        ClassLoader ofStorage = fileStore().fileIO().getClass().getClassLoader();
        for (ClassLoader own = StoreTable.class.getClassLoader(); own != null; own = own.getParent()) {
            if (own.equals(ofStorage)) {
                return true;
            }
        }
        return ofStorage == null;
    }

    /** The engine's table; stays inside this room. */
    Table table() {
        return table;
    }

    /**
     * The engine's table with snapshots, buckets and a commit protocol; stays inside this room.
     *
     * @throws IllegalStateException if the table is of kind FORMAT or SYSTEM; callers check {@link #kind()} first
     */
    FileStoreTable fileStore() {
        if (table instanceof FileStoreTable fileStore) {
            return fileStore;
        }
        throw new IllegalStateException("Table " + name + " has no snapshots: it is of kind " + kind() + ".");
    }

    @Override
    public String toString() {
        return name;
    }
}
