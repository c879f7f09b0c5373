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
 * @param files that belong to the inputs
 * @param tools that the model may ask to have called
 * @param followUps what was said after the inputs: answers that did not fit, calls of tools and what these said
 * @param retried whether transient faults are tried again here; who tries again by itself says no
 */
public record ChatRequest(
        String instructions,
        List<ChatTurn> turns,
        Map<String, @Nullable Object> inputs,
        Optional<Map<String, Object>> schema,
        Duration deadline,
        boolean retried,
        List<ChatFile> files,
        List<ChatTool> tools,
        List<ChatTurn> followUps) {
    /** What stands before the inputs where a model reads them. */
    public static final String INPUTS = "Inputs, as JSON:\n";

    public ChatRequest {
        followUps = List.copyOf(followUps);
        turns = List.copyOf(turns);
        files = List.copyOf(files);
        tools = List.copyOf(tools);
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        schema = schema.map(tree -> Collections.unmodifiableMap(new LinkedHashMap<>(tree)));
    }

    /** Without files and tools. */
    public ChatRequest(
            String instructions,
            List<ChatTurn> turns,
            Map<String, @Nullable Object> inputs,
            Optional<Map<String, Object>> schema,
            Duration deadline,
            boolean retried) {
        this(instructions, turns, inputs, schema, deadline, retried, List.of(), List.of(), List.of());
    }

    /** A conversation that is to be answered in text. */
    public static ChatRequest text(String instructions, List<ChatTurn> turns, Duration deadline) {
        return new ChatRequest(instructions, turns, Map.of(), Optional.empty(), deadline, true);
    }

    /** The same, to be answered by a JSON object. */
    public ChatRequest withSchema(Map<String, Object> tree) {
        return new ChatRequest(
                instructions, turns, inputs, Optional.of(tree), deadline, retried, files, tools, followUps);
    }

    public ChatRequest withInputs(Map<String, @Nullable Object> named) {
        return new ChatRequest(instructions, turns, named, schema, deadline, retried, files, tools, followUps);
    }

    /** The same with one more turn, such as what was wrong with the last answer. */
    public ChatRequest withTurn(ChatTurn turn) {
        List<ChatTurn> more = new ArrayList<>(followUps);
        more.add(turn);
        return new ChatRequest(instructions, turns, inputs, schema, deadline, retried, files, tools, more);
    }

    /** The same, asked once: its transient faults go to the caller. */
    public ChatRequest once() {
        return new ChatRequest(instructions, turns, inputs, schema, deadline, false, files, tools, followUps);
    }

    public ChatRequest withFiles(List<ChatFile> given) {
        return new ChatRequest(instructions, turns, inputs, schema, deadline, retried, given, tools, followUps);
    }

    public ChatRequest withTools(List<ChatTool> given) {
        return new ChatRequest(instructions, turns, inputs, schema, deadline, retried, files, given, followUps);
    }

    /** The same with less time. */
    public ChatRequest within(Duration left) {
        return new ChatRequest(instructions, turns, inputs, schema, left, retried, files, tools, followUps);
    }
}
