/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store.merge;

import java.io.IOException;
import java.util.Arrays;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.columnar.VectorizedColumnBatch;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.types.RowKind;
import org.apache.paimon.utils.FieldsComparator;
import org.apache.paimon.utils.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted runs that overlap: of the rows of a key only the latest comes out, and none if that is a deletion. A
 * tournament finds the least key, and within a key the latest row, so that the first row of a key is the one that counts
 * and the others are passed over. Used by one thread; owns the runs.
 */
final class SectionMerge implements RecordReader<InternalRow> {

    private static final int MAX_ROWS = 1024;
    private static final byte DELETE = RowKind.DELETE.toByteValue();
    private static final byte UPDATE_BEFORE = RowKind.UPDATE_BEFORE.toByteValue();

    private final SortedRunColumns[] runs;
    private final KeyOrder order;
    private final @Nullable FieldsComparator sequenceFields;
    private final MergedRows merged;

    /** What each head's key is seen through, see {@link KeyOrder}. */
    private final long[] heads;

    /** Runs without a head: those that have ended, and those whose next batch is to be read. */
    private final boolean[] out;

    private final boolean[] ended;

    /** A tree, its root at 1 and the runs for leaves: in each node the run that lost there. */
    private final int[] losers;

    /** The run that lost nowhere. */
    private int first;

    private SectionMerge(
            SortedRunColumns[] runs, KeyOrder order, @Nullable FieldsComparator sequenceFields, MergedRows merged) {
        this.runs = runs;
        this.order = order;
        this.sequenceFields = sequenceFields;
        this.merged = merged;
        this.heads = new long[runs.length];
        this.out = new boolean[runs.length];
        this.ended = new boolean[runs.length];
        this.losers = new int[runs.length];
    }

    /**
     * @param sequenceFields decides which row of a key is the latest, before the order of writing does
     * @param keyFields how many fields a key has
     * @param valueFields how many columns come out
     * @throws NotColumnsException if rows do not come as columns
     */
    static SectionMerge open(
            SortedRunColumns[] runs,
            KeyOrder order,
            @Nullable FieldsComparator sequenceFields,
            int keyFields,
            int valueFields)
            throws IOException {
        SectionMerge merge = new SectionMerge(
                runs, order, sequenceFields, new MergedRows(MAX_ROWS, runs.length, keyFields + 2, valueFields));
        try {
            Arrays.fill(merge.out, true);
            merge.loadDue();
            return merge;
        } catch (IOException | RuntimeException e) {
            IOUtils.closeAllQuietly(Arrays.asList(runs));
            throw e;
        }
    }

    @Override
    public @Nullable RecordIterator<InternalRow> readBatch() throws IOException {
        while (loadDue()) {
            merged.start(batches());
            choose();
            if (merged.size() > 0) {
                return merged;
            }
        }
        return null;
    }

    private VectorizedColumnBatch[] batches() {
        VectorizedColumnBatch[] batches = new VectorizedColumnBatch[runs.length];
        for (int i = 0; i < runs.length; i++) {
            batches[i] = runs[i].batch();
        }
        return batches;
    }

    /**
     * Reads the next batch of each run that has none.
     *
     * @return whether there are rows
     */
    private boolean loadDue() throws IOException {
        boolean changed = false;
        for (int i = 0; i < runs.length; i++) {
            if (out[i] && !ended[i]) {
                runs[i].load();
                ended[i] = runs[i].batch() == null;
                if (!ended[i]) {
                    out[i] = false;
                    heads[i] = runs[i].number();
                }
                changed = true;
            }
        }
        if (changed) {
            first = runs.length == 1 ? 0 : play(1);
        }
        return !out[first];
    }

    /** Plays all games below a node; gives the run that wins them. */
    private int play(int node) {
        if (node >= runs.length) {
            return node - runs.length;
        }
        int left = play(2 * node);
        int right = play(2 * node + 1);
        boolean leftWins = before(left, right);
        losers[node] = leftWins ? right : left;
        return leftWins ? left : right;
    }

    /** Plays the games of a run whose head has changed. */
    private void replay(int run) {
        int winner = run;
        for (int node = (run + runs.length) >>> 1; node > 0; node >>>= 1) {
            int loser = losers[node];
            if (before(loser, winner)) {
                losers[node] = winner;
                winner = loser;
            }
        }
        first = winner;
    }

    /** Whether one run's head comes before another's: the lesser key, and the later row of a key. */
    private boolean before(int one, int other) {
        if (out[one] || out[other]) {
            return out[other] && !out[one];
        }
        if (heads[one] != heads[other]) {
            return heads[one] < heads[other];
        }
        int compared =
                order.exact() ? 0 : order.compare(runs[one].row(runs[one].head()), runs[other].row(runs[other].head()));
        return compared == 0 ? later(runs[one], runs[other]) : compared < 0;
    }

    private boolean later(SortedRunColumns one, SortedRunColumns other) {
        if (sequenceFields != null) {
            int compared = sequenceFields.compare(one.value(), other.value());
            if (compared != 0) {
                return compared > 0;
            }
        }
        return one.sequence() > other.sequence();
    }

    /** Ends when a run's batch is used up, since the chosen rows are in it until they are taken. */
    private void choose() {
        boolean due = false;
        while (!due && !merged.isFull() && !out[first]) {
            int run = first;
            int index = runs[run].head();
            byte kind = runs[run].kind(index);
            if (kind != DELETE && kind != UPDATE_BEFORE) {
                merged.add(run, index);
            }
            due = advance(run);
            while (hasKey(first, run, index)) {
                due |= advance(first);
            }
        }
    }

    /** @return whether the run's batch is used up */
    private boolean advance(int run) {
        if (runs[run].advance()) {
            out[run] = true;
        } else {
            heads[run] = runs[run].number();
        }
        replay(run);
        return out[run];
    }

    /** Whether a run's head has the key of the row of another. */
    private boolean hasKey(int run, int other, int index) {
        if (run == other || out[run] || heads[run] != runs[other].number(index)) {
            return false;
        }
        return order.exact() || order.compare(runs[run].row(runs[run].head()), runs[other].row(index)) == 0;
    }

    @Override
    public void close() throws IOException {
        try {
            IOUtils.closeAll(runs);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("Closing a merge's files failed: " + e.getMessage(), e);
        }
    }
}
