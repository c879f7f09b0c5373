package dev.parley.http.constraint;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a request record whose resource checks more than its constraints and reports all violations at once, with
 * {@code RequestValidator.of(body)}. The reader of the body then leaves its constraints to the resource.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface FurtherChecks {}
