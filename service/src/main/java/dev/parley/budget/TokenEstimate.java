package dev.parley.budget;

import dev.parley.http.json.StrictJson;
import dev.parley.llm.ChatFile;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Estimates the tokens of requests from above, without the tokenizer of the model. */
public final class TokenEstimate {
    /** English text has about four bytes per token; code, other languages and numbers have fewer. */
    private static final int BYTES_PER_TOKEN = 3;

    /** More than the models of OpenAI and Anthropic count for an image. */
    private static final int TOKENS_PER_IMAGE = 2_000;

    /** The overhead of a turn, a tool or a schema. */
    private static final int TOKENS_PER_PART = 8;

    /** Of a model whose maximum is unknown, for a request without one. */
    private static final int DEFAULT_OUTPUT_TOKENS = 4_096;

    private TokenEstimate() {}

    public static long input(ChatRequest request) {
        long tokens = text(request.instructions())
                + text(StrictJson.write(request.inputs()))
                + text(StrictJson.write(request.tools()))
                + request.schema().map(schema -> text(StrictJson.write(schema))).orElse(0L)
                + files(request.files());
        for (List<ChatTurn> turns : List.of(request.turns(), request.followUps())) {
            for (ChatTurn turn : turns) {
                tokens += text(turn.text()) + text(StrictJson.write(turn.calls())) + files(turn.files());
            }
        }
        return tokens;
    }

    /**
     * The most output tokens that the request allows.
     *
     * @param modelMaximum null if it is unknown
     */
    public static long output(ChatRequest request, @Nullable Integer modelMaximum) {
        Integer requested = request.options().maxOutputTokens();
        if (requested == null) {
            return modelMaximum == null ? DEFAULT_OUTPUT_TOKENS : modelMaximum;
        }
        return modelMaximum == null ? requested : Math.min(requested, modelMaximum);
    }

    private static long files(List<ChatFile> files) {
        return files.stream()
                .mapToLong(file -> text(file.promptText()) + (file.isImage() ? TOKENS_PER_IMAGE : 0))
                .sum();
    }

    private static long text(String text) {
        return ofBytes(text.getBytes(StandardCharsets.UTF_8).length);
    }

    /** The tokens of a text of this size in UTF-8. */
    public static long ofBytes(long bytes) {
        return bytes / BYTES_PER_TOKEN + TOKENS_PER_PART;
    }
}
