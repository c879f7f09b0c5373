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
 * @param retryTime how long the model begins retries after transient failures; zero if the caller retries
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
        Duration retryTime,
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
                deadline,
                List.of(),
                List.of(),
                List.of(),
                ChatOptions.DEFAULT);
    }

    /** The same request for a JSON object. */
    public ChatRequest withSchema(Map<String, Object> tree) {
        return new ChatRequest(
                instructions, turns, inputs, Optional.of(tree), deadline, retryTime, files, tools, followUps, options);
    }

    public ChatRequest withInputs(Map<String, @Nullable Object> named) {
        return new ChatRequest(
                instructions, turns, named, schema, deadline, retryTime, files, tools, followUps, options);
    }

    /** The same request with one more follow-up, such as the errors of the last reply. */
    public ChatRequest withTurn(ChatTurn turn) {
        List<ChatTurn> more = new ArrayList<>(followUps);
        more.add(turn);
        return new ChatRequest(instructions, turns, inputs, schema, deadline, retryTime, files, tools, more, options);
    }

    /** The same request without retries: the caller handles transient failures. */
    public ChatRequest once() {
        return new ChatRequest(
                instructions, turns, inputs, schema, deadline, Duration.ZERO, files, tools, followUps, options);
    }

    /** The same request with retries after transient failures. */
    public ChatRequest retrying() {
        return new ChatRequest(
                instructions, turns, inputs, schema, deadline, deadline, files, tools, followUps, options);
    }

    public ChatRequest withFiles(List<ChatFile> given) {
        return new ChatRequest(
                instructions, turns, inputs, schema, deadline, retryTime, given, tools, followUps, options);
    }

    public ChatRequest withTools(List<ChatTool> given) {
        return new ChatRequest(
                instructions, turns, inputs, schema, deadline, retryTime, files, given, followUps, options);
    }

    /** The same request with another deadline; the time for retries stays. */
    public ChatRequest within(Duration remaining) {
        return new ChatRequest(
                instructions, turns, inputs, schema, remaining, retryTime, files, tools, followUps, options);
    }

    public ChatRequest withOptions(ChatOptions given) {
        return new ChatRequest(
                instructions, turns, inputs, schema, deadline, retryTime, files, tools, followUps, given);
    }
}
