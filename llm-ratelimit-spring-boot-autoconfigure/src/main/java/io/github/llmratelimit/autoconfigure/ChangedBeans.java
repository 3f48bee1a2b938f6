package io.github.llmratelimit.autoconfigure;

import java.util.function.UnaryOperator;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Changes every bean of a type.
 *
 * @param <T> the type
 * @param type the type
 * @param change makes the bean that takes the place of another
 */
record ChangedBeans<T>(Class<T> type, UnaryOperator<T> change) implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return this.type.isInstance(bean) ? this.change.apply(this.type.cast(bean)) : bean;
	}

}
