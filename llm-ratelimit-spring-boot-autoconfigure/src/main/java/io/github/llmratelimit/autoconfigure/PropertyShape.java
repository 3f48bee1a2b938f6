package io.github.llmratelimit.autoconfigure;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * The keys below {@code llm.ratelimit}, as the property records declare them.
 */
final class PropertyShape {

	private static final int PREFIX_ELEMENTS = 2;

	private PropertyShape() {
	}

	/**
	 * The part of a name that no record declares.
	 * @param name name of a property that was not bound
	 * @return its first unknown key, {@code null} if all are known
	 */
	static @Nullable Unknown locate(ConfigurationPropertyName name) {
		Type type = LlmRateLimitProperties.class;
		for (int i = PREFIX_ELEMENTS; i < name.getNumberOfElements(); i++) {
			Type child = childOf(type, name.getElement(i, Form.UNIFORM));
			if (child == null) {
				return new Unknown(name.chop(i), name.getElement(i, Form.ORIGINAL), keysOf(type));
			}
			type = child;
		}
		return null;
	}

	/* The elements of maps have names of their own choosing, those of lists numbers. */
	private static @Nullable Type childOf(Type type, String element) {
		if (type instanceof ParameterizedType generic) {
			if (generic.getRawType() == List.class && !element.matches("\\d+")) {
				return null;
			}
			Type[] arguments = generic.getActualTypeArguments();
			return arguments[arguments.length - 1];
		}
		return componentsOf(type).stream()
			.filter((component) -> component.getName().equalsIgnoreCase(element))
			.findFirst()
			.map(RecordComponent::getGenericType)
			.orElse(null);
	}

	private static List<String> keysOf(Type type) {
		return componentsOf(type).stream()
			.map((component) -> DataObjectPropertyName.toDashedForm(component.getName()))
			.toList();
	}

	private static List<RecordComponent> componentsOf(Type type) {
		return (type instanceof Class<?> raw && raw.isRecord()) ? Arrays.asList(raw.getRecordComponents()) : List.of();
	}

	/**
	 * A key that nothing declares.
	 *
	 * @param parent where it stands
	 * @param key the key
	 * @param known the keys that could stand there, none if the parent is a single value
	 * or a list
	 */
	record Unknown(ConfigurationPropertyName parent, String key, List<String> known) {

	}

}
