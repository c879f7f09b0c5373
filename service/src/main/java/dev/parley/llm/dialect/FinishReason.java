package dev.parley.llm.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The reason why a model stopped, in the words of many endpoints. */
public enum FinishReason {
    COMPLETE,
    /** The length limit was reached. */
    LENGTH,
    /** The endpoint or the model does not want to answer. */
    REFUSED,
    /** Missing, or a word that does not say that a text is complete. */
    INCOMPLETE;

    private static final Set<String> COMPLETED = Set.of(
            "stop",
            "stopped",
            "stop_sequence",
            "stop_token",
            "end_turn",
            "end",
            "eos",
            "eos_token",
            "complete",
            "completed",
            "done",
            "finish",
            "finished");
    private static final Set<String> CUT = Set.of(
            "length",
            "max_length",
            "max_tokens",
            "max_output_tokens",
            "max_completion_tokens",
            "model_length",
            "token_limit",
            "truncated",
            "context_window_exceeded",
            "model_context_window_exceeded");
    private static final List<String> REFUSALS = List.of(
            "content_filter",
            "content-filter",
            "contentfilter",
            "safety",
            "recitation",
            "prohibited",
            "blocklist",
            "spii",
            "refus",
            "sensitive",
            "guardrail",
            "moderation");

    public static FinishReason of(JsonNode choice) {
        JsonNode given = choice.path("finish_reason");
        if (given.isMissingNode()) {
            given = choice.has("finishReason")
                    ? choice.path("finishReason")
                    : choice.path("finish_details").path("type");
        }
        String reason = given.asText("").strip().toLowerCase(Locale.ROOT);
        if (COMPLETED.contains(reason)) {
            return COMPLETE;
        }
        if (CUT.contains(reason)) {
            return LENGTH;
        }
        return REFUSALS.stream().anyMatch(reason::contains) ? REFUSED : INCOMPLETE;
    }
}
