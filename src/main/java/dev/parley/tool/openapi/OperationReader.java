package dev.parley.tool.openapi;

import dev.parley.http.StrictJson;
import dev.parley.tool.Discovery;
import dev.parley.tool.FoundTool;
import dev.parley.tool.SchemaTree;
import dev.parley.tool.ToolFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a tool of each operation. Its arguments are the parameters and the members of a JSON or form body, each by its
 * own name; a body that is no object, or whose members would clash with parameters, is the one argument {@code body}.
 */
final class OperationReader {
    private static final List<String> METHODS = List.of("get", "put", "post", "delete", "patch", "head", "options");
    private static final Set<String> IGNORED_HEADERS = Set.of("accept", "content-type", "authorization");
    private static final List<String> BODY_TYPES =
            List.of("application/json", "application/x-www-form-urlencoded", "text/plain");
    private static final int LONGEST_DESCRIPTION = 4_000;
    private static final int LONGEST_TITLE = 200;
    private static final int LARGEST_SCHEMA = 64 * 1024;

    private final Description description;
    private final @Nullable String from;
    private final @Nullable String server;
    private final List<FoundTool> tools = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    /**
     * @param from the description's own URL; null when it was uploaded
     * @param server in the place of the description's servers; null takes those
     */
    OperationReader(Description description, @Nullable String from, @Nullable String server) {
        this.description = description;
        this.from = from;
        this.server = server;
    }

    Discovery read() throws ToolFailure {
        for (Map.Entry<?, ?> entry :
                description.node(description.root().get("paths")).entrySet()) {
            String path = String.valueOf(entry.getKey());
            Map<?, ?> item = description.node(entry.getValue());
            for (String method : METHODS) {
                if (item.get(method) instanceof Map<?, ?> operation && path.startsWith("/")) {
                    add(method, path, item, operation);
                }
            }
        }
        return new Discovery(tools, warnings);
    }

