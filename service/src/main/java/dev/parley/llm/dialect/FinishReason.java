package dev.parley.llm.dialect;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.regex.Pattern;

/** The reason why a model stopped, in the words of many endpoints. */
public enum FinishReason {
    COMPLETE,
    /** The length limit was reached. */
    LENGTH,
    /** The endpoint or the model does not want to answer. */
    REFUSED,
    /** Missing, or a word that does not say that a text is complete. */
    INCOMPLETE;

    private static final Pattern COMPLETED =
            Pattern.compile("stop(?:ped|_sequence|_token)?|end(?:_turn)?|eos(?:_token)?|completed?|done|finish(?:ed)?");

    private static final Pattern CUT = Pattern.compile("(?:max_|model_)?length|max_(?:output_|completion_)?tokens"
            + "|token_limit|truncated|(?:model_)?context_window_exceeded");

    /** Parts of words. */
    private static final Pattern REFUSALS = Pattern.compile(
            "content[_-]?filter|safety|recitation|prohibited|blocklist" + "|spii|refus|sensitive|guardrail|moderation");

    public static FinishReason of(JsonNode choice) {
        JsonNode given = choice.path("finish_reason");
        if (given.isMissingNode()) {
            given = choice.has("finishReason")
                    ? choice.path("finishReason")
                    : choice.path("finish_details").path("type");
        }
        String reason = given.asText("").strip().toLowerCase(Locale.ROOT);
        if (COMPLETED.matcher(reason).matches()) {
            return COMPLETE;
        }
        if (CUT.matcher(reason).matches()) {
            return LENGTH;
        }
        return REFUSALS.matcher(reason).find() ? REFUSED : INCOMPLETE;
    }
}
