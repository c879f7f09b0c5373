package dev.parley.openai.request;

import dev.parley.llm.ChatOptions;
import dev.parley.llm.ChatTool;
import dev.parley.llm.ChatTool.ModelToolCall;
import dev.parley.llm.ChatTurn;
import dev.parley.openai.request.InputContent.InputFile;
import dev.parley.problem.ViolationCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request of either dialect to a model or a workflow.
 *
 * @param body all members, which the answer repeats in part
 * @param model an alias, or {@code workflow/} and an id
 * @param schema of a structured answer
 * @param mayCallInParallel whether an answer may have several tool calls
 */
public record CompletionRequest(
        RequestFields body,
        String model,
        String instructions,
        List<InputTurn> turns,
        List<ChatTool> tools,
        Optional<Map<String, Object>> schema,
        ChatOptions options,
        boolean mayCallInParallel) {
    private static final List<String> FORMATS = List.of("text", "json_object", "json_schema");
    private static final List<String> EFFORTS = List.of("minimal", "low", "medium", "high");
    private static final Pattern TOOL_NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final List<String> FREE_CHOICES = List.of("auto", "none");
    private static final int MAX_STOPS = 4;

    /** A turn, and the files of its user. */
    public record InputTurn(ChatTurn turn, List<InputFile> files) {}

    public boolean isStreamed() {
        return body.flag("stream");
    }

    /** The client's metadata: texts by name. */
    public Map<String, @Nullable Object> metadata() {
        return body.object("metadata").map(RequestFields::members).orElse(Map.of());
    }

    /**
     * Reads what both dialects have, and refuses what has no effect here and would change the answer.
     *
     * @param format the object with the type of the answer
     * @param maxTokens names of the limit of the answer
     */
    public static CompletionRequest of(
            RequestFields body,
            InputTurns input,
            Optional<RequestFields> format,
            Optional<String> effort,
            String... maxTokens) {
        body.flag("stream");
        body.flag("store");
        body.object("metadata")
                .ifPresent(metadata -> metadata.members().keySet().forEach(metadata::text));
        Integer logprobs = body.count("top_logprobs", 0);
        body.refuse("top_logprobs", logprobs != null && logprobs > 0, "log probabilities are not returned.");
        if (effort.isPresent() && !EFFORTS.contains(effort.get())) {
            throw body.notOneOf(body.has("reasoning") ? "reasoning" : "reasoning_effort", EFFORTS);
        }
        List<String> stop = body.isList("stop")
                ? body.texts("stop")
                : body.text("stop").stream().toList();
        body.require(stop.size() <= MAX_STOPS, ViolationCode.TOO_MANY, "stop", "must have at most 4 texts.");
        Integer limit = null;
        for (String name : maxTokens) {
            Integer given = body.count(name, 1);
            limit = given == null ? limit : given;
        }
        List<ChatTool> tools = tools(body);
        var options = new ChatOptions(
                body.number("temperature", 0, 2),
                body.number("top_p", 0, 1),
                limit,
                effort.orElse(null),
                stop,
                toolChoice(body, tools));
        return new CompletionRequest(
                body,
                body.required("model"),
                String.join("\n\n", input.instructions),
                List.copyOf(input.turns),
                "none".equals(body.members().get("tool_choice")) ? List.of() : tools,
                format.flatMap(CompletionRequest::schema),
                options,
                !body.has("parallel_tool_calls") || body.flag("parallel_tool_calls"));
    }

    private static List<ChatTool> tools(RequestFields body) {
        List<ChatTool> tools = new ArrayList<>();
        for (RequestFields tool : body.objects("tools")) {
            String type = tool.required("type");
            tool.refuse("type", !type.equals("function"), "tools are functions of the client.");
            RequestFields function = tool.object("function").orElse(tool);
            String name = function.required("name");
            function.require(
                    TOOL_NAME.matcher(name).matches(),
                    ViolationCode.INVALID_FORMAT,
                    "name",
                    "must have 1 to 64 of the characters a-z, A-Z, 0-9, _ and -.");
            tools.add(new ChatTool(
                    name,
                    function.text("description").orElse(""),
                    function.object("parameters")
                            .<Map<String, Object>>map(CompletionRequest::tree)
                            .orElse(Map.of("type", "object", "properties", Map.of()))));
        }
        return tools;
    }

    private static @Nullable String toolChoice(RequestFields body, List<ChatTool> tools) {
        if (!(body.members().get("tool_choice") instanceof Map)) {
            String mode = body.text("tool_choice").orElse("auto");
            boolean isRequired = mode.equals("required") && !tools.isEmpty();
            body.refuse(
                    "tool_choice",
                    !isRequired && !FREE_CHOICES.contains(mode),
                    "send auto, none, required with tools, or a function.");
            return isRequired ? ChatOptions.ANY_TOOL : null;
        }
        RequestFields choice = body.object("tool_choice").orElseThrow();
        choice.refuse("type", !choice.required("type").equals("function"), "tools are functions of the client.");
        RequestFields function = choice.object("function").orElse(choice);
        String name = function.required("name");
        function.require(
                tools.stream().anyMatch(tool -> tool.name().equals(name)),
                ViolationCode.NOT_FOUND,
                "name",
                "must be the name of one of the tools.");
        return name;
    }

    private static Optional<Map<String, Object>> schema(RequestFields format) {
        return switch (format.required("type")) {
            case "text" -> Optional.empty();
            case "json_object" -> Optional.of(Map.of("type", "object"));
            case "json_schema" -> {
                RequestFields named = format.object("json_schema").orElse(format);
                Map<String, Object> schema =
                        tree(named.object("schema").orElseThrow(() -> named.wrongType("schema", "an object")));
                named.require(
                        "object".equals(schema.get("type")),
                        ViolationCode.INVALID_VALUE,
                        "schema",
                        "must be the schema of an object.");
                yield Optional.of(schema);
            }
            default -> throw format.notOneOf("type", FORMATS);
        };
    }

    /** A JSON Schema, whose nulls are nowhere at its top. */
    private static Map<String, Object> tree(RequestFields fields) {
        Map<String, Object> tree = new HashMap<>();
        fields.members().forEach((name, value) -> {
            if (value != null) {
                tree.put(name, value);
            }
        });
        return tree;
    }

    /** The turns of a request while they are read. */
    public static final class InputTurns {
        private final List<String> instructions = new ArrayList<>();
        private final List<InputTurn> turns = new ArrayList<>();
        private final Map<String, ModelToolCall> calls = new HashMap<>();

        /** Adds a message that is not of a tool. */
        void message(RequestFields message, String role, InputContent content) {
            boolean isUser = role.equals("user");
            message.refuse("content", !isUser && !content.files().isEmpty(), "only messages of users have files.");
            switch (role) {
                case "system", "developer" -> instruct(content.text());
                case "user" -> turns.add(new InputTurn(ChatTurn.user(content.text()), content.files()));
                case "assistant" -> turns.add(new InputTurn(ChatTurn.assistant(content.text()), List.of()));
                default -> throw message.notOneOf("role", List.of("system", "developer", "user", "assistant", "tool"));
            }
        }

        boolean isEmpty() {
            return turns.isEmpty();
        }

        void instruct(String text) {
            instructions.add(text);
        }

        /** Adds a call to the assistant's latest turn, or to a new one. */
        void call(String id, RequestFields function) {
            var call = new ModelToolCall(id, function.required("name"), function.required("arguments"));
            calls.put(id, call);
            ChatTurn last =
                    turns.isEmpty() ? ChatTurn.user("") : turns.getLast().turn();
            boolean isOpen = last.speaker() == ChatTurn.Speaker.ASSISTANT;
            ChatTurn open = isOpen ? turns.removeLast().turn() : ChatTurn.assistant("");
            List<ModelToolCall> all =
                    Stream.concat(open.calls().stream(), Stream.of(call)).toList();
            turns.add(new InputTurn(new ChatTurn(open.speaker(), open.text(), all, List.of(), Map.of()), List.of()));
        }

        /** Adds the result of a call. */
        void result(RequestFields result, String idName, InputContent content) {
            ModelToolCall call = calls.get(result.required(idName));
            result.require(call != null, ViolationCode.NOT_FOUND, idName, "must be the id of a preceding tool call.");
            result.require(content.files().isEmpty(), ViolationCode.NOT_ALLOWED, "content", "of a tool must be text.");
            turns.add(new InputTurn(ChatTurn.tool(Objects.requireNonNull(call), content.text()), List.of()));
        }
    }
}
