/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.option;

import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassReader;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.FieldVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Opcodes;

/** Looks into a class file without loading the class, which may need libraries that are not there. */
final class StaticFields extends ClassVisitor {

    private boolean found;

    private StaticFields() {
        super(Opcodes.ASM9);
    }

    static boolean hasOption(byte[] classFile) {
        StaticFields visitor = new StaticFields();
        new ClassReader(classFile)
                .accept(visitor, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return visitor.found;
    }

    @Override
    public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
        found |= (access & Opcodes.ACC_STATIC) != 0 && descriptor.equals("Lorg/apache/paimon/options/ConfigOption;");
        return null;
    }
}
