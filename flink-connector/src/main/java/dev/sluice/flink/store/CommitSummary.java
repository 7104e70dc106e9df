/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

/**
 * What a call to a {@link Committer} has done.
 *
 * @param snapshotId the newest snapshot it made, or -1 if it made none
 * @param snapshots how many snapshots it made; rows and compaction results make one each
 * @param retries attempts that lost the race for the next snapshot against another committer and were made again
 * @param dropped commits whose compaction results were left out because another writer compacted the same files
 * @param rows rows of the new files, deletes included
 * @param files new files, without those of compactions
 */
public record CommitSummary(long snapshotId, int snapshots, int retries, int dropped, long rows, long files) {

    public static final CommitSummary NOTHING = new CommitSummary(-1, 0, 0, 0, 0, 0);

    /** This and a later one together. */
    public CommitSummary and(CommitSummary later) {
        return new CommitSummary(
                later.snapshotId < 0 ? snapshotId : later.snapshotId,
                snapshots + later.snapshots,
                retries + later.retries,
                dropped + later.dropped,
                rows + later.rows,
                files + later.files);
    }
}
