package dev.parley.tool.openapi;

import dev.parley.egress.EgressRequest;
import dev.parley.http.StrictJson;
import dev.parley.tool.Credentials;
import dev.parley.tool.HttpAnswer;
import dev.parley.tool.ToolCall;
import dev.parley.tool.ToolFailure;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a call of an operation as a request: every value encoded for its place, so that none can leave it. */
final class OperationRequest {
    private final Operation operation;
    private final Map<String, @Nullable Object> arguments;
    private final List<String> query = new ArrayList<>();
    private final List<String> cookies = new ArrayList<>();
    private final List<EgressRequest.Header> headers = new ArrayList<>();
    private String path;

    private OperationRequest(Operation operation, Map<String, @Nullable Object> arguments) {
        this.operation = operation;
        this.arguments = arguments;
        this.path = operation.path();
    }

    static EgressRequest of(Operation operation, ToolCall call, Credentials credentials) throws ToolFailure {
        return new OperationRequest(operation, call.arguments()).write(call, credentials);
    }

    private EgressRequest write(ToolCall call, Credentials given) throws ToolFailure {
        for (Operation.Parameter parameter : operation.parameters()) {
            Object value = arguments.get(parameter.argument());
            if (value != null) {
                put(parameter, value);
            }
        }
        Credentials credentials = operation.keyName() == null
                ? given
                : given.withKeyPlace(operation.keyName(), String.valueOf(operation.keyIn()));
        if (credentials.keyInQuery()) {
            query.add(encoded(credentials.apiKeyName()) + "=" + encoded(credentials.apiKey()));
        }
        String url = operation.server() + path + (query.isEmpty() ? "" : "?" + String.join("&", query));
        EgressRequest request = EgressRequest.get(url)
                .withMethod(operation.method())
                .withHeader("Accept", "application/json, */*;q=0.5")
                .withHeader("Idempotency-Key", call.idempotencyKey())
                .withDeadline(call.deadline().left())
                .withMaxResponseBytes(HttpAnswer.MAX_BYTES);
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

    private void put(Operation.Parameter parameter, Object value) throws ToolFailure {
        switch (parameter.in()) {
            case "path" -> path = path.replace("{" + parameter.name() + "}", segment(parameter, value));
            case "query" -> addQuery(parameter, value);
            case "header" -> headers.add(new EgressRequest.Header(parameter.name(), joined(value, ",", false)));
            default -> cookies.add(encoded(parameter.name()) + "=" + joined(value, ",", true));
        }
    }

    /** A dot segment would be taken as a step in the path, however it is encoded. */
    private static String segment(Operation.Parameter parameter, Object value) throws ToolFailure {
        String text = joined(value, ",", true);
        if (text.isEmpty() || text.equals(".") || text.equals("..")) {
            throw ToolFailure.permanent(
                    "Invalid arguments", "The argument '" + parameter.argument() + "' cannot stand in a path.");
        }
        return text;
    }

    private void addQuery(Operation.Parameter parameter, Object value) {
        String name = encoded(parameter.name());
        switch (value) {
            case List<?> items
            when parameter.explode() -> items.forEach(item -> query.add(name + "=" + encoded(text(item))));
            case List<?> _ -> {
                String separator =
                        switch (parameter.style()) {
                            case "spaceDelimited" -> "%20";
                            case "pipeDelimited" -> "%7C";
                            default -> ",";
                        };
                query.add(name + "=" + joined(value, separator, true));
            }
            case Map<?, ?> members
            when parameter.style().equals("deepObject") ->
                members.forEach(
                        (key, member) -> query.add(name + "%5B" + encoded(key) + "%5D=" + encoded(text(member))));
            case Map<?, ?> members
            when parameter.explode() ->
                members.forEach((key, member) -> query.add(encoded(key) + "=" + encoded(text(member))));
            default -> query.add(name + "=" + joined(value, ",", true));
        }
    }

    private EgressRequest withBody(EgressRequest request) {
        Operation.Body body = operation.body();
        if (body == null) {
            return request;
        }
        Object content = body.members() == null ? arguments.get(Operation.Body.ARGUMENT) : members(body.members());
        if (content == null) {
            return request;
        }
        String text = body.isForm() && content instanceof Map<?, ?> form
                ? form(form)
                : body.isJson() ? StrictJson.write(content) : text(content);
        return request.withHeader("Content-Type", body.contentType()).withBody(text.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable Map<String, Object> members(List<String> names) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (String name : names) {
            Object value = arguments.get(name);
            if (value != null) {
                members.put(name, value);
            }
        }
        return members.isEmpty() ? null : members;
    }

    private static String form(Map<?, ?> members) {
        List<String> pairs = new ArrayList<>();
        members.forEach((name, value) -> {
            List<?> values = value instanceof List<?> list ? list : List.of(value);
            values.forEach(one -> pairs.add(encoded(name) + "=" + encoded(text(one))));
        });
        return String.join("&", pairs);
    }

    private static String joined(Object value, String separator, boolean encode) {
        List<?> parts =
                switch (value) {
                    case List<?> items -> items;
                    case Map<?, ?> members ->
                        members.entrySet().stream()
                                .flatMap(member -> java.util.stream.Stream.of(member.getKey(), member.getValue()))
                                .toList();
                    default -> List.of(value);
                };
        return parts.stream()
                .map(OperationRequest::text)
                .map(text -> encode ? encoded(text) : text)
                .collect(Collectors.joining(separator));
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case BigDecimal number -> number.toPlainString();
            case Map<?, ?> map -> StrictJson.write(map);
            case List<?> list -> StrictJson.write(list);
            default -> String.valueOf(value);
        };
    }

    private static String encoded(@Nullable Object text) {
        return URLEncoder.encode(String.valueOf(text), StandardCharsets.UTF_8).replace("+", "%20");
    }
}
