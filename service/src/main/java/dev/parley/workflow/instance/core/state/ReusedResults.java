package dev.parley.workflow.instance.core.state;

import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Selects the results that a rerun takes over from an earlier instance. */
public final class ReusedResults {
    private ReusedResults() {}

    /**
     * The result of every task that completed or was skipped in the origin, precedes or is independent of {@code from}, and has the
     * same kind and outputs in the plan of the rerun. A task also runs again if one of its predecessors does.
     */
    public static Map<TaskId, ReusedResult> of(InstanceState origin, ExecutionPlan plan, TaskId from) {
        Map<TaskId, ReusedResult> reused = new LinkedHashMap<>();
        int[] unmet = new int[plan.size()];
        var ready = new ArrayDeque<Integer>();
        for (int task = 0; task < plan.size(); task++) {
            unmet[task] = plan.predecessorCount(task);
            if (unmet[task] == 0) {
                ready.add(task);
            }
        }
        for (Integer next = ready.poll(); next != null; next = ready.poll()) {
            Task task = plan.task(next);
            if (task.id().equals(from) || !hasResult(origin, task)) {
                continue;
            }
            TaskState state = origin.task(task.id());
            String earlier = state.reusedFrom();
            String instance = earlier == null ? origin.trigger().instanceId() : earlier;
            reused.put(task.id(), new ReusedResult(state.outputs(), state.skipped(), instance));
            for (int place = 0; place < plan.successorCount(next); place++) {
                int successor = plan.successor(next, place);
                if (--unmet[successor] == 0) {
                    ready.add(successor);
                }
            }
        }
        return reused;
    }

    private static boolean hasResult(InstanceState origin, Task task) {
        Task before = origin.plan().task(task.id());
        return before != null
                && hasEnded(origin.task(task.id()))
                && before.kind() == task.kind()
                && (before.controlFlow().forEach() == null)
                        == (task.controlFlow().forEach() == null)
                && outputTypes(before).equals(outputTypes(task));
    }

    private static boolean hasEnded(TaskState state) {
        return state.status() == TaskStatus.COMPLETED
                || (state.status() == TaskStatus.SKIPPED && state.skipped() != SkipReason.INSTANCE_ENDED);
    }

    private static Map<String, OutputType> outputTypes(Task task) {
        return task.expectedOutput().stream().collect(Collectors.toMap(OutputParameter::name, OutputParameter::type));
    }
}
