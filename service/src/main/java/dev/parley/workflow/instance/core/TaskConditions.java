package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.ControlFlow.JoinRule;
import dev.parley.workflow.definition.core.part.ErrorPolicy;
import dev.parley.workflow.definition.core.part.ExpressionScopes;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.SystemValue;
import dev.parley.workflow.expression.core.CompiledExpression;
import dev.parley.workflow.expression.core.EvaluationResult;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskStatus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides whether a ready task runs or is skipped, and whether a task repeats. */
final class TaskConditions {
    private TaskConditions() {}

    /** Whether the task is skipped because predecessors were. All of them have ended. */
    static boolean isSkippedWithPredecessors(NextState next, int task) {
        if (next.tasks().counts().skipped() == 0) {
            return false;
        }
        int ran = 0;
        int all = next.plan().predecessorCount(task);
        for (int place = 0; place < all; place++) {
            if (!isSkipped(next, next.plan().predecessor(task, place))) {
                ran++;
            }
        }
        if (ran == all) {
            return false;
        }
        return next.plan().task(task).controlFlow().join() == JoinRule.ALL
                || ran == 0
                || needsSkippedOutput(next, task);
    }

    private static boolean needsSkippedOutput(NextState next, int task) {
        return next.plan().task(task).inputParameters().stream()
                .filter(InputParameter::required)
                .map(input -> next.plan().incoming(task, input.name()))
                .anyMatch(connection ->
                        connection != null && isSkipped(next, next.plan().number(connection.fromTask())));
    }

    private static boolean isSkipped(NextState next, int task) {
        return next.task(task).status() == TaskStatus.SKIPPED;
    }

    /** Whether the condition reads one of these inputs, which have no value yet. */
    static boolean reads(CompiledExpression condition, List<InputParameter> inputs) {
        Set<String> names = inputs.stream().map(InputParameter::name).collect(Collectors.toSet());
        return condition.references().stream()
                .anyMatch(path -> path.getFirst().equals(ExpressionScopes.INPUTS) && names.contains(path.get(1)));
    }

    /** Evaluates the condition of a task. */
    static EvaluationResult evaluate(NextState next, int task, CompiledExpression condition) {
        return condition.evaluate(
                path -> switch (path.getFirst()) {
                    case ExpressionScopes.INPUTS -> input(next, task, path.get(1));
                    case ExpressionScopes.TASKS -> {
                        TaskId predecessor = new TaskId(path.get(1));
                        yield next.task(next.plan().number(predecessor))
                                .outputs()
                                .get(path.get(2));
                    }
                    default ->
                        path.getLast().equals(SystemValue.FILE_URLS.text())
                                ? next.trigger().fileUrls()
                                : next.trigger().humanMessage();
                },
                next.evaluationCost());
    }

    private static @Nullable Object input(NextState next, int task, String name) {
        return next.plan().task(task).inputParameters().stream()
                .filter(input -> input.name().equals(name))
                .findFirst()
                .map(input -> InputResolver.coercedOrNull(next, task, input))
                .orElse(null);
    }

    /** The error of a task whose condition has no value. */
    static TaskError error(Task task, CompiledExpression condition, EvaluationResult.EvaluationError error) {
        String detail = "The condition '" + condition + "' has no value: " + error.detail();
        boolean retries = task.errorPolicy() == ErrorPolicy.RETRY;
        return new TaskError(
                "Condition error",
                retries ? detail + " RETRY does not apply: the values would be the same." : detail,
                false);
    }

    /** Evaluates the condition that ends the repetition of a task. */
    static EvaluationResult evaluateEnd(NextState next, CompiledExpression end, Map<String, @Nullable Object> outputs) {
        return end.evaluate(path -> outputs.get(path.getLast()), next.evaluationCost());
    }
}
