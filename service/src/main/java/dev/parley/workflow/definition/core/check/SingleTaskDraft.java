package dev.parley.workflow.definition.core.check;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.part.ExpressionScopes;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.SystemValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The document of a test run of one task: the draft with this task alone. Values that other tasks or people would
 * supply become inputs of the trigger; fixed values, system values and data lakes are used unless the trigger overrides
 * them.
 *
 * @param document the document to run
 * @param index the position of the task in the draft
 */
public record SingleTaskDraft(Map<String, @Nullable Object> document, int index) {
    private static final Set<String> LAKE_FIELDS = Set.of("data_source", "data_lake_id", "filter", "columns", "limit");

    /** The task has no predecessors in its draft. */
    private static final Set<String> PREDECESSOR_FIELDS = Set.of("when", "join");

    /**
     * @param task the task's id
     * @param given the names of the inputs that the trigger supplies
     * @return empty if the draft has no such task
     */
    public static Optional<SingleTaskDraft> of(Map<String, @Nullable Object> draft, String task, Set<String> given) {
        List<?> tasks = draft.get("tasks") instanceof List<?> list ? list : List.of();
        for (int i = 0; i < tasks.size(); i++) {
            if (tasks.get(i) instanceof Map<?, ?> fields && task.equals(fields.get("id"))) {
                Map<String, @Nullable Object> document = new LinkedHashMap<>(draft);
                document.put("tasks", List.of(alone(fields, connectedInputs(draft, task), given)));
                document.remove("connections");
                document.remove("dependencies");
                return Optional.of(new SingleTaskDraft(document, i));
            }
        }
        return Optional.empty();
    }

    /** The violations with the paths that they have in the draft. */
    public List<Violation> inDraft(List<Violation> violations) {
        String own = "/tasks/0";
        return violations.stream()
                .map(one -> one.path().equals(own) || one.path().startsWith(own + '/')
                        ? one.at("/tasks/" + index + one.path().substring(own.length()))
                        : one)
                .toList();
    }

    private static Set<String> connectedInputs(Map<String, @Nullable Object> draft, String task) {
        List<?> connections = draft.get("connections") instanceof List<?> list ? list : List.of();
        return Set.copyOf(connections.stream()
                .map(connection -> connection instanceof Map<?, ?> ends ? ends.get("to") : null)
                .filter(to -> to instanceof Map<?, ?> end && task.equals(end.get("task")))
                .map(to -> to instanceof Map<?, ?> end && end.get("input") instanceof String input ? input : "")
                .toList());
    }

    private static Map<Object, @Nullable Object> alone(Map<?, ?> task, Set<String> connected, Set<String> given) {
        Map<Object, @Nullable Object> alone = new LinkedHashMap<>(task);
        alone.keySet().removeAll(PREDECESSOR_FIELDS);
        if (task.get("input_parameters") instanceof List<?> inputs) {
            List<@Nullable Object> changed = new ArrayList<>();
            for (Object input : inputs) {
                changed.add(input instanceof Map<?, ?> fields ? input(fields, connected, given) : input);
            }
            alone.put("input_parameters", changed);
        }
        return alone;
    }

    private static Map<?, ?> input(Map<?, ?> input, Set<String> connected, Set<String> given) {
        String name = input.get("name") instanceof String text ? text : "";
        if (!given.contains(name) && (hasOwnValue(input, name) && !connected.contains(name))) {
            return input;
        }
        Map<Object, @Nullable Object> supplied = new LinkedHashMap<>(input);
        supplied.keySet().removeAll(LAKE_FIELDS);
        supplied.remove("value");
        supplied.put("source", InputSource.HUMAN_INPUT.text());
        return supplied;
    }

    /** Whether the input has a value without another task and without a person. */
    private static boolean hasOwnValue(Map<?, ?> input, String name) {
        return "DATA_LAKE".equals(input.get("data_source"))
                || InputSource.TASK_CONFIG.text().equals(input.get("source"))
                || (InputSource.SYSTEM_GENERATED.text().equals(input.get("source"))
                        && (SystemValue.named(name).isPresent() || name.startsWith(ExpressionScopes.PREVIOUS)));
    }
}
