package dev.parley.workflow.definition.core;

import dev.parley.workflow.expression.core.ExpressionCompiler;
import dev.parley.workflow.expression.core.ExpressionIssue;
import dev.parley.workflow.expression.core.ExpressionScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Type-checks the expressions of a definition. An expression is checked once its task and the task's predecessors are
 * valid, since their violations would cause others.
 */
final class ConditionValidator {
    private final ViolationCollector violations;
    private final Map<TaskId, ReadTask> tasks = new HashMap<>();
    private final Map<TaskId, Set<TaskId>> predecessors = new HashMap<>();
    private final Map<TaskId, Set<String>> connected = new HashMap<>();

    ConditionValidator(List<ReadTask> tasks, ConnectionValidator connections, ViolationCollector violations) {
        this.violations = violations;
        for (ReadTask task : tasks) {
            if (task.id() != null) {
                this.tasks.put(task.id(), task);
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
        tasks.values().forEach(this::check);
    }

    private void check(ReadTask read) {
        Task task = read.task();
        if (task == null) {
            return;
        }
        ControlFlow flow = task.controlFlow();
        if (flow.when() != null) {
            checkCondition(read.at(), task, flow.when());
        }
        if (task instanceof AiTask agent) {
            checkApprovals(read.at().to(AiTask.TOOLS.name()), agent);
        }
        if (flow.repeat() != null) {
            check(
                    flow.repeat().until(),
                    ExpressionScopes.ofOutputs(task),
                    read.at().to(ControlFlowReader.REPEAT.name()).to(ControlFlowReader.UNTIL.name()));
        }
    }

    private void checkApprovals(JsonPointer at, AiTask task) {
        for (int i = 0; i < task.tools().size(); i++) {
            String when = task.tools().get(i).when();
            if (when != null) {
                check(when, ExpressionScopes.ofArguments(), at.to(i).to(AgentTool.WHEN.name()));
            }
        }
    }

    private void checkCondition(JsonPointer at, Task task, String when) {
        List<Task> before = new ArrayList<>();
        for (TaskId predecessor : predecessors.getOrDefault(task.id(), Set.of())) {
            ReadTask read = tasks.get(predecessor);
            if (read == null || read.task() == null) {
                return;
            }
            before.add(read.task());
        }
        Set<String> inputs = connected.getOrDefault(task.id(), Set.of());
        check(when, ExpressionScopes.ofCondition(task, inputs, before), at.to(ControlFlowReader.WHEN.name()));
    }

    private void check(String expression, ExpressionScope scope, JsonPointer at) {
        for (ExpressionIssue issue :
                ExpressionCompiler.compile(expression, scope).issues()) {
            String line = issue.line() == 1 ? "" : "line " + issue.line() + ", ";
            violations.invalid(at, "At " + line + "column " + issue.column() + ": " + issue.message() + ".");
        }
    }
}
