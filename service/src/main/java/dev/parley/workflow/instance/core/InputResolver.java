package dev.parley.workflow.instance.core;

import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.Connection;
import dev.parley.workflow.definition.core.part.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.SystemValue;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.instance.core.event.TaskInputs;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.HumanValues;
import dev.parley.workflow.instance.core.plan.ImmutableMaps;
import dev.parley.workflow.instance.core.plan.InputCoercion;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.plan.WorkItem;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.ItemStates;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskState;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resolves the inputs of tasks and validates the inputs of a trigger. */
public final class InputResolver {
    private static final DateTimeFormatter RFC_3339 = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private InputResolver() {}

    /**
     * Checks a trigger's {@code inputs} before an instance is created: each name must be a {@code human_input}
     * parameter of the workflow, and each value must be valid for it. A missing value is not a violation, because the
     * instance asks for it.
     *
     * @return violations under {@code /inputs}; empty if the inputs are valid
     */
    public static List<Violation> check(ExecutionPlan plan, Map<String, @Nullable Object> inputs) {
        return check(plan, inputs, JsonPointer.ROOT.to("inputs"));
    }

    static List<Violation> check(ExecutionPlan plan, Map<String, @Nullable Object> inputs, JsonPointer at) {
        List<Violation> violations = new ArrayList<>();
        var coercion = new InputCoercion();
        inputs.forEach((name, value) -> {
            List<InputParameter> parameters = plan.humanInputs().get(name);
            if (parameters == null) {
                violations.add(new Violation(
                        Violation.UNKNOWN_FIELD,
                        ViolationCode.UNKNOWN_FIELD,
                        at.to(name).toString(),
                        "The workflow has no input of this name."));
                return;
            }
            for (InputParameter parameter : parameters) {
                int before = violations.size();
                var _ = coercion.coerce(parameter, value, false, at.to(name), violations);
                if (violations.size() > before) {
                    return;
                }
            }
        });
        return violations;
    }

    /** The values of the instance's {@code human_input} parameters by name; those without a value are left out. */
    public static Map<String, @Nullable Object> humanValues(InstanceState state) {
        var people = new HumanValues(state.plan(), state.trigger(), state.answers());
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (String name : state.plan().humanInputs().keySet()) {
            Object value = people.get(name);
            if (value != null) {
                values.put(name, value);
            }
        }
        return values;
    }

    /** The result of resolving a task's inputs. */
    sealed interface Resolution {}

    /** All inputs have values. */
    record Ready(TaskInputs inputs) implements Resolution {}

    /** People have to provide these inputs. */
    record Missing(List<InputParameter> inputs) implements Resolution {}

    /** A value from another source is missing or invalid, and no further run can change that. */
    record Unresolvable(TaskError error) implements Resolution {}

    /** Resolves the inputs of a task or item whose predecessors have all ended. */
    static Resolution resolve(NextState next, WorkItem item) {
        int task = item.task();
        HumanValues people = next.humanValues();
        List<InputParameter> missing = people.missing(task);
        if (!missing.isEmpty()) {
            return new Missing(missing);
        }
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        Map<String, TaskInputs.Fetch> toFetch = new LinkedHashMap<>();
        List<Violation> violations = new ArrayList<>();
        for (InputParameter input : next.plan().task(task).inputParameters()) {
            TaskInputs.Fetch fetch = isItem(next, item, input) ? null : fetch(next, task, input);
            if (fetch != null) {
                toFetch.put(input.name(), fetch);
            } else {
                values.put(input.name(), value(next, item, input, people, violations));
            }
        }
        if (!violations.isEmpty()) {
            Violation first = violations.getFirst();
            String input = first.field();
            return new Unresolvable(new TaskError(first.kind(), "Input '" + input + "': " + first.detail(), false));
        }
        return new Ready(new TaskInputs(values, toFetch));
    }

    /** Whether the input gets one item of an array. */
    private static boolean isItem(NextState next, WorkItem item, InputParameter input) {
        ForEach forEach = next.plan().task(item.task()).controlFlow().forEach();
        return !item.isTask() && forEach != null && forEach.input().equals(input.name());
    }

    private static @Nullable Object value(
            NextState next, WorkItem item, InputParameter input, HumanValues people, List<Violation> violations) {
        JsonPointer at = JsonPointer.ROOT.to(input.name());
        ItemStates items = next.items(item.task());
        if (items != null && isItem(next, item, input)) {
            Object value = items.values().get(item.index());
            return value == null ? ValueRules.input(input, null, at, violations) : value;
        }
        String previous = next.plan().previousOutput(item.task(), input);
        if (previous != null) {
            TaskState state = next.state(item);
            Object value = state.iteration() == 0 ? null : state.outputs().get(previous);
            return value == null
                    ? null
                    : ValueRules.coerce(input.type(), input.items(), input.properties(), value, at, violations);
        }
        Object value = value(next, item.task(), input, people);
        return next.coercion().coerce(input, value, comesFromItems(next.plan(), item.task(), input), at, violations);
    }

