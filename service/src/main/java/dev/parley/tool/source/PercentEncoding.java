package dev.parley.tool.source;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Percent-encodes every character with a meaning in a path, a query or a cookie. */
public final class PercentEncoding {
    private PercentEncoding() {}

    public static String encoded(@Nullable Object text) {
        return URLEncoder.encode(String.valueOf(text), StandardCharsets.UTF_8).replace("+", "%20");
    }
}
