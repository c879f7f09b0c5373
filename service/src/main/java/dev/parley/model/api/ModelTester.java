package dev.parley.model.api;

import dev.parley.http.json.StrictJson;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatOptions;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTool;
import dev.parley.llm.ChatTurn;
import dev.parley.llm.dialect.EndpointDialect.Adaptation;
import dev.parley.llm.openai.EndpointChatModel;
import dev.parley.model.ModelCapabilities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Finds out what a model can do, by small requests within {@link #LIMIT} in all. */
final class ModelTester {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** A red square of 16 by 16 pixels. */
    private static final byte[] PICTURE = Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4"
                    + "z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg==");

    private static final ChatTool TOOL = new ChatTool(
            "weather",
            "Returns the weather of a city.",
            Map.of(
                    "type",
                    "object",
                    "properties",
                    Map.of("city", Map.of("type", "string")),
                    "required",
                    List.of("city")));

    private static final Map<String, Object> SCHEMA = Map.of(
            "type",
            "object",
            "properties",
            Map.of("sum", Map.of("type", "integer")),
            "required",
            List.of("sum"),
            "additionalProperties",
            false);

    private final EndpointChatModel model;
    private final long end = System.nanoTime() + LIMIT.toNanos();
    private final List<CapabilityFailure> failures = new ArrayList<>();

    /** @param model a new client, which remembers nothing of its endpoint */
    ModelTester(EndpointChatModel model) {
        this.model = model;
    }

    /** The result of a test. */
    @Schema(name = "ModelTestResult")
    public record ModelTestResult(
            @Schema(description = "Whether the model replies")
            boolean ok,

            @Schema(description = "Milliseconds of the first, short reply; null without a reply") @Nullable
            Long latencyMillis,

            @Schema(description = "What the model can do, as it is now stored; null where it is still unknown")
            ModelCapabilities capabilities,

            List<CapabilityFailure> failures) {
        ModelTestResult with(ModelCapabilities stored) {
            return new ModelTestResult(ok, latencyMillis, stored, failures);
        }

        static ModelTestResult failed(String detail) {
            return new ModelTestResult(
                    false, null, ModelCapabilities.UNKNOWN, List.of(new CapabilityFailure("text", detail)));
        }
    }

    /** Why a request failed. */
    @Schema(name = "ModelTestFailure")
    public record CapabilityFailure(
            @Schema(enumeration = {"text", "tools", "images", "json_schema", "reasoning"})
            String capability,

            String detail) {}

    /** Whether a reply, to a request with these changes, shows the capability. */
    @FunctionalInterface
    private interface ReplyCheck {
        boolean isPassed(ChatReply reply, Set<Adaptation> adapted);
    }

    ModelTestResult run() throws InterruptedException {
        var pieces = new AtomicInteger();
        long start = System.nanoTime();
        long latency;
        try {
            var _ = model.reply(request("Count from 1 to 12, separated by spaces."), _ -> pieces.incrementAndGet());
            latency = Duration.ofNanos(System.nanoTime() - start).toMillis();
        } catch (ChatModelException e) {
            return ModelTestResult.failed(e.detail());
        }
        ChatOptions effort = new ChatOptions(null, null, null, "low", List.of());
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Boolean>> tools = executor.submit(() -> check(
                    "tools",
                    request("What is the weather in Rome? Call the tool.").withTools(List.of(TOOL)),
                    (reply, _) -> !reply.toolCalls().isEmpty()));
            Future<Optional<Boolean>> images = executor.submit(() -> check(
                    "images",
                    request("Name the color of the picture.")
                            .withFiles(List.of(ChatFile.image("picture.png", "image/png", PICTURE))),
                    // Some servers drop images without a word.
                    (reply, _) -> reply.text().toLowerCase(Locale.ROOT).contains("red")));
            Future<Optional<Boolean>> reasoning = executor.submit(() -> check(
                    "reasoning",
                    request("What is 17 times 23, plus 5?").withOptions(effort),
                    (reply, adapted) -> !adapted.contains(Adaptation.NO_REASONING_EFFORT)
                            && (reply.reasoningTokens() > 0 || !reply.extras().isEmpty())));
            Set<Adaptation> formats = EnumSet.noneOf(Adaptation.class);
            Future<Optional<Boolean>> json = executor.submit(
                    () -> check("json_schema", request("What is 2 plus 3?").withSchema(SCHEMA), (reply, adapted) -> {
                        formats.addAll(adapted);
                        return isSum(reply.text());
                    }));
            Boolean isJson = result(json);
            boolean isObject = !formats.contains(Adaptation.PROMPT_ONLY);
            return new ModelTestResult(
                    true,
                    latency,
                    new ModelCapabilities(
                            result(tools),
                            result(images),
                            isJson == null ? null : isJson && isObject && !formats.contains(Adaptation.JSON_OBJECT),
                            isJson == null ? null : isJson && isObject,
                            pieces.get() > 1,
                            result(reasoning)),
                    List.copyOf(failures));
        }
    }

    private ChatRequest request(String text) {
        Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
        return ChatRequest.text("Answer briefly.", List.of(ChatTurn.user(text)), left)
                .once();
    }

    /** Empty if the request failed for a reason that says nothing. */
    private Optional<Boolean> check(String capability, ChatRequest request, ReplyCheck check)
            throws InterruptedException {
        try {
            ChatReply reply = model.reply(request);
            return Optional.of(check.isPassed(reply, model.adaptations(request)));
        } catch (ChatModelException e) {
            synchronized (failures) {
                failures.add(new CapabilityFailure(capability, e.detail()));
            }
            return e.isTransient() ? Optional.empty() : Optional.of(false);
        }
    }

    private static boolean isSum(String text) {
        try {
            return StrictJson.readObject(text).containsKey("sum");
        } catch (RuntimeException notAnObject) {
            return false;
        }
    }

    private static @Nullable Boolean result(Future<Optional<Boolean>> future) throws InterruptedException {
        try {
            return future.get().orElse(null);
        } catch (ExecutionException e) {
            throw new IllegalStateException(Objects.requireNonNull(e.getCause()));
        }
    }
}
