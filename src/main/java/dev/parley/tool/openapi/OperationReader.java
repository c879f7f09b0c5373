package dev.parley.tool.openapi;

import com.google.common.base.CharMatcher;
import dev.parley.http.StrictJson;
import dev.parley.tool.DiscoveredTool;
import dev.parley.tool.SchemaTree;
import dev.parley.tool.ToolDiscovery;
import dev.parley.tool.ToolFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts each operation to a tool. The arguments are the parameters and the members of a JSON or form body, by their
 * own names; a body that is not an object, or whose members would conflict with parameters, becomes the single argument
 * {@code body}.
 */
final class OperationReader {
    private static final List<String> METHODS = List.of("get", "put", "post", "delete", "patch", "head", "options");
    private static final Set<String> IGNORED_HEADERS = Set.of("accept", "content-type", "authorization");
    private static final Map<String, List<String>> STYLES = Map.of(
            "path", List.of("simple", "label", "matrix"),
            "query", List.of("form", "spaceDelimited", "pipeDelimited", "deepObject"),
            "header", List.of("simple"),
            "cookie", List.of("form"));

    /** Keywords that allow members other than the declared properties. */
    private static final Set<String> OPEN_SCHEMA_KEYWORDS =
            Set.of("allOf", "anyOf", "oneOf", "if", "dependentSchemas", "unevaluatedProperties");

    private static final int MAX_DESCRIPTION_LENGTH = 4_000;
    private static final int MAX_TITLE_LENGTH = 200;
    private static final int MAX_SCHEMA_LENGTH = 64 * 1024;

    /** Operations and parameters may be references to the same parts, so that the document's size does not limit them. */
    private static final int MAX_OPERATIONS = 2_000;

    private static final int MAX_PARAMETERS = 500;
    private static final int MAX_PATH_LENGTH = 2_000;

    private final OpenApiDescription description;
    private final @Nullable String from;
    private final @Nullable String server;
    private final List<DiscoveredTool> tools = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private int operations;

    /**
     * @param from the description's own URL; null if it was uploaded
     * @param server overrides the description's servers; null for none
     */
    OperationReader(OpenApiDescription description, @Nullable String from, @Nullable String server) {
        this.description = description;
        this.from = from;
        this.server = server;
    }

    ToolDiscovery read() throws ToolFailure {
        for (Map.Entry<?, ?> entry :
                description.node(description.root().get("paths")).entrySet()) {
            String path = String.valueOf(entry.getKey());
            Map<?, ?> item = description.node(entry.getValue());
            for (String method : METHODS) {
                if (item.get(method) instanceof Map<?, ?> operation
                        && path.startsWith("/")
                        && path.length() <= MAX_PATH_LENGTH) {
                    if (++operations > MAX_OPERATIONS) {
                        warnings.add("Further operations were skipped: there are too many.");
                        return new ToolDiscovery(tools, warnings);
                    }
                    add(method, path, item, operation);
                }
            }
        }
        return new ToolDiscovery(tools, warnings);
    }

