package dev.parley.tool.builtin;

import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.tool.BuiltInTool;
import dev.parley.tool.catalog.BuiltInToolId;
import dev.parley.tool.source.PercentEncoding;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolHttpResponse;
import dev.parley.tool.source.ToolOutcome;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code http.request}: one request to a public address, subject to the egress rules. The structured result has the
 * response's status, headers and body, and as {@code json} the parsed body if it is JSON. Statuses of 300 and above
 * fail the call; 429 and 5xx are retried.
 */
@Singleton
public final class HttpRequestTool implements BuiltInTool {
    private final EgressClient egress;
    private final Clock clock;

    public HttpRequestTool(EgressClient egress, Clock clock) {
        this.egress = egress;
        this.clock = clock;
    }

    @Override
    public BuiltInToolId tool() {
        return BuiltInToolId.HTTP_REQUEST;
    }

    @Override
    public ToolOutcome call(OrganizationId organization, ToolCall call) throws ToolFailure, InterruptedException {
        return outcome(ToolHttpResponse.send(egress, request(call), ToolCredentials.NONE, clock));
    }

    private static EgressRequest request(ToolCall call) {
        Map<String, @Nullable Object> arguments = call.arguments();
        Object body = arguments.get("body");
        String method = arguments.get("method") instanceof String given ? given : body == null ? "GET" : "POST";
        EgressRequest request = EgressRequest.get(url(arguments))
                .withMethod(method)
                .withDeadline(call.deadline().left())
                .withMaxResponseBytes(ToolHttpResponse.MAX_BYTES);
        boolean typed = false;
        boolean keyed = false;
        if (arguments.get("headers") instanceof Map<?, ?> headers) {
            for (Map.Entry<?, ?> header : headers.entrySet()) {
                String name = String.valueOf(header.getKey());
                typed |= name.equalsIgnoreCase("Content-Type");
                keyed |= name.equalsIgnoreCase("Idempotency-Key");
                request = request.withHeader(name, String.valueOf(header.getValue()));
            }
        }
        if (!keyed) {
            request = request.withHeader("Idempotency-Key", call.idempotencyKey());
        }
        if (body == null) {
            return request;
        }
        if (!typed) {
            request = request.withHeader(
                    "Content-Type", body instanceof String ? "text/plain; charset=utf-8" : "application/json");
        }
        String text = body instanceof String plain ? plain : StrictJson.write(body);
        return request.withBody(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String url(Map<String, @Nullable Object> arguments) {
        var url = new StringBuilder(String.valueOf(arguments.get("url")));
        if (arguments.get("query") instanceof Map<?, ?> query) {
            for (Map.Entry<?, ?> parameter : query.entrySet()) {
                url.append(url.indexOf("?") < 0 ? '?' : '&')
                        .append(PercentEncoding.encoded(parameter.getKey()))
                        .append('=')
                        .append(PercentEncoding.encoded(parameter.getValue()));
            }
        }
        return url.toString();
    }

    private static ToolOutcome outcome(EgressResponse response) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("status", response.status());
        Map<String, Object> headers = new LinkedHashMap<>();
        response.head().headers().forEach((name, values) -> headers.put(name, String.join(", ", values)));
        result.put("headers", headers);
        Optional<String> text = ToolHttpResponse.text(response);
        result.put("body", text.orElse(""));
        Object json = text.map(ToolHttpResponse::json).orElse(null);
        if (json != null) {
            result.put("json", json);
        }
        List<ToolOutcome.OutcomeFile> files = text.isPresent()
                ? List.of()
                : List.of(new ToolOutcome.OutcomeFile(ToolHttpResponse.contentType(response), response.body()));
        return new ToolOutcome(text.orElse(""), result, files);
    }
}
