package dev.parley.tool.openapi;

import static dev.parley.tool.openapi.OpenApiDescription.list;
import static dev.parley.tool.openapi.OpenApiDescription.text;

import com.google.common.base.CharMatcher;
import dev.parley.http.json.StrictJson;
import dev.parley.problem.Text;
import dev.parley.tool.openapi.OpenApiOperation.Encoding;
import dev.parley.tool.openapi.OpenApiOperation.Parameter;
import dev.parley.tool.openapi.OpenApiOperation.RequestBodySpec;
import dev.parley.tool.source.DiscoveredTool;
import dev.parley.tool.source.OfferedOperation;
import dev.parley.tool.source.OperationSelection;
import dev.parley.tool.source.SchemaTree;
import dev.parley.tool.source.ToolDiscovery;
import dev.parley.tool.source.ToolFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final int MAX_TAGS = 20;

    /** Parameters may be references to the same parts, so that the document's size does not limit them. */
    private static final int MAX_PARAMETERS = 500;

    private static final int MAX_PATH_LENGTH = 2_000;
    private static final Pattern TEMPLATE = Pattern.compile("\\{([^{}/]+)\\}");

    private final OpenApiDescription description;
    private final @Nullable String from;
    private final @Nullable String server;
    private final List<DiscoveredTool> tools = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** The operations that were skipped because of their schema, which had to be read for that. */
    private int tooLarge;

    /**
     * @param from the description's own URL; null if it was uploaded
     * @param server overrides the description's servers; null for none
     */
    OperationReader(OpenApiDescription description, @Nullable String from, @Nullable String server) {
        this.description = description;
        this.from = from;
        this.server = server;
        this.warnings.addAll(description.warnings());
    }

    /** @param selection the operations that become tools; null for all */
    ToolDiscovery read(@Nullable OperationSelection selection) throws ToolFailure {
        List<NamedOperation> all = operations();
        for (NamedOperation operation : all) {
            if (selection == null || selection.includes(operation.offered.name(), operation.offered.tags())) {
                add(operation);
            }
        }
        if (selection != null) {
            Set<String> names = new HashSet<>();
            all.forEach(operation -> names.add(operation.offered.name()));
            selection.operations().stream()
                    .filter(name -> !names.contains(name))
                    .forEach(name -> warnings.add("The description has no operation '" + name + "' any more."));
        }
        return new ToolDiscovery(tools, warnings);
    }

    /** The operations that may be chosen. */
    List<OfferedOperation> offered() {
        return operations().stream().map(NamedOperation::offered).toList();
    }

    private record NamedOperation(OfferedOperation offered, Map<?, ?> item, Map<?, ?> operation) {}

    private List<NamedOperation> operations() {
        List<NamedOperation> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Map.Entry<?, ?> entry :
                description.node(description.root().get("paths")).entrySet()) {
            String path = String.valueOf(entry.getKey());
            Map<?, ?> item = description.node(entry.getValue());
            for (String method : METHODS) {
                if (item.get(method) instanceof Map<?, ?> operation
                        && path.startsWith("/")
                        && path.length() <= MAX_PATH_LENGTH) {
                    if (all.size() == OfferedOperation.MAX_OPERATIONS) {
                        warnings.add("Further operations were skipped: there are too many.");
                        return all;
                    }
                    String id = text(operation.get("operationId"));
                    boolean isNamed = DiscoveredTool.isName(id) && !id.isEmpty() && names.add(id);
                    String name = isNamed ? id : derived(method, path);
                    if (isNamed || names.add(name)) {
                        all.add(new NamedOperation(offered(name, method, path, operation), item, operation));
                    } else {
                        warnings.add(
                                "The operation " + label(method, path) + " was skipped: another has the same name.");
                    }
                }
            }
        }
        return all;
    }

    private static OfferedOperation offered(String name, String method, String path, Map<?, ?> operation) {
        String summary = text(operation.get("summary"));
        List<String> tags = list(operation.get("tags")).stream()
                .limit(MAX_TAGS)
                .map(tag -> Text.ellipsis(String.valueOf(tag), OfferedOperation.MAX_CHOICE_LENGTH))
                .map(tag -> SchemaTree.shortened(tag, OfferedOperation.MAX_CHOICE_LENGTH))
                .filter(tag -> !tag.isBlank())
                .distinct()
                .toList();
        return new OfferedOperation(
                name,
                method.toUpperCase(Locale.ROOT),
                path,
                SchemaTree.shortened(
                        (summary.isEmpty() ? text(operation.get("description")) : summary).replace('\n', ' '),
                        MAX_TITLE_LENGTH),
                tags,
                Boolean.TRUE.equals(operation.get("deprecated")));
    }

    private static String label(String method, String path) {
        return "'" + SchemaTree.shortened(method.toUpperCase(Locale.ROOT) + " " + path, 80) + "'";
    }

    private void add(NamedOperation named) throws ToolFailure {
        Map<?, ?> operation = named.operation;
        String label = label(named.offered.method(), named.offered.path());
        if (tools.size() == ToolDiscovery.MAX_TOOLS || tooLarge == ToolDiscovery.MAX_TOOLS) {
            warnings.add("The operation " + label + " was skipped: there are too many operations. Choose some.");
            return;
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        Set<String> required = new LinkedHashSet<>();
        List<Parameter> parameters = parameters(named, properties, required);
        RequestBodySpec body = null;
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
            tooLarge++;
            warnings.add("The operation " + label + " was skipped: its schema is too large.");
            return;
        }
        tools.add(tool(named, schema, parameters, body));
    }

    private DiscoveredTool tool(
            NamedOperation named,
            Map<String, Object> schema,
            List<Parameter> parameters,
            @Nullable RequestBodySpec body)
            throws ToolFailure {
        Map<?, ?> operation = named.operation;
        OfferedOperation offered = named.offered;
        Object servers = operation.get("servers") != null ? operation.get("servers") : named.item.get("servers");
        String address = server != null ? server : description.server(servers, from);
        Map<?, ?> key = description.apiKey(operation);
        OpenApiOperation binding = new OpenApiOperation(
                offered.method(),
                CharMatcher.is('/').trimTrailingFrom(address),
                offered.path(),
                parameters,
                body,
                key.isEmpty() ? null : text(key.get("name")),
                key.isEmpty() ? null : text(key.get("in")));
        String summary = text(operation.get("summary"));
        String details = text(operation.get("description"));
        String text = summary.isEmpty() || details.isEmpty() ? summary + details : summary + "\n" + details;
        return new DiscoveredTool(
                offered.name(),
                SchemaTree.shortened(
                        (summary.isEmpty() ? offered.name() : summary).replace('\n', ' '), MAX_TITLE_LENGTH),
                SchemaTree.shortened(
                        text.isEmpty() ? offered.method() + " " + offered.path() : text, MAX_DESCRIPTION_LENGTH),
                schema,
                result(operation),
                StrictJson.write(binding));
    }

    /** A name made from method and path, for an operation whose id is missing, not usable or taken. */
    private static String derived(String method, String path) {
        String derived = (method + "_" + path).replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_+|_+$", "");
        return derived.substring(0, Math.min(derived.length(), DiscoveredTool.MAX_NAME_LENGTH));
    }

    private List<Parameter> parameters(NamedOperation named, Map<String, Object> properties, Set<String> required) {
        Map<String, Map<?, ?>> all = new LinkedHashMap<>();
        List<Object> declared = new ArrayList<>(list(named.item.get("parameters")));
        declared.addAll(list(named.operation.get("parameters")));
        for (Object one : declared.subList(0, Math.min(declared.size(), MAX_PARAMETERS))) {
            Map<?, ?> parameter = description.node(one);
            all.put(text(parameter.get("in")) + " " + text(parameter.get("name")), parameter);
        }
        Matcher undeclared = TEMPLATE.matcher(named.offered.path());
        while (undeclared.find()) {
            String name = undeclared.group(1);
            all.putIfAbsent("path " + name, Map.of("in", "path", "name", name, "schema", Map.of("type", "string")));
        }
        int length = 0;
        List<Parameter> parameters = new ArrayList<>();
        for (Map<?, ?> parameter : all.values()) {
            String name = text(parameter.get("name"));
            String in = text(parameter.get("in"));
            boolean ignored = in.equals("header") && IGNORED_HEADERS.contains(name.toLowerCase(Locale.ROOT));
            if (name.isEmpty() || ignored || !STYLES.containsKey(in)) {
                continue;
            }
            String argument = properties.containsKey(name) ? free(name + "_" + in, properties) : name;
            Parameter read = styled(argument, name, in, parameter);
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
    private Parameter styled(String argument, String name, String in, Map<?, ?> parameter) {
        boolean json = parameter.get("schema") == null
                && description.node(parameter.get("content")).keySet().stream()
                        .anyMatch(type -> MediaTypes.isJson(String.valueOf(type)));
        if (json) {
            return new Parameter(argument, name, in, Parameter.JSON, false);
        }
        List<String> styles = STYLES.getOrDefault(in, List.of());
        String declaredStyle = text(parameter.get("style"));
        String style = styles.contains(declaredStyle) ? declaredStyle : styles.getFirst();
        boolean explode = parameter.get("explode") instanceof Boolean declared ? declared : style.equals("form");
        return new Parameter(argument, name, in, style, explode);
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
        Map<String, Object> tree = new LinkedHashMap<>(
                SchemaTree.ofRequest(schema, description.root()).schema());
        String text = text(parameter.get("description"));
        if (!text.isEmpty()) {
            tree.putIfAbsent("description", SchemaTree.shortened(text, MAX_DESCRIPTION_LENGTH));
        }
        return tree;
    }

    private @Nullable RequestBodySpec body(Map<?, ?> request, Map<String, Object> properties, Set<String> required) {
        Map<?, ?> content = description.node(request.get("content"));
        String offered = MediaTypes.ofBody(types(content)).orElse(null);
        if (offered == null) {
            return null;
        }
        String type = MediaTypes.sent(offered);
        boolean must = Boolean.TRUE.equals(request.get("required"));
        Map<?, ?> media = description.node(content.get(offered));
        SchemaTree.PartialSchema read = SchemaTree.ofRequest(media.get("schema"), description.root());
        Map<String, Object> schema = read.schema();
        Map<String, Encoding> encodings = encodings(media);
        boolean text = MediaTypes.plain(type).equals(MediaTypes.TEXT);
        Map<?, ?> members = text ? Map.of() : members(schema, media.get("schema"));
        if (members.isEmpty() || members.keySet().stream().anyMatch(properties::containsKey)) {
            String preferred = RequestBodySpec.ARGUMENT;
            String argument = properties.containsKey(preferred) ? free("request_" + preferred, properties) : preferred;
            properties.put(argument, text ? Map.of("type", "string") : schema);
            if (must) {
                required.add(argument);
            }
            return new RequestBodySpec(type, null, argument, must, encodings, List.copyOf(read.hidden()));
        }
        List<String> names = new ArrayList<>();
        members.forEach((name, member) -> {
            names.add(String.valueOf(name));
            properties.put(String.valueOf(name), member);
        });
        if (must) {
            list(schema.get("required")).stream()
                    .map(String::valueOf)
                    .filter(members::containsKey)
                    .forEach(required::add);
        }
        return new RequestBodySpec(type, names, null, must, encodings, null);
    }

    /** How members of a form are written, as far as the description says so. */
    private Map<String, Encoding> encodings(Map<?, ?> media) {
        Map<String, Encoding> encodings = new LinkedHashMap<>();
        description.node(media.get("encoding")).entrySet().stream()
                .limit(MAX_PARAMETERS)
                .forEach(member -> {
                    Map<?, ?> encoding = description.node(member.getValue());
                    String declared = text(encoding.get("style"));
                    boolean isStyled = STYLES.getOrDefault("query", List.of()).contains(declared)
                            || encoding.get("explode") instanceof Boolean;
                    if (isStyled) {
                        String style = declared.isEmpty() ? "form" : declared;
                        boolean explode =
                                encoding.get("explode") instanceof Boolean given ? given : style.equals("form");
                        encodings.put(String.valueOf(member.getKey()), new Encoding(style, explode));
                    }
                });
        return encodings;
    }

    /**
     * The members of a body whose schema lists all members; empty if separate arguments would lose some.
     *
     * @param declared the schema before {@code allOf} was merged
     */
    private Map<?, ?> members(Map<String, Object> schema, @Nullable Object declared) {
        Object additional = schema.getOrDefault("additionalProperties", false);
        boolean listsAllMembers = "object".equals(schema.get("type"))
                && Boolean.FALSE.equals(additional)
                && Collections.disjoint(schema.keySet(), OPEN_SCHEMA_KEYWORDS)
                && Collections.disjoint(description.node(declared).keySet(), OPEN_SCHEMA_KEYWORDS);
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
                    Map<String, Object> schema =
                            SchemaTree.ofResponse(offered, description.root()).schema();
                    return StrictJson.write(schema).length() > MAX_SCHEMA_LENGTH ? null : schema;
                }
            }
        }
        return null;
    }
}
