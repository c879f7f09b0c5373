package dev.parley.llm.dialect;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The addresses at which an endpoint may serve chat completions. */
public final class EndpointUrls {
    private static final String PATH = "/chat/completions";
    private static final Pattern VERSION = Pattern.compile("/v[0-9]+[a-z0-9]*(/|$)|/deployments/");
    private static final List<String> AZURE_HOSTS =
            List.of(".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com", ".azure-api.net");

    private EndpointUrls() {}

    /** The addresses for a base URL, the most likely first. The query stays behind the path. */
    public static List<String> of(String baseUrl, String model) {
        String query = query(baseUrl);
        String base = base(baseUrl);
        if (base.endsWith(PATH)) {
            return List.of(base + query);
        }
        String path = URI.create(base).getRawPath();
        if (VERSION.matcher(path).find()) {
            return List.of(base + PATH + query);
        }
        if (isAzure(baseUrl) && (path.isEmpty() || path.equals("/openai"))) {
            String openai = path.isEmpty() ? base + "/openai" : base;
            return query.isEmpty()
                    ? List.of(openai + "/v1" + PATH)
                    : List.of(
                            openai + "/deployments/" + URLEncoder.encode(model, StandardCharsets.UTF_8) + PATH + query,
                            openai + "/v1" + PATH + query);
        }
        String versioned = base + "/v1" + PATH + query;
        String bare = base + PATH + query;
        return path.isEmpty() ? List.of(versioned, bare) : List.of(bare, versioned);
    }

    /** The addresses of the Messages API for a base URL, likewise. */
    public static List<String> messages(String baseUrl) {
        String query = query(baseUrl);
        String base = base(baseUrl);
        if (base.endsWith("/messages")) {
            return List.of(base + query);
        }
        return VERSION.matcher(URI.create(base).getRawPath()).find()
                ? List.of(base + "/messages" + query)
                : List.of(base + "/v1/messages" + query, base + "/messages" + query);
    }

    private static String base(String url) {
        int mark = url.indexOf('?');
        return (mark < 0 ? url : url.substring(0, mark)).replaceFirst("/+$", "");
    }

    /** With its question mark; empty for none. */
    private static String query(String url) {
        int mark = url.indexOf('?');
        return mark < 0 || mark == url.length() - 1 ? "" : url.substring(mark);
    }

    /** Whether the endpoint is Azure's, which expects the key in the header {@code api-key}. */
    public static boolean isAzure(String baseUrl) {
        URI uri = URI.create(baseUrl);
        String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
        String query = "&" + String.valueOf(uri.getRawQuery()).toLowerCase(Locale.ROOT);
        return query.contains("&api-version=") || AZURE_HOSTS.stream().anyMatch(host::endsWith);
    }
}
