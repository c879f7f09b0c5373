package dev.parley.tool.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.SchemaTree;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolHttpResponse;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAPI 3 description as a tree of JSON values. Parsed without an OpenAPI library, because those follow references
 * to other files and servers; here a reference resolves within the document or not at all.
 */
final class OpenApiDescription {
    private static final long HEAP = Runtime.getRuntime().maxMemory();

    /** In characters: 16 MiB, and 8 MiB on the smallest node. */
    static final int MAX_LENGTH = (int) Math.min(16 << 20, HEAP / 16);

    /** Values and members. Each takes up to 150 bytes in the tree. */
    private static final int MAX_PARTS = (int) Math.min(800_000, HEAP / 500);

    private static final int MAX_URL_LENGTH = 2_000;
    private static final int REFERENCES = 8;

    private final Map<?, ?> root;
    private final List<String> warnings;

    private OpenApiDescription(Map<?, ?> root, List<String> warnings) {
        this.root = root;
        this.warnings = warnings;
    }

    /** Parses JSON or YAML. */
    static OpenApiDescription read(String text) throws ToolFailure {
        if (text.length() > MAX_LENGTH) {
            throw invalid("it is too large");
        }
        List<String> warnings = new ArrayList<>();
        Object tree = tree(text.startsWith("\uFEFF") ? text.substring(1) : text, warnings);
        if (!(tree instanceof Map<?, ?> root) || !(root.get("paths") instanceof Map<?, ?>)) {
            throw invalid("it has no 'paths'");
        }
        if (!String.valueOf(root.get("openapi")).startsWith("3.")) {
            throw invalid("'openapi' is not 3.0 or 3.1");
        }
        return new OpenApiDescription(root, warnings);
    }

    Map<?, ?> root() {
        return root;
    }

    /** Sentences about what the parser changed. */
    List<String> warnings() {
        return warnings;
    }

    /** A node with its references resolved; an empty map if there is none. */
    Map<?, ?> node(@Nullable Object node) {
        Object at = node;
        for (int i = 0; i < REFERENCES; i++) {
            if (!(at instanceof Map<?, ?> map)) {
                return Map.of();
            }
            if (!(map.get("$ref") instanceof String reference)) {
                return map;
            }
            at = SchemaTree.resolve(root, reference);
        }
        return Map.of();
    }

    static List<?> list(@Nullable Object node) {
        return node instanceof List<?> list ? list : List.of();
    }

    static String text(@Nullable Object node) {
        return node instanceof String text ? text : "";
    }

    /** The URL of the web API: the first server's, resolved against the URL of the description. */
    String server(@Nullable Object servers, @Nullable String from) throws ToolFailure {
        List<?> all = list(servers).isEmpty() ? list(root.get("servers")) : list(servers);
        Map<?, ?> first = all.isEmpty() ? Map.of() : node(all.getFirst());
        String url = text(first.get("url"));
        for (Map.Entry<?, ?> variable : node(first.get("variables")).entrySet()) {
            Map<?, ?> described = node(variable.getValue());
            List<?> values = list(described.get("enum"));
            Object value = described.get("default") == null && !values.isEmpty()
                    ? values.getFirst()
                    : described.get("default");
            String replacement = value == null ? "" : String.valueOf(value);
            // Each variable may contain the next one twice.
            if (url.length() > MAX_URL_LENGTH || replacement.length() > MAX_URL_LENGTH) {
                throw invalid("the URL of its server is too long");
            }
            url = url.replace("{" + variable.getKey() + "}", replacement);
        }
        url = url.strip();
        url = url.startsWith("//") && from == null ? "https:" + url : url;
        try {
            URI uri = from == null ? new URI(url) : new URI(from).resolve(url.isEmpty() ? "/" : url);
            if (!uri.isAbsolute() || uri.getHost() == null || uri.getRawQuery() != null) {
                throw invalid("it does not contain the URL of the web API; give a server_url");
            }
            return uri.toString();
        } catch (URISyntaxException | IllegalArgumentException _) {
            throw invalid("the URL of its server is malformed");
        }
    }

    /**
     * The API key required by an operation, else the first among the security schemes: its name and location; empty if
     * there is none.
     */
    Map<?, ?> apiKey(Map<?, ?> operation) {
        Map<?, ?> schemes = node(node(root.get("components")).get("securitySchemes"));
        Object security = operation.get("security") == null ? root.get("security") : operation.get("security");
        List<Map<?, ?>> candidates = new ArrayList<>();
        for (Object requirement : list(security)) {
            node(requirement).keySet().forEach(scheme -> candidates.add(node(schemes.get(scheme))));
        }
        schemes.values().forEach(scheme -> candidates.add(node(scheme)));
        return candidates.stream()
                .filter(scheme -> text(scheme.get("type")).equals("apiKey"))
                .filter(scheme -> !text(scheme.get("name")).isEmpty())
                .findFirst()
                .orElse(Map.of());
    }

    /** Of a key that occurs twice the last value counts, with a warning. */
    private static @Nullable Object tree(String text, List<String> warnings) throws ToolFailure {
        if (!text.stripLeading().startsWith("{")) {
            return YamlText.read(text, MAX_LENGTH, warnings);
        }
        if (StrictJson.parts(text.length(), text::charAt) > MAX_PARTS) {
            throw invalid("it is too large");
        }
        try {
            return StrictJson.readObject(text);
        } catch (UncheckedIOException _) {
            // Repeated keys, or YAML that starts like JSON.
        }
        try {
            Object tree = ToolHttpResponse.LENIENT_JSON
                    .readerFor(Object.class)
                    .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readValue(text);
            warnings.add("A key occurs twice in one object; the last one counts.");
            return tree;
        } catch (JsonProcessingException | NumberFormatException | ArithmeticException _) {
            return YamlText.read(text, MAX_LENGTH, warnings);
        }
    }

    static ToolFailure invalid(String reason) {
        return ToolFailure.permanent("Invalid description", "The OpenAPI description cannot be used: " + reason + ".");
    }
}
