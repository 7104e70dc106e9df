/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.enumerate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.Golden;
import dev.sluice.flink.source.TestSplits;
import dev.sluice.flink.source.split.PaimonSplit;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class EnumeratorStateSerializerTest {

    /** What the golden file holds. */
    private static final EnumeratorState KNOWN = new EnumeratorState(
            List.of(TestSplits.split("8-0", 7, 0), TestSplits.split("8-1", 7, 1).withRowsRead(5)), 8L, false, 12L);

    /** What the older golden file holds. */
    private static final EnumeratorState KNOWN_TO_1 = new EnumeratorState(KNOWN.waiting(), 8L, false, null);

    private final EnumeratorStateSerializer serializer = new EnumeratorStateSerializer();

    @Test
    void readsWhatVersion1Wrote() throws IOException {
        assertThat(serializer.deserialize(1, Golden.bytes("enumerator-v1.hex"))).isEqualTo(KNOWN_TO_1);
    }

    @Test
    void readsAndWritesVersion2AsItAlwaysDid() throws IOException {
        assertThat(serializer.getVersion()).isEqualTo(2);
        assertThat(serializer.deserialize(2, Golden.bytes("enumerator-v2.hex"))).isEqualTo(KNOWN);
        assertThat(serializer.serialize(KNOWN)).isEqualTo(Golden.bytes("enumerator-v2.hex"));
    }

    @Property(tries = 200)
    void statesComeBackAsTheyWere(
            @ForAll boolean positioned,
            @ForAll long position,
            @ForAll boolean complete,
            @ForAll @IntRange(min = -1, max = 9) int last,
            @ForAll @Size(max = 20) List<@IntRange(max = 100) Integer> buckets)
            throws IOException {
        List<PaimonSplit> waiting = buckets.stream()
                .map(bucket -> TestSplits.split("3-" + bucket, 2, bucket))
                .toList();
        EnumeratorState state =
                new EnumeratorState(waiting, positioned ? position : null, complete, last < 0 ? null : (long) last);

        assertThat(serializer.deserialize(2, serializer.serialize(state))).isEqualTo(state);
    }

    @Test
    void aNewerVersionIsRefused() {
        assertThatThrownBy(() -> serializer.deserialize(3, new byte[0]))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "The source's position in the job's state has version 3, known are 1 and 2; the state was written by"
                                + " a newer version of the connector: restore with that one.");
    }
}
