package dev.parley.http;

import dev.parley.http.filter.UndeclaredInputFilter;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a resource method whose query parameters another party defines, such as the redirect of an OpenID Connect
 * provider. {@link UndeclaredInputFilter} accepts all of them.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface ForeignQuery {}
