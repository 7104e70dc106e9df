/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.sink.commit;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The type of the edge between writers and committer. */
public final class CommittableTypeInfo extends EdgeTypeInfo<Committable> {

    private static final long serialVersionUID = 1L;

    public CommittableTypeInfo() {
        super(Committable.class, null);
    }

    @Override
    public TypeSerializer<Committable> createSerializer(SerializerConfig config) {
        return CommittableSerializer.INSTANCE;
    }
}
