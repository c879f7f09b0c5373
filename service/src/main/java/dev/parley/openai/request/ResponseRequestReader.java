package dev.parley.openai.request;

import dev.parley.openai.request.CompletionRequest.InputTurns;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the body of {@code POST /v1/responses}. */
public final class ResponseRequestReader {
    private static final List<String> ITEMS =
            List.of("message", "function_call", "function_call_output", "reasoning", "item_reference");

    private ResponseRequestReader() {}

    /** The items of the input; a text is the message of a user. */
    public static List<Map<String, @Nullable Object>> items(RequestFields body) {
        if (body.isList("input")) {
            return body.objects("input").stream().map(RequestFields::members).toList();
        }
        Optional<String> text = body.text("input");
        return text.map(content -> List.of(RequestFields.json("type", "message", "role", "user", "content", content)))
                .orElseThrow(() -> ApiProblem.invalid(Violation.missing("/input")));
    }

    /** @param earlier the items of the response that this one continues, which were checked before */
    public static CompletionRequest read(
            RequestFields body,
            List<Map<String, @Nullable Object>> earlier,
            List<Map<String, @Nullable Object>> items) {
        refuse(body);
        var turns = new InputTurns();
        body.text("instructions").ifPresent(turns::instruct);
        List<Map<String, @Nullable Object>> before = new ArrayList<>(earlier);
        RequestFields.of(RequestFields.json("input", before)).objects("input").forEach(item -> read(item, turns));
        RequestFields.of(RequestFields.json("input", items)).objects("input").forEach(item -> read(item, turns));
        if (turns.isEmpty()) {
            throw ApiProblem.invalid(Violation.missing("/input"));
        }
        Optional<RequestFields> reasoning = body.object("reasoning");
        return CompletionRequest.of(
                body,
                turns,
                body.object("text").flatMap(text -> text.object("format")),
                reasoning.flatMap(one -> one.text("effort")),
                "max_output_tokens");
    }

    private static void read(RequestFields item, InputTurns turns) {
        switch (item.text("type").orElse("message")) {
            case "message" -> turns.message(item, item.required("role"), InputContent.of(item, "content"));
            case "function_call" -> turns.call(item.required("call_id"), item);
            case "function_call_output" -> turns.result(item, "call_id", InputContent.of(item, "output"));
            case "reasoning" -> {
                // A model here does not take over the reasoning of another one.
            }
            default -> throw item.notOneOf("type", ITEMS);
        }
    }

    /** The parameters without which the answer would be another one. */
    private static void refuse(RequestFields body) {
        body.refuse("prompt", body.has("prompt"), "there are no stored prompts.");
        body.refuse("conversation", body.has("conversation"), "send previous_response_id.");
        body.refuse(
                "include",
                body.texts("include").contains("message.output_text.logprobs"),
                "log probabilities are not returned.");
    }
}
