package dev.parley.llm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the model is asked.
 *
 * @param instructions how it should behave; may be empty
 * @param turns the conversation, oldest first
 * @param inputs named values to work on, in order, as JDK trees (String, Number, Boolean, List, Map, null). A real model
 *     reads them as one JSON object after the turns, so whoever asks need not write them into a turn as well
 * @param schema JSON Schema of the answer, an object, as a JDK tree; all its properties are asked for. Empty for a text
 * @param deadline for the whole answer, with all tries
 * @param retried whether transient faults are tried again here; who tries again by itself says no
 */
public record ChatRequest(
        String instructions,
        List<ChatTurn> turns,
        Map<String, @Nullable Object> inputs,
        Optional<Map<String, Object>> schema,
        Duration deadline,
        boolean retried) {
    public ChatRequest {
        turns = List.copyOf(turns);
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        schema = schema.map(tree -> Collections.unmodifiableMap(new LinkedHashMap<>(tree)));
    }

    /** A conversation that is to be answered in text. */
    public static ChatRequest text(String instructions, List<ChatTurn> turns, Duration deadline) {
        return new ChatRequest(instructions, turns, Map.of(), Optional.empty(), deadline, true);
    }

    /** The same, to be answered by a JSON object. */
    public ChatRequest withSchema(Map<String, Object> tree) {
        return new ChatRequest(instructions, turns, inputs, Optional.of(tree), deadline, retried);
    }

    public ChatRequest withInputs(Map<String, @Nullable Object> named) {
        return new ChatRequest(instructions, turns, named, schema, deadline, retried);
    }

    /** The same with one more turn, such as what was wrong with the last answer. */
    public ChatRequest withTurn(ChatTurn turn) {
        List<ChatTurn> more = new ArrayList<>(turns);
        more.add(turn);
        return new ChatRequest(instructions, more, inputs, schema, deadline, retried);
    }

    /** The same, asked once: its transient faults go to the caller. */
    public ChatRequest once() {
        return new ChatRequest(instructions, turns, inputs, schema, deadline, false);
    }
}
