package dev.parley.db;

import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.inject.Qualifier;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * The {@link Database} with its own few connections for what every request waits for: API keys, rate limits and storing
 * messages. Background work in the common pool cannot delay it (docs/decisions/0100).
 */
@Qualifier
@Retention(RUNTIME)
@Target({ElementType.METHOD, ElementType.PARAMETER})
public @interface ForRequests {}
