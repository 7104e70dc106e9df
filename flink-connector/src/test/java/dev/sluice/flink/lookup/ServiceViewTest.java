/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ServiceViewTest {

    private static final RowType TYPE =
            RowType.of(new LogicalType[] {new IntType(), new IntType()}, new String[] {"id", "v"});
    private static final Duration TTL = Duration.ofSeconds(10);

    private final Rows service = new Rows();
    private long now;

    @Test
    void asksForEveryKeyAndKeepsNothing() throws IOException {
        ServiceView view = new ServiceView(service, byId(), null);
        service.rows.put(1, 5);
        assertThat(view.getIfCached(key(1))).isNull();
        assertThat(values(view.get(key(1)))).containsExactly(5);
        assertThat(view.get(key(2))).isEmpty();
        service.rows.put(1, 6);
        assertThat(view.getIfCached(key(1))).isNull();
        assertThat(values(view.get(key(1)))).containsExactly(6);
        assertThat(view.size().rows()).isZero();
    }

    @Test
    void keepsAnswersForTheTimeToLiveEmptyOnesToo() throws IOException {
        ServiceView view = new ServiceView(service, byId(), new RowCache(10, TTL, () -> now));
        service.rows.put(1, 5);
        view.get(key(1));
        view.get(key(2));
        service.rows.put(1, 6);
        service.rows.put(2, 7);
        now += TTL.toNanos() - 1;
        assertThat(values(view.getIfCached(key(1)))).containsExactly(5);
        assertThat(view.getIfCached(key(2))).isEmpty();
        now += 2;
        assertThat(view.getIfCached(key(1))).isNull();
        assertThat(values(view.get(key(2)))).containsExactly(7);
    }

    @Test
    void comparesTheColumnsThatTheServiceIsNotAskedFor() throws IOException {
        LookupKeys idAndValue =
                new LookupKeys(TYPE, List.of(0, 1), List.of(0), new KeyLayout(TYPE.getChildren(), List.of(0)));
        ServiceView view = new ServiceView(service, idAndValue, null);
        service.rows.put(1, 5);
        assertThat(values(view.get(key(1, 5)))).containsExactly(5);
        assertThat(view.get(key(1, 6))).isEmpty();
    }

    @Test
    void aFailureIsToldAndNotKept() throws IOException {
        ServiceView view = new ServiceView(service, byId(), new RowCache(10, TTL, () -> now));
        service.rows.put(1, 5);
        service.down = true;
        assertThatThrownBy(() -> view.get(key(1))).hasMessage("the service is down");
        assertThat(view.getIfCached(key(1))).isNull();
        service.down = false;
        assertThat(values(view.get(key(1)))).containsExactly(5);
        view.close();
        assertThat(service.closed).isTrue();
    }

    private static LookupKeys byId() {
        return new LookupKeys(TYPE, List.of(0), List.of(0), new KeyLayout(TYPE.getChildren(), List.of(0)));
    }

    private static BinaryRowData key(Integer... values) {
        List<Integer> positions = values.length == 1 ? List.of(0) : List.of(0, 1);
        List<LogicalType> types = TYPE.getChildren().subList(0, values.length);
        return Objects.requireNonNull(new KeyEncoder(types, positions).encode(GenericRowData.of((Object[]) values)));
    }

    private static List<Integer> values(@Nullable Collection<RowData> rows) {
        return Objects.requireNonNull(rows).stream().map(row -> row.getInt(1)).toList();
    }

    /** What a query service would know, by id. */
    private static final class Rows implements ServiceView.Service {

        private final Map<Integer, Integer> rows = new HashMap<>();
        private boolean down;
        private boolean closed;

        @Override
        public @Nullable InternalRow get(InternalRow key) throws IOException {
            if (down) {
                throw new IOException("the service is down");
            }
            Integer value = rows.get(key.getInt(0));
            return value == null ? null : GenericRow.of(key.getInt(0), value);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
