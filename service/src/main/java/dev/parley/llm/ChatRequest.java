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
 * A request to the model.
 *
 * @param instructions the system prompt; may be empty
 * @param turns the conversation, oldest first
 * @param inputs named values, in order, as JDK trees (String, Number, Boolean, List, Map, null). A real model receives
 *     them as one JSON object after the turns, so the turns need not contain them
 * @param schema JSON Schema of the reply, an object, as a JDK tree; all its properties are required. Empty for text
 * @param deadline for the reply, including all retries
 * @param retried whether the model retries after transient failures; false if the caller does
 * @param files that belong to the inputs
 * @param tools that the model may call
 * @param followUps the turns after the inputs: invalid replies, tool calls and their results
 * @param options how the reply is generated
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
        List<ChatTurn> followUps,
        ChatOptions options) {
    /** Precedes the inputs in the prompt. */
    public static final String INPUTS = "Inputs, as JSON:\n";

    public ChatRequest {
        followUps = List.copyOf(followUps);
        turns = List.copyOf(turns);
        files = List.copyOf(files);
        tools = List.copyOf(tools);
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        schema = schema.map(tree -> Collections.unmodifiableMap(new LinkedHashMap<>(tree)));
    }

    /** A request for a text, with retries. */
    public static ChatRequest text(String instructions, List<ChatTurn> turns, Duration deadline) {
        return new ChatRequest(
                instructions,
                turns,
                Map.of(),
                Optional.empty(),
                deadline,
                true,
                List.of(),
                List.of(),
                List.of(),
                ChatOptions.DEFAULT);
    }

    /** The same request for a JSON object. */
    public ChatRequest withSchema(Map<String, Object> tree) {
        return new ChatRequest(
                instructions, turns, inputs, Optional.of(tree), deadline, retried, files, tools, followUps, options);
    }

    public ChatRequest withInputs(Map<String, @Nullable Object> named) {
        return new ChatRequest(instructions, turns, named, schema, deadline, retried, files, tools, followUps, options);
    }

    /** The same request with one more follow-up, such as the errors of the last reply. */
    public ChatRequest withTurn(ChatTurn turn) {
        List<ChatTurn> more = new ArrayList<>(followUps);
        more.add(turn);
        return new ChatRequest(instructions, turns, inputs, schema, deadline, retried, files, tools, more, options);
    }

    /** The same request without retries: the caller handles transient failures. */
    public ChatRequest once() {
        return new ChatRequest(instructions, turns, inputs, schema, deadline, false, files, tools, followUps, options);
    }

    /** The same request with retries after transient failures. */
    public ChatRequest retrying() {
        return new ChatRequest(instructions, turns, inputs, schema, deadline, true, files, tools, followUps, options);
    }

    public ChatRequest withFiles(List<ChatFile> given) {
        return new ChatRequest(
                instructions, turns, inputs, schema, deadline, retried, given, tools, followUps, options);
    }

    public ChatRequest withTools(List<ChatTool> given) {
        return new ChatRequest(
                instructions, turns, inputs, schema, deadline, retried, files, given, followUps, options);
    }

    /** The same request with a shorter deadline. */
    public ChatRequest within(Duration remaining) {
        return new ChatRequest(
                instructions, turns, inputs, schema, remaining, retried, files, tools, followUps, options);
    }

    public ChatRequest withOptions(ChatOptions given) {
        return new ChatRequest(instructions, turns, inputs, schema, deadline, retried, files, tools, followUps, given);
    }
}
