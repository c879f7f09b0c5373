package dev.parley.workflow.task;

import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.definition.core.TextTask;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;

/** Runs Text tasks: the text is the value of the first output. */
@Singleton
public final class TextExecutor implements TaskExecutor {
    @Override
    public TaskKind kind() {
        return TaskKind.TEXT;
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(1);
    }

    @Override
    public TaskResult run(TaskRun run) {
        TextTask task = (TextTask) run.task();
        return new TaskResult(Map.of(task.expectedOutput().getFirst().name(), task.text()));
    }
}
