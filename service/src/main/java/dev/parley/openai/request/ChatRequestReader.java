package dev.parley.openai.request;

import dev.parley.openai.request.CompletionRequest.InputTurns;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.util.List;
import java.util.Optional;

/** Reads the body of {@code POST /v1/chat/completions}. */
public final class ChatRequestReader {
    private ChatRequestReader() {}

    public static CompletionRequest read(RequestFields body) {
        refuse(body);
        List<RequestFields> messages = body.objects("messages");
        if (messages.isEmpty()) {
            throw ApiProblem.invalid(Violation.missing("/messages"));
        }
        var turns = new InputTurns();
        for (RequestFields message : messages) {
            String role = message.required("role");
            InputContent content = InputContent.of(message, "content");
            if (role.equals("tool")) {
                turns.result(message, "tool_call_id", content);
                continue;
            }
            turns.message(message, role, content);
            message.refuse("function_call", message.has("function_call"), "send tool_calls.");
            for (RequestFields call : message.objects("tool_calls")) {
                turns.call(
                        call.required("id"),
                        call.object("function").orElseThrow(() -> call.wrongType("function", "an object")));
            }
        }
        return CompletionRequest.of(
                body,
                turns,
                body.object("response_format"),
                body.text("reasoning_effort"),
                "max_tokens",
                "max_completion_tokens");
    }

    /** The parameters without which the answer would be another one. */
    private static void refuse(RequestFields body) {
        Integer choices = body.count("n", 1);
        body.refuse("n", choices != null && choices > 1, "an answer has one choice.");
        body.refuse("logprobs", body.flag("logprobs"), "log probabilities are not returned.");
        body.refuse(
                "logit_bias",
                body.object("logit_bias")
                        .filter(bias -> !bias.members().isEmpty())
                        .isPresent(),
                "models of other kinds have other tokens.");
        body.refuse("audio", body.has("audio"), "answers are text.");
        body.refuse(
                "modalities",
                body.texts("modalities").stream().anyMatch(one -> !one.equals("text")),
                "answers are text.");
        body.refuse("functions", body.has("functions"), "send tools.");
        body.refuse("function_call", body.has("function_call"), "send tool_choice.");
        body.refuse("web_search_options", body.has("web_search_options"), "models do not search the web.");
        Optional<RequestFields> streaming = body.object("stream_options");
        streaming.ifPresent(options -> options.flag("include_usage"));
        body.require(
                streaming.isEmpty() || body.flag("stream"),
                ViolationCode.NOT_ALLOWED,
                "stream_options",
                "is for streams only.");
    }
}
