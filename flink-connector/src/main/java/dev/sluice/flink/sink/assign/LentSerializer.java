/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.assign;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** Another serializer in all but one thing: a copy between chained operators is the object itself. */
final class LentSerializer<T> extends TypeSerializer<T> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<T> real;

    LentSerializer(TypeSerializer<T> real) {
        this.real = real;
    }

    @Override
    public T copy(T from) {
        return from;
    }

    @Override
    public T copy(T from, T reuse) {
        return from;
    }

    @Override
    public boolean isImmutableType() {
        return real.isImmutableType();
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return new LentSerializer<>(real.duplicate());
    }

    @Override
    public T createInstance() {
        return real.createInstance();
    }

    @Override
    public int getLength() {
        return real.getLength();
    }

    @Override
    public void serialize(T value, DataOutputView out) throws IOException {
        real.serialize(value, out);
    }

    @Override
    public T deserialize(DataInputView in) throws IOException {
        return real.deserialize(in);
    }

    @Override
    public T deserialize(T reuse, DataInputView in) throws IOException {
        return real.deserialize(reuse, in);
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
        real.copy(in, out);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LentSerializer<?> that && real.equals(that.real);
    }

    @Override
    public int hashCode() {
        return real.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<T> snapshotConfiguration() {
        return real.snapshotConfiguration();
    }
}
