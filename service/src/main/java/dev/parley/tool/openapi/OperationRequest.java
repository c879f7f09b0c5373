package dev.parley.tool.openapi;

import static dev.parley.tool.openapi.ParameterText.joined;
import static dev.parley.tool.openapi.ParameterText.text;
import static dev.parley.tool.source.PercentEncoding.encoded;

import dev.parley.egress.EgressRequest;
import dev.parley.http.json.StrictJson;
import dev.parley.tool.openapi.OpenApiOperation.Encoding;
import dev.parley.tool.openapi.OpenApiOperation.Parameter;
import dev.parley.tool.openapi.OpenApiOperation.RequestBodySpec;
import dev.parley.tool.source.PercentEncoding;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolHttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the request for a call of an operation. Every value is encoded for its location, so that it cannot escape from
 * it.
 */
final class OperationRequest {
    private static final int MAX_SEGMENT_LENGTH = 8_000;

    private final OpenApiOperation operation;
    private final Map<String, @Nullable Object> arguments;
    private final List<String> query = new ArrayList<>();
    private final List<String> cookies = new ArrayList<>();
    private final List<EgressRequest.Header> headers = new ArrayList<>();
    private String path;

    private OperationRequest(OpenApiOperation operation, Map<String, @Nullable Object> arguments) {
        this.operation = operation;
        this.arguments = arguments;
        this.path = operation.path();
    }

    static EgressRequest of(OpenApiOperation operation, ToolCall call, ToolCredentials credentials) throws ToolFailure {
        return new OperationRequest(operation, call.arguments()).write(call, credentials);
    }

    private EgressRequest write(ToolCall call, ToolCredentials given) throws ToolFailure {
        for (Parameter parameter : operation.parameters()) {
            Object value = arguments.get(parameter.argument());
            if (value != null) {
                put(parameter, value);
            }
        }
        ToolCredentials credentials = operation.keyName() == null
                ? given.withDefaultKeyLocation()
                : given.withKeyLocation(operation.keyName(), String.valueOf(operation.keyIn()));
        String url = operation.server() + path + (query.isEmpty() ? "" : "?" + String.join("&", query));
        EgressRequest request = EgressRequest.get(credentials.addressed(url))
                .withMethod(operation.method())
                .withHeader("Accept", "application/json, */*;q=0.5")
                .withHeader("Idempotency-Key", call.idempotencyKey())
                .withDeadline(call.deadline().left())
                .withMaxResponseBytes(ToolHttpResponse.MAX_BYTES);
        headers.addAll(credentials.asHeaders());
        for (EgressRequest.Header header : headers) {
            if (header.name().equalsIgnoreCase("Cookie")) {
                cookies.add(header.value());
            } else {
                request = request.withHeader(header.name(), header.value());
            }
        }
        if (!cookies.isEmpty()) {
            request = request.withHeader("Cookie", String.join("; ", cookies));
        }
        return withBody(request);
    }

    private void put(Parameter parameter, Object value) throws ToolFailure {
        switch (parameter.in()) {
            case "path" -> path = path.replace("{" + parameter.name() + "}", segment(parameter, value));
            case "query" -> addQuery(parameter, value);
            case "header" ->
                headers.add(new EgressRequest.Header(
                        parameter.name(), ParameterText.styled(parameter, value, text -> text)));
            default -> cookies.add(encoded(parameter.name()) + "=" + plain(parameter.style(), value));
        }
    }

    /** Dot segments would be resolved as path steps however they are encoded. */
    private static String segment(Parameter parameter, Object value) throws ToolFailure {
        String text = ParameterText.styled(parameter, value, PercentEncoding::encoded);
        // A path may have the same parameter many times.
        if (text.isEmpty() || text.equals(".") || text.equals("..") || text.length() > MAX_SEGMENT_LENGTH) {
            throw ToolFailure.permanent(
                    "Invalid arguments", "The argument '" + parameter.argument() + "' must not be used in a path.");
        }
        return text;
    }

    private void addQuery(Parameter parameter, Object value) {
        if (parameter.style().equals(Parameter.JSON)) {
            query.add(encoded(parameter.name()) + "=" + plain(parameter.style(), value));
        } else {
            addPairs(query, parameter.name(), parameter.style(), parameter.explode(), value);
        }
    }

    /** Adds a value of a query or a form. */
    private static void addPairs(List<String> pairs, String name, String style, boolean explode, Object value) {
        String start = encoded(name) + "=";
        switch (value) {
            case Object nested
            when style.equals("deepObject") && (nested instanceof List<?> || nested instanceof Map<?, ?>) ->
                addBrackets(pairs, encoded(name), nested);
            case List<?> items when explode -> items.forEach(item -> pairs.add(start + encoded(text(item))));
            case Map<?, ?> members
            when explode -> members.forEach((key, member) -> pairs.add(encoded(key) + "=" + encoded(text(member))));
            default -> pairs.add(start + plain(style, value));
        }
    }

    /** Adds each value of an object or array under its path, such as {@code items[0][price]}. */
    private static void addBrackets(List<String> pairs, String path, @Nullable Object value) {
        switch (value) {
            case Map<?, ?> members ->
                members.forEach((key, member) -> addBrackets(pairs, path + "%5B" + encoded(key) + "%5D", member));
            case List<?> items -> {
                for (int i = 0; i < items.size(); i++) {
                    addBrackets(pairs, path + "%5B" + i + "%5D", items.get(i));
                }
            }
            case null, default -> pairs.add(path + "=" + encoded(text(value)));
        }
    }

    /** The value of a query parameter or a cookie in a single item. */
    private static String plain(String style, Object value) {
        return switch (style) {
            case Parameter.JSON -> encoded(StrictJson.write(value));
            case "spaceDelimited" -> joined(value, "%20");
            case "pipeDelimited" -> joined(value, "%7C");
            default -> joined(value, ",");
        };
    }

    private EgressRequest withBody(EgressRequest request) {
        RequestBodySpec body = operation.body();
        if (body == null) {
            return request;
        }
        Object content = body.members() == null
                ? arguments.get(body.bodyArgument())
                : members(body.members(), Boolean.TRUE.equals(body.required()));
        if (content == null) {
            return request;
        }
        if (body.omitted() != null && !body.omitted().isEmpty() && content instanceof Map<?, ?> whole) {
            Map<Object, @Nullable Object> sent = new LinkedHashMap<>(whole);
            sent.keySet().removeAll(body.omitted());
            content = sent;
        }
        String text = body.isForm() && content instanceof Map<?, ?> form
                ? form(body, form)
                : body.isJson() ? StrictJson.write(content) : text(content);
        return request.withHeader("Content-Type", body.contentType()).withBody(text.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable Map<String, Object> members(List<String> names, boolean required) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (String name : names) {
            Object value = arguments.get(name);
            if (value != null) {
                members.put(name, value);
            }
        }
        return members.isEmpty() && !required ? null : members;
    }

    private static String form(RequestBodySpec body, Map<?, ?> members) {
        List<String> pairs = new ArrayList<>();
        members.forEach((key, value) -> {
            String name = String.valueOf(key);
            Encoding encoding = body.encoding(name);
            if (encoding != null && value != null) {
                addPairs(pairs, name, encoding.style(), encoding.explode(), value);
            } else {
                List<?> values = value instanceof List<?> list ? list : Collections.singletonList(value);
                values.forEach(one -> pairs.add(encoded(name) + "=" + encoded(text(one))));
            }
        });
        return String.join("&", pairs);
    }
}
