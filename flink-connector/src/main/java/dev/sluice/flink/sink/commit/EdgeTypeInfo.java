/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.jspecify.annotations.Nullable;

/** The type of what operators of a sink send each other: no key, no tuple, and one thing to Flink. */
public abstract class EdgeTypeInfo<T> extends TypeInformation<T> {

    private static final long serialVersionUID = 1L;

    private final Class<T> type;
    private final @Nullable TypeInformation<?> rows;

    /** @param rows the type of rows that the type is made with, or null if it holds none */
    protected EdgeTypeInfo(Class<T> type, @Nullable TypeInformation<?> rows) {
        this.type = type;
        this.rows = rows;
    }

    @Override
    public final boolean isBasicType() {
        return false;
    }

    @Override
    public final boolean isTupleType() {
        return false;
    }

    @Override
    public final int getArity() {
        return 1;
    }

    @Override
    public final int getTotalFields() {
        return 1;
    }

    @Override
    public final Class<T> getTypeClass() {
        return type;
    }

    @Override
    public final boolean isKeyType() {
        return false;
    }

    @Override
    public final String toString() {
        return type.getSimpleName() + (rows == null ? "" : "(" + rows + ")");
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof EdgeTypeInfo<?> that && type.equals(that.type) && Objects.equals(rows, that.rows);
    }

    @Override
    public final int hashCode() {
        return Objects.hash(type, rows);
    }

    @Override
    public final boolean canEqual(Object other) {
        return other instanceof EdgeTypeInfo;
    }
}
