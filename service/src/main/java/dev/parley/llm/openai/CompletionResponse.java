package dev.parley.llm.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressResponse;
import dev.parley.egress.ServerSentEvents;
import dev.parley.egress.ServerSentEvents.ServerSentEvent;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.dialect.EndpointDialect;
import dev.parley.llm.protocol.ModelProtocol;
import dev.parley.llm.protocol.ModelProtocol.ReplyAssembler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
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
    private static final List<Pattern> ERROR_CODES = Stream.of(
                    "code\"\\s*:\\s*\"([a-z_]{1,48})\"", "type\"\\s*:\\s*\"([a-z_]{1,42}_error)\"")
            .map(member -> Pattern.compile("\"" + member))
            .toList();

    /** In bytes of a whole response or an event, and characters of a streamed reply. */
    private static final int MAX_SIZE = 4 * 1024 * 1024;

    private static final List<String> STREAM_FIELDS = List.of("data:", "event:", "id:", "retry:");

    /** The bytes that tell a stream from other texts. */
    private static final int START = 6;

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
            new StatusWords(401, Pattern.compile("api[ _]key|unauthorized|authentication|permission_error")),
            new StatusWords(NOT_FOUND, Pattern.compile("unexpected endpoint|not[ _]found|no such route")),
            new StatusWords(400, Pattern.compile("invalid|unsupported|not support|bad request")));

    /**
     * Reads the response to a request, as a stream of events or whole.
     *
     * @param text called with each piece of the text of a stream
     * @param deadline for a whole response, by {@link System#nanoTime}
     */
    static CompletionResponse read(
            EgressResponse.Head head, InputStream body, ModelProtocol protocol, Consumer<String> text, long deadline)
            throws IOException {
        var in = new PushbackInputStream(body, START);
        String contentType = head.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        boolean isStream = isStream(in, contentType.startsWith("text/event-stream"), deadline);
        if (isStream && head.isSuccess()) {
            return stream(in, contentType, protocol, text);
        }
        byte[] bytes = whole(in, deadline);
        JsonNode tree = head.isSuccess() ? parsed(bytes) : JSON.missingNode();
        Optional<JsonNode> error = error(tree);
        return new CompletionResponse(
                error.map(CompletionResponse::status).orElse(head.isSuccess() ? OK : head.status()),
                contentType,
                new String(bytes, StandardCharsets.UTF_8),
                error.isPresent() || !tree.isObject() ? JSON.missingNode() : protocol.completion(tree),
                retryAfter(head));
    }

    /** Some servers send a whole response as the type of a stream, or a stream as another type. */
    private static boolean isStream(PushbackInputStream in, boolean isTyped, long deadline) throws IOException {
        int first = in.read();
        while (" \t\r\n\u00EF\u00BB\u00BF".indexOf(first) >= 0) { // Blank lines, and a byte order mark.
            requireTime(deadline);
            first = in.read();
        }
        if (first < 0) {
            return false;
        }
        in.unread(first);
        if (isTyped || first == ':') {
            return "{[<\"".indexOf(first) < 0;
        }
        if ("deir".indexOf(first) < 0) {
            return false;
        }
        byte[] start = in.readNBytes(START);
        in.unread(start);
        String word = new String(start, StandardCharsets.US_ASCII);
        return STREAM_FIELDS.stream().anyMatch(word::startsWith);
    }

    private static byte[] whole(InputStream in, long deadline) throws IOException {
        var bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[START * 256];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            bytes.write(buffer, 0, read);
            requireTime(deadline);
            requireSize(bytes.size());
        }
        return bytes.toByteArray();
    }

    private static void requireTime(long deadline) throws InterruptedIOException {
        if (System.nanoTime() - deadline > 0) {
            throw new InterruptedIOException();
        }
    }

    private static void requireSize(long size) throws IOException {
        if (size > MAX_SIZE) {
            throw EgressException.tooLarge(MAX_SIZE);
        }
    }

    private static CompletionResponse stream(
            InputStream in, String contentType, ModelProtocol protocol, Consumer<String> text) throws IOException {
        var events = new ServerSentEvents(in, MAX_SIZE);
        ReplyAssembler assembler = protocol.assembler(text);
        boolean isDone = false;
        for (Optional<ServerSentEvent> next = events.next(); next.isPresent(); next = events.next()) {
            String data = next.get().data().strip();
            isDone = data.equals("[DONE]");
            if (isDone) {
                break;
            }
            JsonNode event = data.isEmpty() ? JSON.createObjectNode() : parsed(data.getBytes(StandardCharsets.UTF_8));
            Optional<JsonNode> error = error(event);
            if (error.isPresent() || !event.isObject()) {
                int status = error.map(CompletionResponse::status).orElse(OK);
                return new CompletionResponse(status, contentType, data, JSON.missingNode(), Optional.empty());
            }
            assembler.add(event);
            requireSize(assembler.size());
            if (assembler.isEnded()) {
                break;
            }
        }
        JsonNode completion = assembler.completion();
        if (!assembler.isComplete() && !isDone) {
            cut(completion);
        }
        return new CompletionResponse(OK, contentType, "", completion, Optional.empty());
    }

    /** Calls of a cut stream may lack arguments; its usage counts. */
    private static void cut(JsonNode completion) {
        for (JsonNode choice : completion.path("choices")) {
            if (choice instanceof ObjectNode cut && cut.path("message") instanceof ObjectNode message) {
                message.remove(List.of("tool_calls", "function_call"));
                cut.put("finish_reason", "cut");
            }
        }
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
        String code = ERROR_CODES.stream()
                .map(pattern -> pattern.matcher(text))
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElse("");
        String suffix = " (status " + status + (code.isEmpty() ? "" : ", " + code) + ").";
        if (code.equals("insufficient_quota") || status == 402 || text.contains("credit balance is too low")) {
            return ChatModelException.permanentFault("The chat model's quota is used up" + suffix, null);
        }
        if (EndpointDialect.isContextOverflow(status, text)) {
            return ChatModelException.contextOverflow("The request is longer than the chat model can read" + suffix);
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

    private static Optional<Duration> retryAfter(EgressResponse.Head head) {
        Optional<Duration> millis = head.header("retry-after-ms")
                .filter(value -> value.matches("[0-9]{1,9}"))
                .map(value -> Duration.ofMillis(Long.parseLong(value)));
        return millis.isPresent() ? millis : head.retryAfter(Instant.now());
    }
}
