/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.source.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.source.Golden;
import dev.sluice.flink.source.TestSplits;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.constraints.UniqueElements;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.source.IncrementalSplit;
import org.apache.paimon.table.source.Split;
import org.junit.jupiter.api.Test;

final class PaimonSplitSerializerTest {

    /** What the golden file holds. */
    private static final PaimonSplit KNOWN = new PaimonSplit(
            "8-1",
            TestSplits.engineSplit(
                    7,
                    TestSplits.partition(20_000),
                    3,
                    List.of(TestSplits.file("data-a-0.parquet", 1234, 56), TestSplits.file("data-b-0.orc", 78, 9))),
            42);

    private final PaimonSplitSerializer serializer = new PaimonSplitSerializer();

    /** Stands for splits that the engine has no form of its own for, such as those of system tables. */
    private record OtherSplit(String of) implements Split {

        @Override
        public long rowCount() {
            return 1;
        }

        @Override
        public OptionalLong mergedRowCount() {
            return OptionalLong.empty();
        }
    }

    private PaimonSplit roundTrip(PaimonSplit split) throws IOException {
        return serializer.deserialize(serializer.getVersion(), serializer.serialize(split));
    }

    @Test
    void readsWhatVersion1Wrote() throws IOException {
        assertThat(serializer.deserialize(1, Golden.bytes("split-v1.hex"))).isEqualTo(KNOWN);
    }

    @Test
    void writesVersion1AsItAlwaysDid() throws IOException {
        assertThat(serializer.getVersion()).isEqualTo(1);
        assertThat(serializer.serialize(KNOWN)).isEqualTo(Golden.bytes("split-v1.hex"));
    }

    @Property(tries = 200)
    void dataSplitsComeBackAsTheyWere(
            @ForAll @StringLength(max = 50) String id,
            @ForAll @LongRange long rowsRead,
            @ForAll @LongRange(min = 1) long snapshot,
            @ForAll int day,
            @ForAll @IntRange(max = 10_000) int bucket,
            @ForAll @Size(max = 5) @UniqueElements List<@IntRange(max = 1000) Integer> files)
            throws IOException {
        List<DataFileMeta> metas = files.stream()
                .map(number -> TestSplits.file("data-" + number + ".parquet", number * 10L, number))
                .toList();
        PaimonSplit split = new PaimonSplit(
                id, TestSplits.engineSplit(snapshot, TestSplits.partition(day), bucket, metas), rowsRead);

        assertThat(roundTrip(split)).isEqualTo(split);
    }

    @Test
    void splitsOfOverwritesComeBackAsTheyWere() throws IOException {
        Split split = new IncrementalSplit(
                9,
                TestSplits.partition(1),
                2,
                4,
                List.of(TestSplits.file("before.parquet", 1, 1)),
                null,
                List.of(TestSplits.file("after.parquet", 2, 2)),
                null,
                true);

        assertThat(roundTrip(new PaimonSplit("10-0", split, 1)).split()).isEqualTo(split);
    }

    @Test
    void splitsOfOtherTablesComeBackAsTheyWere() throws IOException {
        PaimonSplit split = new PaimonSplit("bounded-0", new OtherSplit("t$snapshots"), 3);

        assertThat(roundTrip(split)).isEqualTo(split);
    }

    @Test
    void aNewerVersionIsRefused() {
        assertThatThrownBy(() -> serializer.deserialize(2, new byte[0]))
                .isInstanceOf(IOException.class)
                .hasMessage("A split in the job's state has version 2, known is 1; the state was written by a newer"
                        + " version of the connector: restore with that one.");
    }
}