    private void add(String method, String path, Map<?, ?> item, Map<?, ?> operation) throws ToolFailure {
        String shown = "'" + SchemaTree.shortened(method.toUpperCase(Locale.ROOT) + " " + path, 80) + "'";
        if (tools.size() == Discovery.MOST_TOOLS) {
            warnings.add("The operation " + shown + " was left out: there are too many.");
            return;
        }
        String name = name(method, path, operation);
        if (!names.add(name)) {
            warnings.add("The operation " + shown + " was left out: another has its name.");
            return;
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        Set<String> required = new LinkedHashSet<>();
        List<Operation.Parameter> parameters = parameters(item, operation, properties, required);
        Operation.Body body = null;
        if (operation.get("requestBody") != null) {
            Map<?, ?> request = description.node(operation.get("requestBody"));
            body = body(request, properties, required);
            if (body == null && Boolean.TRUE.equals(request.get("required"))) {
                warnings.add("The operation " + shown + " was left out: its body is of a kind that is not sent.");
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
        if (StrictJson.write(schema).length() > LARGEST_SCHEMA) {
            warnings.add("The operation " + shown + " was left out: its schema is too large.");
            return;
        }
        tools.add(tool(name, method, path, item, operation, schema, parameters, body));
    }

    private FoundTool tool(
            String name,
            String method,
            String path,
            Map<?, ?> item,
            Map<?, ?> operation,
            Map<String, Object> schema,
            List<Operation.Parameter> parameters,
            Operation.@Nullable Body body)
            throws ToolFailure {
        String address = server != null
                ? server
                : description.server(
                        operation.get("servers") != null ? operation.get("servers") : item.get("servers"), from);
        Map<?, ?> key = description.apiKey();
        Operation binding = new Operation(
                method.toUpperCase(Locale.ROOT),
                address.replaceAll("/+$", ""),
                path,
                parameters,
                body,
                key.isEmpty() ? null : Description.text(key.get("name")),
                key.isEmpty() ? null : Description.text(key.get("in")));
        String summary = Description.text(operation.get("summary"));
        String details = Description.text(operation.get("description"));
        String said = summary.isEmpty() || details.isEmpty() ? summary + details : summary + "\n" + details;
        return new FoundTool(
                name,
                SchemaTree.shortened((summary.isEmpty() ? name : summary).replace('\n', ' '), LONGEST_TITLE),
                SchemaTree.shortened(
                        said.isEmpty() ? method.toUpperCase(Locale.ROOT) + " " + path : said, LONGEST_DESCRIPTION),
                schema,
                result(operation),
                StrictJson.write(binding));
    }

    /** The operation's id, or what can be made of method and path. */
    private static String name(String method, String path, Map<?, ?> operation) {
        String id = Description.text(operation.get("operationId"));
        if (!id.isEmpty() && FoundTool.isName(id)) {
            return id;
        }
        String made = (method + "_" + path).replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_+|_+$", "");
        return made.substring(0, Math.min(made.length(), FoundTool.LONGEST_NAME));
    }

    private List<Operation.Parameter> parameters(
            Map<?, ?> item, Map<?, ?> operation, Map<String, Object> properties, Set<String> required) {
        Map<String, Map<?, ?>> all = new LinkedHashMap<>();
        List<Object> given = new ArrayList<>(Description.list(item.get("parameters")));
        given.addAll(Description.list(operation.get("parameters")));
        for (Object one : given) {
            Map<?, ?> parameter = description.node(one);
            all.put(Description.text(parameter.get("in")) + " " + Description.text(parameter.get("name")), parameter);
        }
        List<Operation.Parameter> parameters = new ArrayList<>();
        for (Map<?, ?> parameter : all.values()) {
            String name = Description.text(parameter.get("name"));
            String in = Description.text(parameter.get("in"));
            boolean ignored = in.equals("header") && IGNORED_HEADERS.contains(name.toLowerCase(Locale.ROOT));
            if (name.isEmpty()
                    || ignored
                    || !Set.of("path", "query", "header", "cookie").contains(in)) {
                continue;
            }
            String argument = properties.containsKey(name) ? name + "_" + in : name;
            properties.put(argument, schema(parameter));
            if (in.equals("path") || Boolean.TRUE.equals(parameter.get("required"))) {
                required.add(argument);
            }
            String style = Description.text(parameter.get("style"));
            String usual = in.equals("query") || in.equals("cookie") ? "form" : "simple";
            String used = style.isEmpty() ? usual : style;
            boolean explode = parameter.get("explode") instanceof Boolean told ? told : used.equals("form");
            parameters.add(new Operation.Parameter(argument, name, in, used, explode));
        }
        return parameters;
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
        String said = Description.text(parameter.get("description"));
        if (!said.isEmpty()) {
            tree.putIfAbsent("description", SchemaTree.shortened(said, LONGEST_DESCRIPTION));
        }
        return tree;
    }

    private Operation.@Nullable Body body(Map<?, ?> request, Map<String, Object> properties, Set<String> required) {
        Map<?, ?> content = description.node(request.get("content"));
        String type = BODY_TYPES.stream()
                .filter(content::containsKey)
                .findFirst()
                .or(() -> content.keySet().stream()
                        .map(String::valueOf)
                        .filter(one -> one.endsWith("+json"))
                        .findFirst())
                .orElse(null);
        if (type == null) {
            return null;
        }
        boolean must = Boolean.TRUE.equals(request.get("required"));
        Map<String, Object> schema =
                SchemaTree.of(description.node(content.get(type)).get("schema"), description.root());
        Map<?, ?> members = "object".equals(schema.get("type")) ? description.node(schema.get("properties")) : Map.of();
        if (type.equals("text/plain")
                || members.isEmpty()
                || members.keySet().stream().anyMatch(properties::containsKey)) {
            properties.put(Operation.Body.ARGUMENT, type.equals("text/plain") ? Map.of("type", "string") : schema);
            if (must) {
                required.add(Operation.Body.ARGUMENT);
            }
            return new Operation.Body(type, null);
        }
        List<String> names = new ArrayList<>();
        members.forEach((name, member) -> {
            names.add(String.valueOf(name));
            properties.put(String.valueOf(name), member);
        });
        if (must) {
            Description.list(schema.get("required")).stream()
                    .map(String::valueOf)
                    .filter(names::contains)
                    .forEach(required::add);
        }
        return new Operation.Body(type, names);
    }

    /** The schema of the first good answer that is JSON. */
    private @Nullable Map<String, Object> result(Map<?, ?> operation) {
        for (Map.Entry<?, ?> response :
                description.node(operation.get("responses")).entrySet()) {
            if (String.valueOf(response.getKey()).startsWith("2")) {
                Map<?, ?> content =
                        description.node(description.node(response.getValue()).get("content"));
                Map<?, ?> json = description.node(content.get("application/json"));
                if (json.get("schema") != null) {
                    Map<String, Object> schema = SchemaTree.of(json.get("schema"), description.root());
                    return StrictJson.write(schema).length() > LARGEST_SCHEMA ? null : schema;
                }
            }
        }
        return null;
    }
}
