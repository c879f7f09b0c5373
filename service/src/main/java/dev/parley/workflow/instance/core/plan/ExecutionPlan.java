package dev.parley.workflow.instance.core.plan;

import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.AssignmentRule;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.part.Connection;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.Dependency;
import dev.parley.workflow.definition.core.part.ExpressionScopes;
import dev.parley.workflow.definition.core.part.TaskBasics;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.SystemValue;
import dev.parley.workflow.expression.core.CompiledExpression;
import dev.parley.workflow.expression.core.ExpressionCompiler;
import dev.parley.workflow.expression.core.ExpressionScope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A definition compiled for execution: tasks by number, the predecessors and successors of each, and the source of each
 * input. Compiled once per workflow version, shared by all its instances, and never stored.
 */
public final class ExecutionPlan {
    private final WorkflowDefinition definition;
    private final Map<TaskId, Integer> numbers = new HashMap<>();
    private final List<Map<String, Connection>> incoming = new ArrayList<>();
    private final Map<String, List<InputParameter>> humanInputs = new LinkedHashMap<>();
    private boolean holdsFiles;
    private final int[][] successors;
    private final int[][] predecessors;
    private final @Nullable CompiledExpression[] conditions;
    private final @Nullable CompiledExpression[] ends;

    private ExecutionPlan(WorkflowDefinition definition) {
        this.definition = definition;
        for (Task task : definition.tasks()) {
            if (numbers.put(task.id(), numbers.size()) != null) {
                throw new IllegalArgumentException("Two tasks are called '" + task.id() + "'.");
            }
            incoming.add(new HashMap<>());
        }
        List<Set<Integer>> after = new ArrayList<>();
        List<Set<Integer>> ahead = new ArrayList<>();
        definition.tasks().forEach(_ -> {
            after.add(new LinkedHashSet<>());
            ahead.add(new LinkedHashSet<>());
        });
        for (Connection connection : definition.connections()) {
            order(after, ahead, connection.fromTask(), connection.toTask());
            incoming.get(number(connection.toTask())).put(connection.input(), connection);
        }
        for (Dependency dependency : definition.dependencies()) {
            order(after, ahead, dependency.from(), dependency.to());
        }
        successors = numbers(after);
        predecessors = numbers(ahead);
        conditions = new CompiledExpression[size()];
        ends = new CompiledExpression[size()];
        for (int task = 0; task < size(); task++) {
            conditions[task] = compiledCondition(task);
            ends[task] = compiledEnd(task);
        }
        readInputs();
    }

    private void order(List<Set<Integer>> after, List<Set<Integer>> ahead, TaskId from, TaskId to) {
        after.get(number(from)).add(number(to));
        ahead.get(number(to)).add(number(from));
    }

