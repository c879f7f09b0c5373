package dev.parley.workflow.instance.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.http.json.StrictJson;
import dev.parley.workflow.attempt.RedactedText;
import dev.parley.workflow.attempt.core.CallDecision;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStatus;
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
        List<TaskChange> tasks,

        @Schema(description = "The tool calls on which a person decided, by this event")
        List<ToolCallDecision> toolCalls) {

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

    /** A person's decision on a tool call. */
    @Schema(name = "ToolCallDecision")
    public record ToolCallDecision(
            String task,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "The index of the item, from 0, for a task with for_each")
            @Nullable
            Integer item,

            int toolId,
            @Schema(examples = "http.request") String tool,
            boolean approved,

            @Schema(
                    description = "The arguments that the model requested. JSON, as text, since it may be cut; values"
                            + " under names such as password are hidden.")
            String requestedArguments,

            @Schema(description = "The arguments that the tool gets; null for a rejected call") @Nullable
            String sentArguments,

            @Schema(description = "Whether the person changed the arguments")
            boolean edited) {

        private static ToolCallDecision of(
                String task, @Nullable Integer item, PendingToolCall call, CallDecision decision) {
            int most = RedactedText.MAX_ARGUMENTS_LENGTH;
            return new ToolCallDecision(
                    task,
                    item,
                    call.toolId(),
                    call.tool(),
                    decision.approved(),
                    RedactedText.ofTree(call.arguments(), most),
                    decision.approved() ? RedactedText.ofTree(decision.arguments(), most) : null,
                    call.edited() != null);
        }
    }

    public static LogView of(LogRow row) {
        InstanceDelta delta = InstanceJson.readDelta(row.delta());
        List<TaskChange> tasks = new ArrayList<>();
        delta.tasks().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> tasks.add(change(entry.getKey().value(), entry.getValue())));
        return new LogView(row.version(), row.at(), row.event(), row.actor(), steps(row), tasks, toolCalls(delta));
    }

    /** The decisions that this change made. A state keeps its last one, which has the time of its own change. */
    private static List<ToolCallDecision> toolCalls(InstanceDelta delta) {
        List<ToolCallDecision> decisions = new ArrayList<>();
        delta.tasks().forEach((task, state) -> addDecision(decisions, delta, task.value(), null, state));
        delta.items().forEach((task, items) -> items.states()
                .forEach((item, state) -> addDecision(decisions, delta, task.value(), item, state)));
        return decisions;
    }

    private static void addDecision(
            List<ToolCallDecision> decisions,
            InstanceDelta delta,
            String task,
            @Nullable Integer item,
            TaskState state) {
        PendingToolCall call = state.call();
        CallDecision decision = call == null ? null : call.decision();
        if (call != null && decision != null && delta.updatedAt().equals(decision.at())) {
            decisions.add(ToolCallDecision.of(task, item, call, decision));
        }
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

    private static List<StatusChange> steps(LogRow row) {
        return row.steps() == null ? List.of() : List.of(StrictJson.readTrusted(row.steps(), StatusChange[].class));
    }
}
