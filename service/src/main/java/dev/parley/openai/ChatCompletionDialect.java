package dev.parley.openai;

import static dev.parley.openai.request.RequestFields.json;

import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatTool.ModelToolCall;
import dev.parley.openai.CompletionAnswer.AnswerStatus;
import dev.parley.openai.request.CompletionRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The objects and chunks of {@code POST /v1/chat/completions}. */
record ChatCompletionDialect(CompletionRequest request, String id, long created) implements AnswerDialect {
    @Override
    public Map<String, @Nullable Object> whole(CompletionAnswer answer) {
        if (answer.status() == AnswerStatus.FAILED || answer.status() == AnswerStatus.CANCELLED) {
            throw answer.problem(); // A completion has no status.
        }
        List<Object> calls = calls(answer, false);
        Map<String, @Nullable Object> message = json(
                "role",
                "assistant",
                "content",
                calls.isEmpty() || !answer.text().isEmpty() ? answer.text() : null,
                "refusal",
                null,
                "annotations",
                List.of());
        if (!calls.isEmpty()) {
            message.put("tool_calls", calls);
        }
        Map<String, @Nullable Object> whole = object(
                "chat.completion",
                List.of(json("index", 0, "message", message, "logprobs", null, "finish_reason", finishReason(answer))));
        whole.put("usage", usage(answer.reply()));
        if (!answer.facts().isEmpty()) {
            whole.put("metadata", answer.metadata(request.metadata()));
        }
        return whole;
    }

    private Map<String, @Nullable Object> object(String type, List<Object> choices) {
        return json(
                "id", id,
                "object", type,
                "created", created,
                "model", request.model(),
                "choices", choices,
                "service_tier", "default",
                "system_fingerprint", "parley");
    }

    private static String finishReason(CompletionAnswer answer) {
        return !answer.calls().isEmpty() ? "tool_calls" : answer.status() == AnswerStatus.COMPLETED ? "stop" : "length";
    }

    private static List<Object> calls(CompletionAnswer answer, boolean isStreamed) {
        List<Object> calls = new ArrayList<>();
        for (ModelToolCall call : answer.calls()) {
            Map<String, @Nullable Object> written = json(
                    "id", call.id(),
                    "type", "function",
                    "function", json("name", call.name(), "arguments", arguments(call)));
            if (isStreamed) {
                written.put("index", calls.size());
            }
            calls.add(written);
        }
        return calls;
    }

    /** Clients parse the arguments, so a call without any has an empty object. */
    static String arguments(ModelToolCall call) {
        return call.arguments().isBlank() ? "{}" : call.arguments();
    }

    private static Map<String, @Nullable Object> usage(ChatReply reply) {
        return json(
                "prompt_tokens", reply.promptTokens(),
                "completion_tokens", reply.completionTokens(),
                "total_tokens", reply.promptTokens() + reply.completionTokens(),
                "prompt_tokens_details", json("cached_tokens", reply.cachedTokens(), "audio_tokens", 0),
                "completion_tokens_details",
                        json(
                                "reasoning_tokens", reply.reasoningTokens(),
                                "audio_tokens", 0,
                                "accepted_prediction_tokens", 0,
                                "rejected_prediction_tokens", 0));
    }

    @Override
    public AnswerStream stream(RoutingContext http) {
        boolean hasUsage = request.body()
                .object("stream_options")
                .filter(options -> options.flag("include_usage"))
                .isPresent();
        return new AnswerStream(http) {
            @Override
            void begin() {
                chunk(json("role", "assistant", "content", "", "refusal", null), null, null);
            }

            @Override
            void text(String delta) {
                chunk(json("content", delta), null, null);
            }

            @Override
            void end(CompletionAnswer answer, Map<String, @Nullable Object> whole) {
                List<Object> calls = calls(answer, true);
                if (!calls.isEmpty()) {
                    chunk(json("tool_calls", calls), null, null);
                }
                chunk(json(), finishReason(answer), answer);
                if (hasUsage) {
                    Map<String, @Nullable Object> last = object("chat.completion.chunk", List.of());
                    last.put("usage", usage(answer.reply()));
                    send(null, last);
                }
                send(null, "[DONE]");
            }

            @Override
            void failed(Map<String, Object> error) {
                send(null, error);
            }

            private void chunk(
                    Map<String, @Nullable Object> delta, @Nullable String finish, @Nullable CompletionAnswer answer) {
                Map<String, @Nullable Object> chunk = object(
                        "chat.completion.chunk",
                        List.of(json("index", 0, "delta", delta, "logprobs", null, "finish_reason", finish)));
                if (hasUsage) {
                    chunk.put("usage", null);
                }
                if (answer != null && !answer.facts().isEmpty()) {
                    chunk.put("metadata", answer.metadata(request.metadata()));
                }
                send(null, chunk);
            }
        };
    }
}