    private void add(String method, String path, Map<?, ?> item, Map<?, ?> operation) throws ToolFailure {
        String label = "'" + SchemaTree.shortened(method.toUpperCase(Locale.ROOT) + " " + path, 80) + "'";
        if (tools.size() == ToolDiscovery.MAX_TOOLS) {
            warnings.add("The operation " + label + " was skipped: there are too many operations.");
            return;
        }
        String name = name(method, path, operation);
        if (!names.add(name)) {
            warnings.add("The operation " + label + " was skipped: another has the same name.");
            return;
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        Set<String> required = new LinkedHashSet<>();
        List<OpenApiOperation.Parameter> parameters = parameters(item, operation, properties, required);
        OpenApiOperation.RequestBodySpec body = null;
        if (operation.get("requestBody") != null) {
            Map<?, ?> request = description.node(operation.get("requestBody"));
            body = body(request, properties, required);
            if (body == null && Boolean.TRUE.equals(request.get("required"))) {
                warnings.add("The operation " + label + " was skipped: the type of its body is not supported.");
                return;
            }
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", List.copyOf(required));
        }
        schema.put("additionalProperties", false);
        if (StrictJson.write(schema).length() > MAX_SCHEMA_LENGTH) {
            warnings.add("The operation " + label + " was skipped: its schema is too large.");
            return;
        }
        tools.add(tool(name, method, path, item, operation, schema, parameters, body));
    }

    private DiscoveredTool tool(
            String name,
            String method,
            String path,
            Map<?, ?> item,
            Map<?, ?> operation,
            Map<String, Object> schema,
            List<OpenApiOperation.Parameter> parameters,
            OpenApiOperation.@Nullable RequestBodySpec body)
            throws ToolFailure {
        String address = server != null
                ? server
                : description.server(
                        operation.get("servers") != null ? operation.get("servers") : item.get("servers"), from);
        Map<?, ?> key = description.apiKey(operation);
        OpenApiOperation binding = new OpenApiOperation(
                method.toUpperCase(Locale.ROOT),
                CharMatcher.is('/').trimTrailingFrom(address),
                path,
                parameters,
                body,
                key.isEmpty() ? null : OpenApiDescription.text(key.get("name")),
                key.isEmpty() ? null : OpenApiDescription.text(key.get("in")));
        String summary = OpenApiDescription.text(operation.get("summary"));
        String details = OpenApiDescription.text(operation.get("description"));
        String text = summary.isEmpty() || details.isEmpty() ? summary + details : summary + "\n" + details;
        return new DiscoveredTool(
                name,
                SchemaTree.shortened((summary.isEmpty() ? name : summary).replace('\n', ' '), MAX_TITLE_LENGTH),
                SchemaTree.shortened(
                        text.isEmpty() ? method.toUpperCase(Locale.ROOT) + " " + path : text, MAX_DESCRIPTION_LENGTH),
                schema,
                result(operation),
                StrictJson.write(binding));
    }

    /** The operation's id, or a name derived from method and path. */
    private static String name(String method, String path, Map<?, ?> operation) {
        String id = OpenApiDescription.text(operation.get("operationId"));
        if (!id.isEmpty() && DiscoveredTool.isName(id)) {
            return id;
        }
        String derived = (method + "_" + path).replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_+|_+$", "");
        return derived.substring(0, Math.min(derived.length(), DiscoveredTool.MAX_NAME_LENGTH));
    }

    private List<OpenApiOperation.Parameter> parameters(
            Map<?, ?> item, Map<?, ?> operation, Map<String, Object> properties, Set<String> required) {
        Map<String, Map<?, ?>> all = new LinkedHashMap<>();
        List<Object> declared = new ArrayList<>(OpenApiDescription.list(item.get("parameters")));
        declared.addAll(OpenApiDescription.list(operation.get("parameters")));
        for (Object one : declared.subList(0, Math.min(declared.size(), MAX_PARAMETERS))) {
            Map<?, ?> parameter = description.node(one);
            all.put(
                    OpenApiDescription.text(parameter.get("in")) + " " + OpenApiDescription.text(parameter.get("name")),
                    parameter);
        }
        int length = 0;
        List<OpenApiOperation.Parameter> parameters = new ArrayList<>();
        for (Map<?, ?> parameter : all.values()) {
            String name = OpenApiDescription.text(parameter.get("name"));
            String in = OpenApiDescription.text(parameter.get("in"));
            boolean ignored = in.equals("header") && IGNORED_HEADERS.contains(name.toLowerCase(Locale.ROOT));
            if (name.isEmpty() || ignored || !STYLES.containsKey(in)) {
                continue;
            }
            String argument = properties.containsKey(name) ? free(name + "_" + in, properties) : name;
            OpenApiOperation.Parameter read = styled(argument, name, in, parameter);
            Map<String, Object> schema = schema(parameter);
            properties.put(argument, schema);
            length += StrictJson.write(schema).length();
            if (length > MAX_SCHEMA_LENGTH) {
                break; // The operation is skipped.
            }
            if (in.equals("path") || Boolean.TRUE.equals(parameter.get("required"))) {
                required.add(argument);
            }
            parameters.add(read);
        }
        return parameters;
    }

    /** A parameter has a style or a media type. */
    private OpenApiOperation.Parameter styled(String argument, String name, String in, Map<?, ?> parameter) {
        boolean json = parameter.get("schema") == null
                && description.node(parameter.get("content")).keySet().stream()
                        .anyMatch(type -> MediaTypes.isJson(String.valueOf(type)));
        if (json) {
            return new OpenApiOperation.Parameter(argument, name, in, OpenApiOperation.Parameter.JSON, false);
        }
        List<String> styles = STYLES.getOrDefault(in, List.of());
        String declaredStyle = OpenApiDescription.text(parameter.get("style"));
        String style = styles.contains(declaredStyle) ? declaredStyle : styles.getFirst();
        boolean explode = parameter.get("explode") instanceof Boolean declared ? declared : style.equals("form");
        return new OpenApiOperation.Parameter(argument, name, in, style, explode);
    }

    /** The name, extended until it is unique among the arguments. */
    private static String free(String name, Map<String, Object> properties) {
        String free = name;
        while (properties.containsKey(free)) {
            free += "_";
        }
        return free;
    }

    private Map<String, Object> schema(Map<?, ?> parameter) {
        Object schema = parameter.get("schema");
        if (schema == null) {
            schema = description.node(parameter.get("content")).values().stream()
                    .findFirst()
                    .map(content -> description.node(content).get("schema"))
                    .orElse(null);
        }
        Map<String, Object> tree = new LinkedHashMap<>(SchemaTree.of(schema, description.root()));
        String text = OpenApiDescription.text(parameter.get("description"));
        if (!text.isEmpty()) {
            tree.putIfAbsent("description", SchemaTree.shortened(text, MAX_DESCRIPTION_LENGTH));
        }
        return tree;
    }

    private OpenApiOperation.@Nullable RequestBodySpec body(
            Map<?, ?> request, Map<String, Object> properties, Set<String> required) {
        Map<?, ?> content = description.node(request.get("content"));
        String offered = MediaTypes.ofBody(types(content)).orElse(null);
        if (offered == null) {
            return null;
        }
        String type = MediaTypes.sent(offered);
        boolean must = Boolean.TRUE.equals(request.get("required"));
        Map<String, Object> schema =
                SchemaTree.of(description.node(content.get(offered)).get("schema"), description.root());
        boolean text = MediaTypes.plain(type).equals(MediaTypes.TEXT);
        Map<?, ?> members = text ? Map.of() : members(schema);
        if (members.isEmpty() || members.keySet().stream().anyMatch(properties::containsKey)) {
            String preferred = OpenApiOperation.RequestBodySpec.ARGUMENT;
            String argument = properties.containsKey(preferred) ? free("request_" + preferred, properties) : preferred;
            properties.put(argument, text ? Map.of("type", "string") : schema);
            if (must) {
                required.add(argument);
            }
            return new OpenApiOperation.RequestBodySpec(type, null, argument, must);
        }
        List<String> names = new ArrayList<>();
        members.forEach((name, member) -> {
            names.add(String.valueOf(name));
            properties.put(String.valueOf(name), member);
        });
        if (must) {
            OpenApiDescription.list(schema.get("required")).stream()
                    .map(String::valueOf)
                    .filter(members::containsKey)
                    .forEach(required::add);
        }
        return new OpenApiOperation.RequestBodySpec(type, names, null, must);
    }

    /** The members of a body whose schema lists all members; empty if separate arguments would lose some. */
    private Map<?, ?> members(Map<String, Object> schema) {
        Object additional = schema.getOrDefault("additionalProperties", false);
        boolean listsAllMembers = "object".equals(schema.get("type"))
                && Boolean.FALSE.equals(additional)
                && Collections.disjoint(schema.keySet(), OPEN_SCHEMA_KEYWORDS);
        return listsAllMembers ? description.node(schema.get("properties")) : Map.of();
    }

    private static List<String> types(Map<?, ?> content) {
        return content.keySet().stream().map(String::valueOf).toList();
    }

    /** The schema of the first successful JSON response. */
    private @Nullable Map<String, Object> result(Map<?, ?> operation) {
        for (Map.Entry<?, ?> response :
                description.node(operation.get("responses")).entrySet()) {
            if (String.valueOf(response.getKey()).startsWith("2")) {
                Map<?, ?> content =
                        description.node(description.node(response.getValue()).get("content"));
                Object offered = MediaTypes.jsonOf(types(content))
                        .map(type -> description.node(content.get(type)).get("schema"))
                        .orElse(null);
                if (offered != null) {
                    Map<String, Object> schema = SchemaTree.of(offered, description.root());
                    return StrictJson.write(schema).length() > MAX_SCHEMA_LENGTH ? null : schema;
                }
            }
        }
        return null;
    }
}
