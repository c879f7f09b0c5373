package dev.parley.http.constraint;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a request record whose resource checks more than its constraints and reports all violations at once, with
 * {@code RequestValidator.of(body)}. The reader of the body then leaves to the resource its constraints and the
 * members that are unknown or of another type, which the record does not have.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface FurtherChecks {}
