/* SPDX-License-Identifier: Apache-2.0 */
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Lets engine classes link where a type that they only mention does not exist.
 *
 * <p>When the JVM links a class it checks that what is returned or passed fits the declared type, and loads both types
 * for that. With a cast right before, there is nothing to check, and the type is loaded when such a value is really
 * met. Two places need it:
 *
 * <ul>
 *   <li>Flink 2.0 has no VARIANT. Paimon's own jar brings stubs of the type, which then hide the real one on every
 *       later Flink.
 *   <li>ORC asks a stream whether it is one of HDFS; there is no HDFS client without a cluster's Hadoop.
 * </ul>
 *
 * <p>Argument: the folder of the engine's classes, which are changed in place; a class that an earlier build has changed
 * carries a mark and is left alone. Fails if a class is missing or has nothing to change, because then the engine's
 * version is not the one that this was written for.
 */
public final class LinkLazily {
    private static final List<String> CLASSES = List.of(
            "org/apache/paimon/flink/DataTypeToLogicalType.class",
            "org/apache/paimon/flink/FlinkRowData.class",
            "org/apache/paimon/flink/FlinkRowData$FlinkArrayData.class",
            "org/apache/paimon/shade/org/apache/orc/impl/HadoopShimsCurrent.class");

    /** An annotation that only the class file has; no such type exists at run time. */
    private static final String MARK = "Ldev/sluice/engine/LinkedLazily;";

    public static void main(String[] args) throws IOException {
        for (String name : CLASSES) {
            Path file = Path.of(args[0], name);
            ClassReader reader = new ClassReader(Files.readAllBytes(file));
            ClassWriter writer = new ClassWriter(reader, 0);
            CastInserter inserter = new CastInserter(writer);
            reader.accept(inserter, 0);
            if (inserter.marked) {
                continue;
            }
            if (inserter.casts == 0) {
                throw new IllegalStateException(file + " neither returns a Flink variant nor makes an EnumSet");
            }
            writer.visitAnnotation(MARK, false).visitEnd();
            Files.write(file, writer.toByteArray());
        }
    }

    private static final class CastInserter extends ClassVisitor {
        private int casts;
        private boolean marked;

        private CastInserter(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            marked |= descriptor.equals(MARK);
            return super.visitAnnotation(descriptor, visible);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            Type returned = Type.getReturnType(descriptor);
            boolean variant = descriptor.contains("Variant") && returned.getSort() == Type.OBJECT;
            return new MethodVisitor(Opcodes.ASM9, next) {
                @Override
                public void visitInsn(int opcode) {
                    if (variant && opcode == Opcodes.ARETURN) {
                        cast(returned.getInternalName());
                    }
                    super.visitInsn(opcode);
                }

                @Override
                public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean itf) {
                    if (descriptor.equals("(Ljava/lang/Enum;)Ljava/util/EnumSet;")) {
                        cast("java/lang/Enum");
                    }
                    super.visitMethodInsn(opcode, owner, name, descriptor, itf);
                }

                private void cast(String type) {
                    casts++;
                    super.visitTypeInsn(Opcodes.CHECKCAST, type);
                }
            };
        }
    }

    private LinkLazily() {}
}
