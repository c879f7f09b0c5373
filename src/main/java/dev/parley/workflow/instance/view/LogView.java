package dev.parley.workflow.instance.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.http.StrictJson;
import dev.parley.workflow.instance.core.InstanceDelta;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.core.TaskState;
import dev.parley.workflow.instance.core.TaskStatus;
import dev.parley.workflow.instance.store.InstanceJson;
import dev.parley.workflow.instance.store.InstanceReader.LogRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an instance's history: the event, its origin, and the changes.
 *
 * @param statusChanges the status steps in order; a person's answer may cause two
 */
@Schema(name = "WorkflowInstanceLog")
public record LogView(
        int version,
        Instant at,
        @Schema(examples = "TaskSucceeded") String event,

        @Schema(description = "user:<id>, api_key:<id>, message:<id> or system")
        String actor,

        List<StatusChange> statusChanges,
        List<TaskChange> tasks) {

    /** One status step. */
    @Schema(name = "StatusChange")
    public record StatusChange(@Nullable InstanceStatus from, InstanceStatus to, Instant at) {}

    /** The state of a task after the change. */
    @Schema(name = "TaskChange")
    public record TaskChange(
            String task,
            TaskStatus status,
            int attempt,
            @Schema(type = SchemaType.OBJECT) Map<String, @Nullable Object> outputs,
            InstanceView.@Nullable ErrorView error,

            @Schema(description = "Input tokens of all attempts")
            long inputTokens,

            @Schema(description = "Output tokens of all attempts")
            long outputTokens,

            @Schema(description = "Cost in millionths of the currency of the price settings")
            long costMicros) {}

    public static LogView of(LogRow row) {
        InstanceDelta delta = InstanceJson.readDelta(row.delta());
        List<TaskChange> tasks = new ArrayList<>();
        delta.tasks().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> tasks.add(change(entry.getKey().value(), entry.getValue())));
        return new LogView(row.version(), row.at(), row.event(), row.actor(), steps(row), tasks);
    }

    private static TaskChange change(String task, TaskState state) {
        var error = state.error();
        var usage = state.usage();
        return new TaskChange(
                task,
                state.status(),
                state.attempt(),
                state.outputs(),
                error == null ? null : new InstanceView.ErrorView(task, error.error(), error.detail()),
                usage == null ? 0 : usage.inputTokens(),
                usage == null ? 0 : usage.outputTokens(),
                usage == null ? 0 : usage.costMicros());
    }

    public static List<StatusChange> steps(LogRow row) {
        if (row.steps() == null) {
            return List.of();
        }
        List<StatusChange> steps = new ArrayList<>();
        for (var step : StrictJson.readTrusted(row.steps(), JsonNode.class)) {
            steps.add(new StatusChange(
                    step.path("from").isTextual()
                            ? InstanceStatus.valueOf(step.path("from").asText())
                            : null,
                    InstanceStatus.valueOf(step.path("to").asText()),
                    Instant.parse(step.path("at").asText())));
        }
        return steps;
    }
}
