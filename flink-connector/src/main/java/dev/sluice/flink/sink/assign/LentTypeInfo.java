/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The type of rows that a chained operator only looks at before it sends them on over the network. Flink copies what one
 * chained operator hands to the next unless object reuse is on; here it need not.
 */
public final class LentTypeInfo<T> extends TypeInformation<T> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<T> type;

    public LentTypeInfo(TypeInformation<T> type) {
        this.type = type;
    }

    @Override
    public boolean isBasicType() {
        return type.isBasicType();
    }

    @Override
    public boolean isTupleType() {
        return type.isTupleType();
    }

    @Override
    public int getArity() {
        return type.getArity();
    }

    @Override
    public int getTotalFields() {
        return type.getTotalFields();
    }

    @Override
    public Class<T> getTypeClass() {
        return type.getTypeClass();
    }

    @Override
    public boolean isKeyType() {
        return type.isKeyType();
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return new LentSerializer<>(type.createSerializer(config));
    }

    @Override
    public String toString() {
        return type.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LentTypeInfo<?> that && type.equals(that.type);
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof LentTypeInfo;
    }
}
