package dev.parley.tool.source;

import dev.parley.egress.EgressRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The credentials for a provider. They are encrypted in the database, sent only to the provider's own server, and never
 * returned.
 *
 * @param apiKeyIn location of the key: "header", "query" or "cookie"; null means that of the OpenAPI description, else
 *     a header
 * @param headers additional headers, such as a tenant's id
 */
@Schema(name = "NewToolCredentials")
public record ToolCredentials(
        @Schema(pattern = SECRET) @Nullable String bearerToken,

        @Schema(pattern = SECRET, description = "With `password`: basic authentication") @Nullable
        String username,

        @Schema(pattern = SECRET) @Nullable String password,
        @Schema(pattern = SECRET) @Nullable String apiKey,

        @Schema(
                description = "Name of the API key's header, query parameter or cookie; by default that of the OpenAPI "
                        + "description, else X-API-Key",
                pattern = "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$")
        @Nullable
        String apiKeyName,

        @Schema(
                nullable = true,
                enumeration = {"header", "query", "cookie"})
        @Nullable
        String apiKeyIn,

        @Schema(nullable = true, description = "Additional headers", implementation = Object.class)
        Map<String, String> headers) {
    private static final String SECRET = "^[ -~]{0,8000}$";

    public static final ToolCredentials NONE = new ToolCredentials(null, null, null, null, null, null, Map.of());

    /** The API key's default name, if neither the settings nor a description have one. */
    static final String DEFAULT_API_KEY_NAME = "X-API-Key";

    private static final int MIN_REDACTED_LENGTH = 4;

    public ToolCredentials {
        // A request may have null for a header, which its check finds.
        headers = headers == null ? Map.of() : Collections.unmodifiableMap(new HashMap<>(headers));
    }

    /** The names of the credentials that are set; only these are ever returned. */
    public List<String> names() {
        Map<String, @Nullable String> fields = new LinkedHashMap<>();
        fields.put("bearer_token", bearerToken);
        fields.put("username", username);
        fields.put("password", password);
        fields.put("api_key", apiKey);
        fields.values().removeIf(Objects::isNull);
        List<String> set = new ArrayList<>(fields.keySet());
        headers.keySet().stream().sorted().map(name -> "headers." + name).forEach(set::add);
        return set;
    }

    /** The headers with the credentials, except for a key in the query. */
    public List<EgressRequest.Header> asHeaders() {
        List<EgressRequest.Header> all = new ArrayList<>();
        headers.forEach((name, value) -> all.add(new EgressRequest.Header(name, value)));
        if (bearerToken != null) {
            all.add(new EgressRequest.Header("Authorization", "Bearer " + bearerToken));
        } else if (username != null || password != null) {
            all.add(new EgressRequest.Header("Authorization", "Basic " + basic()));
        }
        if (apiKey != null && apiKeyName != null) {
            if (isIn("header")) {
                all.add(new EgressRequest.Header(apiKeyName, apiKey));
            } else if (isIn("cookie")) {
                all.add(new EgressRequest.Header("Cookie", apiKeyName + "=" + apiKey));
            }
        }
        return all;
    }

    /** The URL with the API key, if it belongs in the query. */
    public String addressed(String url) {
        if (apiKey == null || apiKeyName == null || !isIn("query")) {
            return url;
        }
        return url + (url.contains("?") ? "&" : "?") + PercentEncoding.encoded(apiKeyName) + "="
                + PercentEncoding.encoded(apiKey);
    }

    /** With the default header for the API key, if no location is set. */
    public ToolCredentials withDefaultKeyLocation() {
        return withKeyLocation(DEFAULT_API_KEY_NAME, apiKeyIn == null ? "header" : apiKeyIn);
    }

    /** With this location for the API key, if none is set. */
    public ToolCredentials withKeyLocation(String name, String in) {
        return apiKeyName != null
                ? this
                : new ToolCredentials(bearerToken, username, password, apiKey, name, in, headers);
    }

    /** The text without the secrets, which a server may have echoed. */
    public String redact(String text) {
        String redacted = text;
        for (String secret : secrets()) {
            redacted = redacted.replace(secret, "***");
        }
        return redacted;
    }

    private List<String> secrets() {
        Stream<String> single = Stream.of(bearerToken, password, apiKey, username == null ? null : basic())
                .flatMap(Stream::ofNullable);
        return Stream.concat(single, headers.values().stream())
                .filter(secret -> secret.length() >= MIN_REDACTED_LENGTH)
                .sorted((a, b) -> b.length() - a.length())
                .toList();
    }

    private boolean isIn(String location) {
        return location.equals(apiKeyIn == null ? "header" : apiKeyIn);
    }

    private String basic() {
        String pair = (username == null ? "" : username) + ":" + (password == null ? "" : password);
        return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return "Credentials" + names();
    }
}
