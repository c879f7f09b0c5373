package dev.parley.tool.openapi;

import dev.parley.http.StrictJson;
import dev.parley.tool.SchemaTree;
import dev.parley.tool.ToolFailure;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * An OpenAPI 3 description as a tree of JSON values. Parsed without an OpenAPI library, because those follow references
 * to other files and servers; here a reference resolves within the document or not at all.
 */
final class OpenApiDescription {
    /** In characters. */
    static final int MAX_LENGTH = 3 * 1024 * 1024;

    private static final int MAX_ALIASES = 10;
    private static final int MAX_NODES = 500_000;
    private static final int MAX_YAML_PARTS = 200_000;
    private static final int MAX_URL_LENGTH = 2_000;
    private static final int REFERENCES = 8;

    private final Map<?, ?> root;

    private OpenApiDescription(Map<?, ?> root) {
        this.root = root;
    }

    /** Parses JSON or YAML. */
    static OpenApiDescription read(String text) throws ToolFailure {
        if (text.length() > MAX_LENGTH) {
            throw invalid("it is too large");
        }
        Object tree = text.stripLeading().startsWith("{") ? json(text) : yaml(text);
        if (!(tree instanceof Map<?, ?> root) || !(root.get("paths") instanceof Map<?, ?>)) {
            throw invalid("it has no 'paths'");
        }
        if (!String.valueOf(root.get("openapi")).startsWith("3.")) {
            throw invalid("'openapi' is not 3.0 or 3.1");
        }
        return new OpenApiDescription(root);
    }

    Map<?, ?> root() {
        return root;
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
            Object value = node(variable.getValue()).get("default");
            String replacement = value == null ? "" : String.valueOf(value);
            // Each variable may contain the next one twice.
            if (url.length() > MAX_URL_LENGTH || replacement.length() > MAX_URL_LENGTH) {
                throw invalid("the URL of its server is too long");
            }
            url = url.replace("{" + variable.getKey() + "}", replacement);
        }
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

    private static Object json(String text) throws ToolFailure {
        try {
            return StrictJson.readObject(text);
        } catch (UncheckedIOException _) {
            throw invalid("it is not valid JSON");
        }
    }

    private static @Nullable Object yaml(String text) throws ToolFailure {
        // The parser needs 300 bytes for each part.
        if (text.chars().filter(c -> "\n,[{".indexOf(c) >= 0).count() > MAX_YAML_PARTS) {
            throw invalid("it is too large");
        }
        var options = new LoaderOptions();
        options.setCodePointLimit(MAX_LENGTH);
        options.setMaxAliasesForCollections(MAX_ALIASES);
        options.setNestingDepthLimit(StrictJson.MAX_DEPTH);
        options.setAllowDuplicateKeys(false);
        options.setAllowRecursiveKeys(false);
        try {
            return new PlainTree().plain(new Yaml(new SafeConstructor(options)).load(text), 0);
        } catch (YAMLException | StackOverflowError _) {
            throw invalid("it is neither valid JSON nor valid YAML");
        }
    }

    /** YAML has values that JSON does not have, such as dates and numeric keys, and aliases, which repeat a part. */
    private static final class PlainTree {
        private int nodes;

        @Nullable
        Object plain(@Nullable Object value, int depth) throws ToolFailure {
            if (depth > StrictJson.MAX_DEPTH) {
                throw invalid("it is nested too deeply");
            }
            if (++nodes > MAX_NODES) {
                throw invalid("it is too large");
            }
            return switch (value) {
                case Map<?, ?> map -> {
                    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
                    for (Map.Entry<?, ?> member : map.entrySet()) {
                        copy.put(String.valueOf(member.getKey()), plain(member.getValue(), depth + 1));
                    }
                    yield copy;
                }
                case List<?> list -> {
                    List<@Nullable Object> copy = new ArrayList<>();
                    for (Object item : list) {
                        copy.add(plain(item, depth + 1));
                    }
                    yield copy;
                }
                case Double number when !Double.isFinite(number) -> null;
                case null -> null;
                case Number _, Boolean _ -> value;
                default -> String.valueOf(value);
            };
        }
    }

    static ToolFailure invalid(String reason) {
        return ToolFailure.permanent("Invalid description", "The OpenAPI description cannot be used: " + reason + ".");
    }
}