    /** Whether the input is connected to a task that runs for each item; an item without outputs gives null. */
    private static boolean comesFromItems(ExecutionPlan plan, int task, InputParameter input) {
        Connection connection = plan.incoming(task, input.name());
        return connection != null
                && plan.task(plan.number(connection.fromTask())).controlFlow().forEach() != null;
    }

    /**
     * The value of an input for its task's condition; null if there is none yet, or none that is valid.
     *
     * @throws IllegalArgumentException if its coercion would take too much
     */
    static @Nullable Object coercedOrNull(NextState next, int task, InputParameter input) {
        List<Violation> violations = new ArrayList<>();
        Object value = value(next, WorkItem.ofTask(task), input, next.humanValues(), violations);
        if (violations.stream().anyMatch(violation -> violation.detail().equals(InputCoercion.TOO_MANY_VALUES))) {
            throw new IllegalArgumentException(InputCoercion.TOO_MANY_VALUES);
        }
        return violations.isEmpty() ? value : null;
    }

    /**
     * The inputs of a task for display; inputs without a value yet are absent.
     *
     * @param values by name, each as the task gets it
     * @param unkept names of inputs that each run reads anew, whose values are not kept
     */
    public record ResolvedInputs(Map<String, @Nullable Object> values, List<String> unkept) {
        public ResolvedInputs {
            values = ImmutableMaps.copy(values);
            unkept = List.copyOf(unkept);
        }
    }

    /** @throws IllegalArgumentException when the plan has no such task */
    public static ResolvedInputs known(InstanceState state, TaskId id) {
        var next = new NextState(state, state.updatedAt());
        int task = next.plan().number(id);
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        List<String> unkept = new ArrayList<>();
        for (InputParameter input : next.plan().task(task).inputParameters()) {
            boolean isClock = SystemValue.named(input.name()).orElse(null) == SystemValue.CURRENT_TIME;
            if (fetch(next, task, input) != null || (isClock && isSystem(next.plan(), task, input))) {
                unkept.add(input.name());
            } else {
                List<Violation> violations = new ArrayList<>();
                Object value = value(next, WorkItem.ofTask(task), input, next.humanValues(), violations);
                values.put(input.name(), violations.isEmpty() ? value : value(next, task, input, next.humanValues()));
            }
        }
        return new ResolvedInputs(values, unkept);
    }

    /**
     * The trigger's files that reach a task without an input for them: if no input of the workflow is
     * {@code file_urls}, every task without a predecessor gets them.
     */
    public static List<String> unheldFiles(InstanceState state, TaskId task) {
        ExecutionPlan plan = state.plan();
        return plan.holdsFiles() || plan.predecessorCount(plan.number(task)) > 0
                ? List.of()
                : state.trigger().fileUrls();
    }

    /** Null for a value that the core can compute itself. */
    private static TaskInputs.@Nullable Fetch fetch(NextState next, int task, InputParameter input) {
        if (input.dataSource().kind() == DataSource.DataSourceKind.DATA_LAKE) {
            return TaskInputs.Fetch.DATA_LAKE_ROWS;
        }
        if (!isSystem(next.plan(), task, input)) {
            return null;
        }
        SystemValue named = SystemValue.named(input.name()).orElse(null);
        if (named == null
                && next.trigger().conversationId() != null
                && next.plan().previousOutput(task, input) == null) {
            return TaskInputs.Fetch.EARLIER_OUTPUT;
        }
        return named == SystemValue.CONVERSATION_HISTORY ? TaskInputs.Fetch.CONVERSATION_HISTORY : null;
    }

    private static boolean isSystem(ExecutionPlan plan, int task, InputParameter input) {
        return switch (input.source()) {
            case SYSTEM_GENERATED -> plan.incoming(task, input.name()) == null;
            case TASK_CONFIG, HUMAN_INPUT -> false;
        };
    }

    private static @Nullable Object value(NextState next, int task, InputParameter input, HumanValues people) {
        Connection connection = next.plan().incoming(task, input.name());
        if (connection != null) {
            int from = next.plan().number(connection.fromTask());
            return next.task(from).outputs().get(connection.output());
        }
        return switch (input.source()) {
            case TASK_CONFIG -> input.value();
            case HUMAN_INPUT -> people.get(input.name());
            case SYSTEM_GENERATED ->
                SystemValue.named(input.name())
                        .map(value -> systemValue(value, next.trigger(), next.now()))
                        .orElse(null);
        };
    }

    private static @Nullable Object systemValue(SystemValue value, TriggerData trigger, Instant now) {
        return switch (value) {
            case HUMAN_MSG -> trigger.humanMessage();
            case FILE_URLS -> trigger.fileUrls();
            case CONVERSATION_ID -> trigger.conversationId();
            case CONVERSATION_HISTORY -> null;
            case WORKFLOW_INSTANCE_ID -> trigger.instanceId();
            case ORGANIZATION_ID -> trigger.organizationId();
            case CURRENT_TIME -> RFC_3339.format(now);
        };
    }
}
