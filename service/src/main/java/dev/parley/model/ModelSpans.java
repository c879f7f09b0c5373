package dev.parley.model;

import dev.parley.http.json.StrictJson;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTool;
import dev.parley.llm.ChatTurn;
import dev.parley.trace.SpanAttributes;
import dev.parley.trace.TraceSpan;
import dev.parley.trace.Tracing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The attributes of the spans of model calls, after OpenTelemetry's conventions for generative AI. */
final class ModelSpans {
    /** Replaced by a model at an endpoint. */
    private static final String OFFLINE = "parley.offline";

    private ModelSpans() {}

    static void request(TraceSpan span, ResolvedModel model, ChatRequest request) {
        if (!span.isRecorded()) {
            return;
        }
        span.set(SpanAttributes.OPERATION, "chat")
                .set(SpanAttributes.PROVIDER, OFFLINE)
                .set(SpanAttributes.REQUEST_MODEL, model.chat().name())
                .set(SpanAttributes.MODEL_ALIAS, model.alias());
        Double temperature = request.options().temperature();
        Integer maxTokens = request.options().maxOutputTokens();
        if (temperature != null) {
            span.set(SpanAttributes.REQUEST_TEMPERATURE, temperature);
        }
        if (maxTokens != null) {
            span.set(SpanAttributes.REQUEST_MAX_TOKENS, maxTokens);
        }
        if (Tracing.recordsContents()) {
            List<Object> messages = new ArrayList<>();
            request.turns().forEach(turn -> messages.add(message(turn)));
            if (!request.inputs().isEmpty()) {
                messages.add(message("user", List.of(text(ChatRequest.INPUTS + StrictJson.write(request.inputs())))));
            }
            request.followUps().forEach(turn -> messages.add(message(turn)));
            span.set(SpanAttributes.INSTRUCTIONS, StrictJson.write(List.of(text(request.instructions()))))
                    .set(SpanAttributes.INPUT_MESSAGES, StrictJson.write(messages));
        }
    }

    static ChatReply reply(TraceSpan span, ChatReply reply) {
        if (span.isRecorded()) {
            String reason = reply.finish() == ChatReply.ReplyFinish.LENGTH
                    ? "length"
                    : reply.toolCalls().isEmpty() ? "stop" : "tool_call";
            span.set(SpanAttributes.RESPONSE_MODEL, reply.model())
                    .set(SpanAttributes.FINISH_REASONS, List.of(reason))
                    .set(SpanAttributes.INPUT_TOKENS, reply.promptTokens())
                    .set(SpanAttributes.OUTPUT_TOKENS, reply.completionTokens());
            if (Tracing.recordsContents()) {
                Map<String, Object> message = new LinkedHashMap<>(message(ChatTurn.assistant(reply)));
                message.put("finish_reason", reason);
                span.set(SpanAttributes.OUTPUT_MESSAGES, StrictJson.write(List.of(message)));
            }
        }
        return reply;
    }

    private static Map<String, Object> message(ChatTurn turn) {
        boolean isResult =
                turn.speaker() == ChatTurn.Speaker.TOOL && !turn.calls().isEmpty();
        if (isResult) {
            return message(
                    "tool",
                    List.of(Map.of(
                            "type",
                            "tool_call_response",
                            "id",
                            turn.calls().getFirst().id(),
                            "response",
                            turn.text())));
        }
        List<Object> parts = new ArrayList<>();
        if (!turn.text().isEmpty()) {
            parts.add(text(turn.text()));
        }
        turn.calls().forEach(call -> parts.add(call(call)));
        return message(turn.speaker().name().toLowerCase(Locale.ROOT), parts);
    }

    private static Map<String, Object> message(String role, List<Object> parts) {
        return Map.of("role", role, "parts", parts);
    }

    private static Map<String, Object> text(String text) {
        return Map.of("type", "text", "content", text);
    }

    private static Map<String, Object> call(ChatTool.ModelToolCall call) {
        return Map.of("type", "tool_call", "id", call.id(), "name", call.name(), "arguments", call.arguments());
    }
}
