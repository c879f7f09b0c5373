package dev.parley.workflow.definition.core.check;

import dev.parley.workflow.definition.core.ReadTask;
import dev.parley.workflow.definition.core.TaskGraph;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.part.Connection;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.ExpressionScopes;
import dev.parley.workflow.definition.core.part.TaskBasics;
import dev.parley.workflow.expression.core.ExpressionScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the expressions of a definition, whatever else is wrong with their tasks. An expression is type-checked if the
 * inputs and outputs that it may refer to are valid; otherwise only its syntax is checked, since their violations would
 * cause others.
 */
final class ConditionValidator {
    private final ViolationCollector violations;
    private final List<ReadTask> tasks;
    private final Map<TaskId, ReadTask> tasksById = new HashMap<>();
    private final Map<TaskId, Set<TaskId>> predecessors = new HashMap<>();
    private final Map<TaskId, Set<String>> connected = new HashMap<>();

    ConditionValidator(List<ReadTask> tasks, ConnectionValidator connections, ViolationCollector violations) {
        this.violations = violations;
        this.tasks = tasks;
        for (ReadTask task : tasks) {
            if (task.id() != null) {
                tasksById.put(task.id(), task);
            }
        }
        for (TaskGraph.Edge edge : connections.edges()) {
            predecessors.computeIfAbsent(edge.to(), _ -> new HashSet<>()).add(edge.from());
        }
        for (Connection connection : connections.connections()) {
            connected.computeIfAbsent(connection.toTask(), _ -> new HashSet<>()).add(connection.input());
        }
    }

    void check() {
        for (ReadTask task : tasks) {
            String when = task.flow().when();
            if (when != null) {
                ExpressionScopes.check(
                        when, conditionScope(task), task.at().to(ControlFlowReader.WHEN.name()), violations);
            }
            ControlFlow.Repeat repeat = task.flow().repeat();
            if (repeat != null) {
                ExpressionScopes.check(
                        repeat.until(),
                        task.basics() == null ? null : ExpressionScopes.ofOutputs(task.basics()),
                        task.at().to(ControlFlowReader.REPEAT.name()).to(ControlFlowReader.UNTIL.name()),
                        violations);
            }
        }
    }

    /** Null if the task or a predecessor has violations in what a condition may refer to. */
    private @Nullable ExpressionScope conditionScope(ReadTask task) {
        TaskBasics basics = task.basics();
        if (basics == null) {
            return null;
        }
        List<TaskBasics> before = new ArrayList<>();
        for (TaskId predecessor : predecessors.getOrDefault(basics.id(), Set.of())) {
            ReadTask read = tasksById.get(predecessor);
            if (read == null || read.basics() == null) {
                return null;
            }
            before.add(read.basics());
        }
        return ExpressionScopes.ofCondition(basics, connected.getOrDefault(basics.id(), Set.of()), before);
    }
}
