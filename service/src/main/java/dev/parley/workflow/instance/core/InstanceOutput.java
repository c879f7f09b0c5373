package dev.parley.workflow.instance.core;

import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.instance.core.state.TaskStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The output of a completed instance: the outputs of the tasks without a successor, by output name. If two of them use
 * one name, the later one in the document gets the key {@code task.output}, which is unambiguous because a task id
 * contains no dot. Outputs of skipped tasks are null, unless another of these tasks has the name.
 */
final class InstanceOutput {
    private InstanceOutput() {}

    static Map<String, @Nullable Object> of(NextState next) {
        Map<String, @Nullable Object> output = new LinkedHashMap<>();
        for (int number = 0; number < next.plan().size(); number++) {
            if (isLast(next, number) && next.task(number).status() != TaskStatus.SKIPPED) {
                Task task = next.plan().task(number);
                Map<String, @Nullable Object> values = next.task(number).outputs();
                for (OutputParameter parameter : task.expectedOutput()) {
                    String name = parameter.name();
                    output.put(output.containsKey(name) ? task.id() + "." + name : name, values.get(name));
                }
            }
        }
        for (int number = 0; number < next.plan().size(); number++) {
            if (isLast(next, number) && next.task(number).status() == TaskStatus.SKIPPED) {
                nulls(next.plan().task(number)).forEach(output::putIfAbsent);
            }
        }
        return output;
    }

    private static boolean isLast(NextState next, int number) {
        return next.plan().successorCount(number) == 0;
    }

    /** The outputs that IGNORE leaves: all null. */
    static Map<String, @Nullable Object> nulls(Task task) {
        Map<String, @Nullable Object> nulls = new LinkedHashMap<>();
        task.expectedOutput().forEach(output -> nulls.put(output.name(), null));
        return nulls;
    }
}
