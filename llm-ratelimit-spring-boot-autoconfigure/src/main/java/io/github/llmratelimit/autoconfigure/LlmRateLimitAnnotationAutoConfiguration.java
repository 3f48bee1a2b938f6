package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.annotation.LlmRateLimitAdvisor;
import io.github.llmratelimit.provider.ProviderRegistry;

import org.springframework.aop.Advisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/**
 * {@link AutoConfiguration Auto-configuration} for methods annotated with
 * {@code @LlmRateLimited}.
 */
@AutoConfiguration(after = { LlmRateLimitAutoConfiguration.class, AopAutoConfiguration.class })
@ConditionalOnClass(Advisor.class)
@ConditionalOnBooleanProperty(name = "llm.ratelimit.enabled", matchIfMissing = true)
public final class LlmRateLimitAnnotationAutoConfiguration {

	/* Boot registers none if proxies are to be of interfaces and AspectJ is absent. */
	@Bean
	static BeanFactoryPostProcessor llmRateLimitAutoProxyCreator() {
		return (beanFactory) -> {
			if (beanFactory instanceof BeanDefinitionRegistry registry) {
				AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
			}
		};
	}

	/*
	 * An advisor is created before other beans, so what it needs is looked up later; and
	 * without AspectJ only those of the infrastructure are applied.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean
	static LlmRateLimitAdvisor llmRateLimitAdvisor(ObjectProvider<LlmRateLimiter> limiter,
			ObjectProvider<ProviderRegistry> providers, ConfigurableBeanFactory beanFactory) {
		return new LlmRateLimitAdvisor(limiter::getObject, (name) -> providers.getObject().named(name) != null,
				new EmbeddedValueResolver(beanFactory));
	}

}
