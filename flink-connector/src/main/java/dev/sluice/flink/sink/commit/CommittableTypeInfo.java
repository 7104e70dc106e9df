/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The type of the edge between writers and committer. */
public final class CommittableTypeInfo extends TypeInformation<Committable> {

    private static final long serialVersionUID = 1L;

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<Committable> getTypeClass() {
        return Committable.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<Committable> createSerializer(SerializerConfig config) {
        return CommittableSerializer.INSTANCE;
    }

    @Override
    public String toString() {
        return "Committable";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CommittableTypeInfo;
    }

    @Override
    public int hashCode() {
        return CommittableTypeInfo.class.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof CommittableTypeInfo;
    }
}
