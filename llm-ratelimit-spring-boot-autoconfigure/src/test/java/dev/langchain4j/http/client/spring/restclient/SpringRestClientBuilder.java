package dev.langchain4j.http.client.spring.restclient;

import dev.langchain4j.http.client.jdk.JdkHttpClientBuilder;

/**
 * Stands for LangChain4j's builder of clients on Spring's RestClient, whose package tells
 * it from others.
 */
public class SpringRestClientBuilder extends JdkHttpClientBuilder {

}