    private static int[][] numbers(List<Set<Integer>> sets) {
        return sets.stream()
                .map(set -> set.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    private @Nullable CompiledExpression compiledCondition(int task) {
        String when = task(task).controlFlow().when();
        List<TaskBasics> before = Arrays.stream(predecessors[task])
                .mapToObj(this::task)
                .map(Task::basics)
                .toList();
        return when == null
                ? null
                : compiled(
                        when,
                        ExpressionScopes.ofCondition(
                                task(task).basics(), incoming.get(task).keySet(), before));
    }

    private @Nullable CompiledExpression compiledEnd(int task) {
        ControlFlow.Repeat repeat = task(task).controlFlow().repeat();
        return repeat == null
                ? null
                : compiled(repeat.until(), ExpressionScopes.ofOutputs(task(task).basics()));
    }

    private static CompiledExpression compiled(String text, ExpressionScope scope) {
        CompiledExpression expression = ExpressionCompiler.compile(text, scope).expression();
        if (expression == null) {
            throw new IllegalArgumentException("The expression '" + text + "' is invalid.");
        }
        return expression;
    }

    /**
     * Compiles a definition that passed validation.
     *
     * @throws IllegalArgumentException for duplicate or unknown task ids, a cycle, or an invalid expression
     */
    public static ExecutionPlan of(WorkflowDefinition definition) {
        ExecutionPlan plan = new ExecutionPlan(definition);
        plan.refuseCycles();
        return plan;
    }

    public WorkflowDefinition definition() {
        return definition;
    }

    /** The tasks in document order. A task's number is its index in this list. */
    public List<Task> tasks() {
        return definition.tasks();
    }

    public int size() {
        return definition.tasks().size();
    }

    public Task task(int number) {
        return definition.tasks().get(number);
    }

    /** The task with this id; null if there is none. */
    public @Nullable Task task(TaskId id) {
        Integer number = numbers.get(id);
        return number == null ? null : task(number);
    }

    /**
     * The number of a task.
     *
     * @throws IllegalArgumentException if there is no such task; ask {@link #has} first
     */
    public int number(TaskId id) {
        Integer number = numbers.get(id);
        if (number == null) {
            throw new IllegalArgumentException("There is no task '" + id + "'.");
        }
        return number;
    }

    public boolean has(TaskId id) {
        return numbers.containsKey(id);
    }

    /** The number of distinct direct predecessors of a task. */
    public int predecessorCount(int task) {
        return predecessors[task].length;
    }

    public int predecessor(int task, int place) {
        return predecessors[task][place];
    }

    /** The condition of a task; null if it has none. */
    public @Nullable CompiledExpression condition(int task) {
        return conditions[task];
    }

    /** The condition that ends the repetition of a task; null if it does not repeat. */
    public @Nullable CompiledExpression end(int task) {
        return ends[task];
    }

    public int successorCount(int task) {
        return successors[task].length;
    }

    public int successor(int task, int place) {
        return successors[task][place];
    }

    /** The connection that feeds an input; null if none does. */
    public @Nullable Connection incoming(int task, String input) {
        return incoming.get(task).get(input);
    }

    /**
     * The {@code human_input} parameters by name, in document order. Tasks that use the same name share one value,
     * which must be valid for all of them.
     */
    public Map<String, List<InputParameter>> humanInputs() {
        return Collections.unmodifiableMap(humanInputs);
    }

    /** Whether people give the value of an input, because no connection or data lake supplies it. */
    boolean asksPeople(int task, InputParameter input) {
        return input.asksPeople() && incoming(task, input.name()) == null;
    }

    /** The output of the task's previous iteration that an input gets; null if it gets another value. */
    public @Nullable String previousOutput(int task, InputParameter input) {
        boolean isPrevious = task(task).controlFlow().repeat() != null
                && input.source() == InputSource.SYSTEM_GENERATED
                && input.name().startsWith(ExpressionScopes.PREVIOUS)
                && incoming(task, input.name()) == null;
        return isPrevious ? input.name().substring(ExpressionScopes.PREVIOUS.length()) : null;
    }

    /** Whether some task has the system value {@code file_urls} as an input. */
    public boolean holdsFiles() {
        return holdsFiles;
    }

    private boolean isFiles(int task, InputParameter input) {
        return input.source() == InputSource.SYSTEM_GENERATED
                && SystemValue.named(input.name()).orElse(null) == SystemValue.FILE_URLS
                && input.dataSource().kind() == DataSource.DataSourceKind.MEMORY
                && incoming(task, input.name()) == null;
    }

    /** Whether exceptions of this workflow open a ticket. */
    public boolean hasExceptionRule() {
        return definition.assignmentRules().stream().anyMatch(rule -> rule.ruleType() == RuleType.EXCEPTION);
    }

    /**
     * The rules for a kind of ticket, or all rules when none is for that kind, so that every ticket has an assignee.
     */
    public List<AssignmentRule> rules(RuleType type) {
        List<AssignmentRule> rules = definition.assignmentRules().stream()
                .filter(rule -> rule.ruleType() == type)
                .toList();
        return rules.isEmpty() ? definition.assignmentRules() : rules;
    }

    private void readInputs() {
        for (int task = 0; task < size(); task++) {
            for (InputParameter input : task(task).inputParameters()) {
                holdsFiles |= isFiles(task, input);
                if (asksPeople(task, input)) {
                    humanInputs
                            .computeIfAbsent(input.name(), _ -> new ArrayList<>())
                            .add(input);
                }
            }
        }
        humanInputs.replaceAll((_, inputs) -> List.copyOf(inputs));
    }

    private void refuseCycles() {
        int[] unmet = Arrays.stream(predecessors).mapToInt(each -> each.length).toArray();
        ArrayDeque<Integer> ready = new ArrayDeque<>();
        for (int task = 0; task < unmet.length; task++) {
            if (unmet[task] == 0) {
                ready.add(task);
            }
        }
        int ordered = 0;
        while (!ready.isEmpty()) {
            ordered++;
            for (int successor : successors[ready.remove()]) {
                if (--unmet[successor] == 0) {
                    ready.add(successor);
                }
            }
        }
        if (ordered < unmet.length) {
            throw new IllegalArgumentException("The tasks of '" + definition.name() + "' form a cycle.");
        }
    }
}
