package dev.parley.llm;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a model generates a reply; null for the endpoint's own default. An endpoint that refuses an option gets the
 * request without it.
 *
 * @param temperature 0 to 2
 * @param topP above 0, at most 1
 * @param maxOutputTokens reasoning included, at least 1
 * @param reasoningEffort {@code minimal}, {@code low}, {@code medium} or {@code high}
 * @param stop texts at which the reply ends, without them
 * @param toolChoice the name of the tool that the model must call, {@link #ANY_TOOL}, or null if it may answer; an
 *     endpoint that refuses it fails
 */
public record ChatOptions(
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer maxOutputTokens,
        @Nullable String reasoningEffort,
        List<String> stop,
        @Nullable String toolChoice) {
    /** No tool has this name. */
    public static final String ANY_TOOL = "*";

    public static final ChatOptions DEFAULT = new ChatOptions(null, null, null, null, List.of());

    public ChatOptions {
        stop = List.copyOf(stop);
    }

    /** Options that leave the choice of tools to the model. */
    public ChatOptions(
            @Nullable Double temperature,
            @Nullable Double topP,
            @Nullable Integer maxOutputTokens,
            @Nullable String reasoningEffort,
            List<String> stop) {
        this(temperature, topP, maxOutputTokens, reasoningEffort, stop, null);
    }
}
