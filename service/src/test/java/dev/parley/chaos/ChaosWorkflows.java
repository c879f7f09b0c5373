package dev.parley.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The documents of the workflows that run under faults. */
final class ChaosWorkflows {
    /** The workflow, and its task, that wait for an event. */
    static final String EVENT = "event";

    /** Ten tasks, one after the other. */
    static final String CHAIN = "chain";

    private static final int HTTP_REQUEST = 1;

    /** The fifth call of {@link AgentChaos} needs a person's approval. */
    private static final Map<String, Object> APPROVED_TOOL =
            Map.of("id", HTTP_REQUEST, "approval", "when", "when", "arguments.url.endsWith('/4')");

    private static final Map<String, Object> ANSWER =
            Map.of("name", "answer", "type", "STRING", "description", "The answer");

    /** The first task of a chain that {@link LoadGenerator} runs again. */
    static final String FORKED = "step5";

    private ChaosWorkflows() {}

    /** Every AI task gets the message, whose {@code offline:wait} makes it take a while. */
    static Map<String, Map<String, Object>> documents(String user) {
        List<?> chain =
                IntStream.rangeClosed(1, 10).mapToObj(n -> ai("step" + n)).toList();
        List<?> order = IntStream.range(1, 10)
                .mapToObj(n -> after("step" + n, "step" + (n + 1)))
                .toList();
        Map<String, Map<String, Object>> documents = new TreeMap<>(controlFlow(user));
        documents.putAll(Map.of(
                "one",
                document(user, List.of(ai("only")), List.of()),
                "agent",
                document(user, List.of(with(ai("agent"), Map.of("tools", List.of(APPROVED_TOOL)))), List.of()),
                CHAIN,
                document(user, chain, order),
                "parallel",
                document(
                        user,
                        List.of(ai("split"), ai("left"), ai("middle"), ai("right"), ai("join")),
                        List.of(
                                after("split", "left"),
                                after("split", "middle"),
                                after("split", "right"),
                                after("left", "join"),
                                after("middle", "join"),
                                after("right", "join"))),
                "person",
                document(
                        user,
                        List.of(ai("prepare"), human("approve"), ai("finish")),
                        List.of(after("prepare", "approve"), after("approve", "finish"))),
                "beside",
                document(
                        user,
                        List.of(ai("begin"), human("check"), ai("work"), ai("end")),
                        List.of(
                                after("begin", "check"),
                                after("begin", "work"),
                                after("check", "end"),
                                after("work", "end")))));
        return documents;
    }

    /** Conditions, items, iterations, waits and events. */
    private static Map<String, Map<String, Object>> controlFlow(String user) {
        return Map.of(
                "branch",
                document(
                        user,
                        List.of(
                                human("approve"),
                                with(ai("yes"), Map.of("when", "tasks.approve.approved")),
                                with(ai("no"), Map.of("when", "!tasks.approve.approved")),
                                with(ai("end"), Map.of("join", "any"))),
                        List.of(
                                after("approve", "yes"),
                                after("approve", "no"),
                                after("yes", "end"),
                                after("no", "end"))),
                "items",
                document(
                        user,
                        List.of(with(
                                ai("each"),
                                Map.of(
                                        "for_each", Map.of("input", "items", "max_parallel", 4),
                                        "input_parameters", List.of(message(), items(12))))),
                        List.of()),
                "revise",
                document(
                        user,
                        List.of(
                                with(human("revise"), Map.of("repeat", Map.of("until", "outputs.approved", "max", 50))),
                                ai("end")),
                        List.of(after("revise", "end"))),
                "timer",
                document(
                        user,
                        List.of(
                                tool("wait", "builtin", "time.wait", 3, List.of(fixed("seconds", "FLOAT", 1.5))),
                                ai("end")),
                        List.of(after("wait", "end"))),
                EVENT,
                document(
                        user,
                        List.of(
                                tool(
                                        EVENT,
                                        "builtin",
                                        "event.wait",
                                        4,
                                        List.of(fixed("expires_in_seconds", "INTEGER", 20))),
                                ai("end")),
                        List.of(after(EVENT, "end"))),
                "child",
                document(
                        user,
                        List.of(
                                with(
                                        ai("work"),
                                        Map.of("input_parameters", List.of(input("text", "STRING", "human_input")))),
                                human("approve")),
                        List.of(after("work", "approve"))));
    }

    /** Workflows that run the workflow {@code child}. */
    static Map<String, Map<String, Object>> callers(String user, String child, int toolId) {
        Map<String, Object> items = new HashMap<>(items(6));
        items.put("name", "text");
        return Map.of(
                "parent",
                document(
                        user,
                        List.of(
                                tool("call", "workflow", child, toolId, List.of(fixed("text", "STRING", "Hello"))),
                                ai("end")),
                        List.of(after("call", "end"))),
                "parents",
                document(
                        user,
                        List.of(with(
                                tool("call", "workflow", child, toolId, List.of(items)),
                                Map.of("for_each", Map.of("input", "text", "max_parallel", 3)))),
                        List.of()));
    }

    private static Map<String, Object> with(Map<String, Object> task, Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(task);
        all.putAll(more);
        return all;
    }

    private static Map<String, Object> tool(String id, String provider, String tool, int toolId, List<?> inputs) {
        return Map.of(
                "id", id,
                "kind", "App",
                "name", id,
                "instructions", "Do " + id + ".",
                "provider", provider,
                "tool_name", tool,
                "tool_id", toolId,
                "input_parameters", inputs,
                "expected_output", List.of(ANSWER));
    }

    private static Map<String, Object> input(String name, String type, String source) {
        return Map.of("name", name, "type", type, "description", name, "source", source, "required", true);
    }

    private static Map<String, Object> fixed(String name, String type, Object value) {
        return with(input(name, type, "task_config"), Map.of("value", value));
    }

    private static Map<String, Object> items(int count) {
        List<String> values = IntStream.range(0, count)
                .mapToObj(n -> "offline:wait " + n * 10)
                .toList();
        return with(fixed("items", "ARRAY", values), Map.of("items", Map.of("type", "STRING")));
    }

    private static Map<String, Object> message() {
        return input("human_msg", "STRING", "system_generated");
    }

    private static Map<String, Object> document(String user, List<?> tasks, List<?> dependencies) {
        List<Object> rules = new ArrayList<>();
        for (String type : List.of("Human Feedback", "Exception")) {
            rules.add(Map.of("rule_type", type, "assignment_type", "User", "assignee_id", user));
        }
        return Map.of(
                "name", "Chaos",
                "description", "",
                "assignment_rules", rules,
                "tasks", tasks,
                "dependencies", dependencies);
    }

    private static Map<String, Object> ai(String id) {
        return Map.of(
                "id",
                id,
                "kind",
                "AI",
                "name",
                id,
                "instructions",
                "Do " + id + ".",
                "input_parameters",
                List.of(message()),
                "expected_output",
                List.of(ANSWER));
    }

    private static Map<String, Object> human(String id) {
        var output = Map.of("name", "approved", "type", "BOOLEAN", "description", "Whether it may go on");
        return Map.of(
                "id",
                id,
                "kind",
                "Human",
                "name",
                id,
                "instructions",
                "Do " + id + ".",
                "expected_output",
                List.of(output));
    }

    private static Object after(String from, String to) {
        return Map.of("from", from, "to", to);
    }
}
