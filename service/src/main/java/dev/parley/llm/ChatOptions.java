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
 */
public record ChatOptions(
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer maxOutputTokens,
        @Nullable String reasoningEffort,
        List<String> stop) {
    public static final ChatOptions DEFAULT = new ChatOptions(null, null, null, null, List.of());

    public ChatOptions {
        stop = List.copyOf(stop);
    }
}
