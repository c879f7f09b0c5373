package dev.parley.llm.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.egress.EgressResponse;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.dialect.EndpointDialect;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A response of the endpoint. Gateways also report errors with status 200; the status here is then that of the error.
 *
 * @param text the body
 * @param completion the body's JSON; missing if it is none
 * @param retryAfter the delay that the endpoint requests
 */
record CompletionResponse(
        int status, String contentType, String text, JsonNode completion, Optional<Duration> retryAfter) {
    /** A level less than {@code StrictJson} has, because the journal nests a reply deeper. */
    private static final int MAX_DEPTH = 60;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** An identifier such as {@code model_not_found}. A key contains digits or a hyphen, so it never matches. */
    private static final Pattern ERROR_CODE = Pattern.compile("\"code\"\\s*:\\s*\"([a-z_]{1,48})\"");

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int BAD_GATEWAY = 502;

    /** Statuses of errors that have none, by words of their texts. */
    private record StatusWords(int status, Pattern words) {}

    private static final List<StatusWords> STATUS_WORDS = List.of(
            new StatusWords(429, Pattern.compile("rate[ _]?limit|too many requests|insufficient_quota")),
            new StatusWords(
                    503,
                    Pattern.compile("overload|unavailable|loading|time(?: |d )?out|temporar|try again|capacity|busy"
                            + "|server_error|internal")),
            new StatusWords(401, Pattern.compile("api[ _]key|unauthorized|authentication")),
            new StatusWords(NOT_FOUND, Pattern.compile("unexpected endpoint|not[ _]found|no such route")),
            new StatusWords(400, Pattern.compile("invalid|unsupported|not support|bad request")));

    static CompletionResponse of(EgressResponse response) {
        String text = response.text();
        JsonNode tree = response.head().isSuccess() ? parsed(response.body()) : JSON.missingNode();
        int status = response.head().isSuccess() ? OK : response.status();
        return new CompletionResponse(
                error(tree).map(CompletionResponse::status).orElse(status),
                response.header("Content-Type").orElse("").toLowerCase(Locale.ROOT),
                text,
                tree,
                retryAfter(response));
    }

    boolean isCompletion() {
        return status == OK
                && completion.path("choices").path(0).path("message").isObject();
    }

    /** Whether the endpoint has nothing at this address. */
    boolean isUnknownAddress() {
        return status == 405
                || (status == NOT_FOUND && !text.toLowerCase(Locale.ROOT).contains("model"));
    }

    /** The failure that a response without a completion is. Quotes only the code, as the text may have keys and prompts. */
    ChatModelException fault() {
        if (status == OK) {
            return noCompletion();
        }
        Matcher matcher = ERROR_CODE.matcher(text);
        String code = matcher.find() ? matcher.group(1) : "";
        String suffix = " (status " + status + (code.isEmpty() ? "" : ", " + code) + ").";
        if (code.equals("insufficient_quota") || status == 402) {
            return ChatModelException.permanentFault("The chat model's quota is used up" + suffix, null);
        }
        if (EndpointDialect.isFailedAnswer(text)) {
            return ChatModelException.transientFault("The chat model's answer was not in the format" + suffix, null);
        }
        if (status >= 500 || status == 408 || status == 425 || status == 429) {
            ChatModelException fault =
                    ChatModelException.transientFault("The chat model's service is busy or failing" + suffix, null);
            return retryAfter.map(fault::retryAfter).orElse(fault);
        }
        return ChatModelException.permanentFault(detail(code) + suffix, null);
    }

    private String detail(String code) {
        String reason = text.toLowerCase(Locale.ROOT);
        if (code.equals("content_filter") || reason.contains("responsibleaipolicyviolation")) {
            return "The chat model refused to answer this";
        }
        if (code.equals("context_length_exceeded") || status == 413) {
            return "The request is longer than the chat model can read";
        }
        if (reason.contains("does not support tools") || reason.contains("tool choice requires")) {
            return "The chat model cannot call tools";
        }
        return switch (status) {
            case 401, 403 -> "The chat model's service refused the configured key";
            case NOT_FOUND, 405 -> "The chat model's service does not know the configured model or address";
            default -> "The chat model's service did not accept the request";
        };
    }

    private ChatModelException noCompletion() {
        String start = text.stripLeading();
        if (contentType.startsWith("text/event-stream") || start.startsWith("data:") || start.startsWith("event:")) {
            return ChatModelException.permanentFault(
                    "The chat model's service answered with a stream of events, which was not requested.", null);
        }
        String detail = "The chat model's answer could not be understood.";
        if (start.isEmpty()) {
            detail = "The chat model's service answered with nothing.";
        } else if (start.startsWith("<")) {
            detail = "The chat model's service answered with a web page instead of an answer.";
        }
        return ChatModelException.transientFault(detail, null);
    }

    private static JsonNode parsed(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException malformed) {
            return JSON.missingNode();
        }
    }

    /** The error in a body with status 200. */
    private static Optional<JsonNode> error(JsonNode tree) {
        if (tree.isArray()) {
            return error(tree.path(0)); // Gemini puts errors into arrays.
        }
        Stream<JsonNode> given =
                Stream.of(tree.path("error"), tree.path("choices").path(0).path("error"));
        return Stream.concat(given, tree.path("object").asText("").equals("error") ? Stream.of(tree) : Stream.empty())
                .filter(CompletionResponse::isError)
                .findFirst();
    }

    private static boolean isError(JsonNode error) {
        return error.isTextual()
                ? !error.textValue().isBlank()
                : error.isContainerNode()
                        ? error.valueStream().anyMatch(CompletionResponse::isError)
                        : error.isNumber() ? error.intValue() != 0 : error.asBoolean();
    }

    private static int status(JsonNode error) {
        for (String name : List.of("code", "status", "status_code", "http_status", "http_code")) {
            int status = error.path(name).asInt();
            if (status >= 400 && status < 600) {
                return status;
            }
        }
        String text = error.toString().toLowerCase(Locale.ROOT);
        return STATUS_WORDS.stream()
                .filter(one -> one.words.matcher(text).find())
                .findFirst()
                .map(StatusWords::status)
                .orElse(BAD_GATEWAY);
    }

    private static Optional<Duration> retryAfter(EgressResponse response) {
        Optional<Duration> millis = response.header("retry-after-ms")
                .filter(value -> value.matches("[0-9]{1,9}"))
                .map(value -> Duration.ofMillis(Long.parseLong(value)));
        return millis.isPresent() ? millis : response.head().retryAfter(Instant.now());
    }
}
