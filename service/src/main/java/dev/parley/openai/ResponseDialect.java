package dev.parley.openai;

import static dev.parley.openai.request.RequestFields.json;

import dev.parley.http.json.StrictJson;
import dev.parley.id.ResponseId;
import dev.parley.id.UuidV7;
import dev.parley.llm.ChatReply;
import dev.parley.llm.ChatTool.ModelToolCall;
import dev.parley.openai.CompletionAnswer.AnswerStatus;
import dev.parley.openai.request.CompletionRequest;
import dev.parley.openai.request.RequestFields;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects and events of {@code POST /v1/responses}.
 *
 * @param blank the response before its answer
 */
record ResponseDialect(ResponseId id, Map<String, @Nullable Object> blank) implements AnswerDialect {
    /** All members that a response has, because clients and checkers expect them. */
    private static final String BLANK = """
            {"id": null, "object": "response", "created_at": 0, "completed_at": null, "status": "in_progress",
            "background": false, "error": null, "incomplete_details": null, "instructions": null,
            "max_output_tokens": null, "max_tool_calls": null, "model": null, "output": [], "parallel_tool_calls": true,
            "previous_response_id": null, "prompt_cache_key": null, "reasoning": null, "safety_identifier": null,
            "service_tier": "default", "store": false, "temperature": 1.0, "text": {"format": {"type": "text"}},
            "tool_choice": "auto", "tools": [], "top_logprobs": 0, "top_p": 1.0, "presence_penalty": 0,
            "frequency_penalty": 0, "truncation": "disabled", "usage": null, "user": null, "metadata": {}}""";

    /** Members that a response has as the request has them. */
    private static final List<String> REPEATED = List.of(
            "background", "instructions", "metadata", "previous_response_id", "temperature", "tool_choice", "top_p");

    static ResponseDialect of(CompletionRequest request, ResponseId id, boolean isStored) {
        RequestFields body = request.body();
        Map<String, @Nullable Object> blank = new LinkedHashMap<>(StrictJson.readObject(BLANK));
        REPEATED.stream()
                .filter(body::has)
                .forEach(name -> blank.put(name, body.members().get(name)));
        blank.put("id", id.name());
        blank.put("created_at", UuidV7.time(id.value()).getEpochSecond());
        blank.put("model", request.model());
        blank.put("max_output_tokens", request.options().maxOutputTokens());
        blank.put("parallel_tool_calls", request.mayCallInParallel());
        blank.put("reasoning", json("effort", request.options().reasoningEffort(), "summary", null));
        blank.put("store", isStored);
        body.object("text")
                .flatMap(text -> text.object("format"))
                .ifPresent(format -> blank.put("text", json("format", format.members())));
        blank.put("tools", tools(body));
        return new ResponseDialect(id, blank);
    }

    private static List<Object> tools(RequestFields body) {
        List<Object> tools = new ArrayList<>();
        for (RequestFields tool : body.objects("tools")) {
            Map<String, @Nullable Object> written = json("description", null, "parameters", null, "strict", false);
            written.putAll(tool.members());
            tools.add(written);
        }
        return tools;
    }

    @Override
    public Map<String, @Nullable Object> whole(CompletionAnswer answer) {
        Map<String, @Nullable Object> whole = new LinkedHashMap<>(blank);
        AnswerStatus status = answer.status();
        whole.put("status", status.text());
        if (status == AnswerStatus.COMPLETED) {
            whole.put("completed_at", answer.completedAt().getEpochSecond());
        }
        if (status == AnswerStatus.FAILED) {
            whole.put("error", json("code", "server_error", "message", answer.failure()));
        } else if (status != AnswerStatus.IN_PROGRESS) {
            whole.put("output", items(answer, status == AnswerStatus.COMPLETED ? status : AnswerStatus.INCOMPLETE));
            whole.put("usage", usage(answer.reply()));
        }
        if (status == AnswerStatus.INCOMPLETE) {
            whole.put("incomplete_details", json("reason", "max_output_tokens"));
        }
        if (!answer.facts().isEmpty()) {
            whole.put("metadata", answer.metadata(blank.get("metadata")));
        }
        return whole;
    }

    private List<Object> items(CompletionAnswer answer, AnswerStatus status) {
        List<Object> items = new ArrayList<>();
        if (!answer.text().isEmpty() || answer.calls().isEmpty()) {
            items.add(message(status, List.of(part(answer.text()))));
        }
        for (ModelToolCall call : answer.calls()) {
            items.add(call(call, items.size(), ChatCompletionDialect.arguments(call), status));
        }
        return items;
    }

