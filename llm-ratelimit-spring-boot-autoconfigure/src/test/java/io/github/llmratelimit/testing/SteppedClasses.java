package io.github.llmratelimit.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads the classes of one package once more, with an {@link Interleavings#step()} before
 * everything by which one thread sees what another does: atomic and volatile fields,
 * queues, and the limits in their store.
 */
public final class SteppedClasses extends ClassLoader {

	private static final Set<String> SHARED = Set.of("java/util/Queue", "java/util/Set",
			"io/github/llmratelimit/store/ProviderLimits", "io/github/llmratelimit/time/TimeSource");

	private static final String ATOMIC = "java/util/concurrent/atomic/";

	private final String prefix;

	/**
	 * Load anew what is in the package of a class.
	 * @param type the class
	 */
	public SteppedClasses(Class<?> type) {
		super(type.getClassLoader());
		this.prefix = type.getPackageName() + ".";
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith(this.prefix)) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : define(name);
		}
	}

	private Class<?> define(String name) throws ClassNotFoundException {
		try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
			if (file == null) {
				throw new ClassNotFoundException(name);
			}
			ClassWriter writer = new ClassWriter(0);
			new ClassReader(file).accept(new Stepping(writer), 0);
			byte[] bytes = writer.toByteArray();
			return defineClass(name, bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static final class Stepping extends ClassVisitor {

		private final Set<String> volatiles = new HashSet<>();

		Stepping(ClassVisitor next) {
			super(Opcodes.ASM9, next);
		}

		@Override
		public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
			if ((access & Opcodes.ACC_VOLATILE) != 0) {
				this.volatiles.add(name);
			}
			return super.visitField(access, name, descriptor, signature, value);
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
				String[] exceptions) {
			MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
			return new MethodVisitor(Opcodes.ASM9, next) {

				@Override
				public void visitMethodInsn(int opcode, String owner, String name, String descriptor,
						boolean isInterface) {
					if (owner.startsWith(ATOMIC) || SHARED.contains(owner)) {
						step(this.mv);
					}
					super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
				}

				@Override
				public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
					if (Stepping.this.volatiles.contains(name)) {
						step(this.mv);
					}
					super.visitFieldInsn(opcode, owner, name, descriptor);
				}
			};
		}

		private static void step(MethodVisitor code) {
			code.visitMethodInsn(Opcodes.INVOKESTATIC, Interleavings.class.getName().replace('.', '/'), "step", "()V",
					false);
		}

	}

}
