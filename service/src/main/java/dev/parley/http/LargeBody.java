package dev.parley.http;

import dev.parley.http.filter.JsonBodyReader;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On a request record: its JSON may have {@link JsonBodyReader#MAX_LARGE_BODY} bytes. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface LargeBody {}