    /** Ids of items contain that of their response, by which a reference to a stored one is found. */
    private String messageId() {
        return "msg_" + UuidV7.text(id.value());
    }

    private Map<String, @Nullable Object> message(AnswerStatus status, List<Object> content) {
        return json(
                "id", messageId(), "type", "message", "status", status.text(), "role", "assistant", "content", content);
    }

    private static Map<String, @Nullable Object> part(String text) {
        return json("type", "output_text", "text", text, "annotations", List.of(), "logprobs", List.of());
    }

    private record FunctionCall(String id, String type, String status, String callId, String name, String arguments) {}

    private FunctionCall call(ModelToolCall call, int index, String arguments, AnswerStatus status) {
        String itemId = "fc_" + UuidV7.text(id.value()) + "_" + index;
        return new FunctionCall(itemId, "function_call", status.text(), call.id(), call.name(), arguments);
    }

    private static Map<String, @Nullable Object> usage(ChatReply reply) {
        return json(
                "input_tokens", reply.promptTokens(),
                "input_tokens_details", json("cached_tokens", reply.cachedTokens(), "cache_write_tokens", 0),
                "output_tokens", reply.completionTokens(),
                "output_tokens_details", json("reasoning_tokens", reply.reasoningTokens()),
                "total_tokens", reply.promptTokens() + reply.completionTokens());
    }

    @Override
    public AnswerStream stream(RoutingContext http) {
        return new ResponseStream(http);
    }

    private final class ResponseStream extends AnswerStream {
        private int sequence;
        private boolean hasMessage;

        ResponseStream(RoutingContext http) {
            super(http);
        }

        private void event(String type, @Nullable Object... members) {
            Map<String, @Nullable Object> event = json("type", type, "sequence_number", sequence++);
            event.putAll(json(members));
            send(type, event);
        }

        private void ofItem(String type, String item, int index, String name, Object value) {
            event(type, "item_id", item, "output_index", index, name, value);
        }

        private void ofText(String type, Map<String, @Nullable Object> members) {
            Map<String, @Nullable Object> event = json("type", type, "sequence_number", sequence++);
            event.putAll(json("item_id", messageId(), "output_index", 0, "content_index", 0));
            event.putAll(members);
            send(type, event);
        }

        @Override
        void begin() {
            event("response.created", "response", blank);
            event("response.in_progress", "response", blank);
        }

        @Override
        void text(String delta) {
            openMessage();
            ofText("response.output_text.delta", json("delta", delta, "logprobs", List.of()));
        }

        private void openMessage() {
            if (!hasMessage) {
                hasMessage = true;
                Object empty = message(AnswerStatus.IN_PROGRESS, List.of());
                event("response.output_item.added", "output_index", 0, "item", empty);
                ofText("response.content_part.added", json("part", part("")));
            }
        }

        @Override
        void end(CompletionAnswer answer, Map<String, @Nullable Object> whole) {
            List<?> items = whole.get("output") instanceof List<?> output ? output : List.of();
            if (!items.isEmpty() && (hasMessage || answer.calls().isEmpty())) {
                openMessage();
                ofText("response.output_text.done", json("text", answer.text(), "logprobs", List.of()));
                ofText("response.content_part.done", json("part", part(answer.text())));
                event("response.output_item.done", "output_index", 0, "item", items.getFirst());
            }
            int index = items.size() - answer.calls().size();
            for (ModelToolCall call : answer.calls()) {
                call(call, index, items.get(index));
                index++;
            }
            boolean isOver = answer.status() == AnswerStatus.COMPLETED || answer.status() == AnswerStatus.FAILED;
            event("response." + (isOver ? answer.status().text() : "incomplete"), "response", whole);
        }

        private void call(ModelToolCall call, int index, Object item) {
            FunctionCall begun = ResponseDialect.this.call(call, index, "", AnswerStatus.IN_PROGRESS);
            String arguments = ChatCompletionDialect.arguments(call);
            event("response.output_item.added", "output_index", index, "item", begun);
            ofItem("response.function_call_arguments.delta", begun.id, index, "delta", arguments);
            ofItem("response.function_call_arguments.done", begun.id, index, "arguments", arguments);
            event("response.output_item.done", "output_index", index, "item", item);
        }

        @Override
        void failed(Map<String, Object> error) {
            Map<String, @Nullable Object> whole = new LinkedHashMap<>(blank);
            whole.put("status", AnswerStatus.FAILED.text());
            String message = error.get("error") instanceof Map<?, ?> body ? String.valueOf(body.get("message")) : "";
            whole.put("error", json("code", "server_error", "message", message));
            event("response.failed", "response", whole);
        }
    }
}
