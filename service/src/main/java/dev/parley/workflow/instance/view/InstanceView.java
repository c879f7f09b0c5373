package dev.parley.workflow.instance.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.id.ConversationId;
import dev.parley.id.TicketId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.trace.Tracing;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.ItemStates;
import dev.parley.workflow.instance.core.state.SkipReason;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.StoredInstance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An instance in the API.
 *
 * @param currentTasks ids of the tasks that are RUNNING or WAITING
 * @param output by task output name; null until COMPLETED
 * @param logs the history, if requested
 */
@Schema(name = "WorkflowInstance", description = "One run of one version of a workflow.")
public record InstanceView(
        @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$")
        WorkflowInstanceId workflowInstanceId,

        @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$")
        WorkflowId workflowId,

        @Schema(description = "The published version that the instance keeps; 0 for a test run of a draft.")
        int workflowVersion,

        @Nullable ConversationId conversationId,

        @Schema(description = "The instance that this one reruns; null for none.") @Nullable
        RerunOfView rerunOf,

        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Schema(description = "The task that runs the instance as a sub-workflow; absent for none.")
        @Nullable
        ParentView parent,

        InstanceStatus status,

        @Schema(description = "Whether a request paused the instance; no task starts until it is resumed.")
        boolean pausedByRequest,

        List<String> currentTasks,

        @Schema(type = SchemaType.OBJECT, description = "Values by task output name; null until COMPLETED.") @Nullable
        Map<String, @Nullable Object> output,

        @Nullable ErrorView error,
        List<TaskView> tasks,
        String createdBy,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant finishedAt,

        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Schema(
                pattern = "^[0-9a-f]{32}$",
                description = "The OpenTelemetry trace of the instance since its last pause; absent without tracing.")
        @Nullable
        String traceId,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "The history, with ?include=logs.") @Nullable
        List<LogView> logs) {

    /** The instance that another one reruns. */
    @Schema(name = "WorkflowInstanceOrigin")
    public record RerunOfView(
            @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$")
            WorkflowInstanceId workflowInstanceId,

            @Schema(description = "The first task that ran again; null if all did.") @Nullable
            String fromTask) {

        static @Nullable RerunOfView of(InstanceHeader header) {
            WorkflowInstanceId origin = header.rerunOf();
            return origin == null ? null : new RerunOfView(origin, header.rerunFromTask());
        }
    }

    /** The task that started a sub-workflow. */
    @Schema(name = "WorkflowInstanceParent")
    public record ParentView(
            @Schema(type = SchemaType.STRING, pattern = "^[0-9a-f]{32}$")
            WorkflowInstanceId workflowInstanceId,

            String task) {

        static @Nullable ParentView of(InstanceHeader header) {
            InstanceHeader.ParentTask parent = header.parent();
            return parent == null ? null : new ParentView(parent.instance(), parent.task());
        }
    }

    /** Why the instance failed. */
    @Schema(name = "WorkflowInstanceError")
    public record ErrorView(
            @Schema(description = "The task that failed; null if the instance was ended by a request.") @Nullable
            String task,

            @Schema(examples = "Time limit") String error,
            String detail) {}

    /** A task of the instance. */
    @Schema(name = "TaskInstance")
    public record TaskView(
            @Schema(description = "The task's id in the definition.")
            String id,

            String name,

            String kind,

            TaskStatus status,
            int attempts,

            @Schema(description = "Whether the task did not run, because its result is that of an earlier instance.")
            boolean reused,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(
                    pattern = "^[0-9a-f]{32}$",
                    description =
                            "For a reused result: the instance in which the task ran. It is the one in rerun_of, or"
                                    + " an earlier one if that was a rerun itself.")
            @Nullable
            String reusedFrom,

            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            @Nullable TicketId ticketId,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "When a task that waits for a time or an event stops waiting.")
            @Nullable
            Instant waitUntil,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(
                    description =
                            "For a task that waits for an event: a POST of a JSON object to this URL completes it "
                                    + "once, with the members as outputs. The URL needs no key, so keep it secret. Of a"
                                    + " task with for_each, the URL of the first item in waiting_items.")
            @Nullable
            String resumeUrl,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "The items of a task with for_each that wait for an event, each with its URL.")
            @Nullable
            List<EventWaitView> waitingItems,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(
                    type = SchemaType.STRING,
                    pattern = "^[0-9a-f]{32}$",
                    description = "The newest sub-workflow that the task started.")
            @Nullable
            WorkflowInstanceId childInstanceId,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "Why the task is SKIPPED: its condition, a predecessor, or the instance's end.")
            @Nullable
            SkipReason skipReason,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "The items of a task with for_each, once it has started.")
            @Nullable
            ItemCountsView items,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "The number of iterations that a task with repeat has started.")
            @Nullable
            Integer iterations,

            @Schema(description = "The last error of the task.") @Nullable
            ErrorView error,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "The console output of a Coder task's code, with ?include=logs.")
            @Nullable
            String console) {}

    /**
     * An item, or a task, that waits for an event.
     *
     * @param item 0 for a task without items
     */
    @Schema(name = "WaitingItem")
    public record EventWaitView(
            @Schema(description = "The index of the item, from 0.")
            int item,

            @Schema(description = "When the item stops waiting.")
            Instant waitUntil,

            @Schema(description = "A POST of a JSON object to this URL completes the item once.")
            String resumeUrl) {}

    private static @Nullable Instant waitUntil(InstanceState state, TaskId task) {
        ItemStates items = state.tasks().items(state.plan().number(task));
        // A sub-workflow ends at any time.
        boolean isOpenEnded = state.task(task).waitingFor() == WaitingReason.SUB_WORKFLOW;
        return isOpenEnded ? null : items == null ? state.task(task).waitUntil() : items.nextWake();
    }

    /** How many items of a task there are. */
    @Schema(name = "TaskItems")
    public record ItemCountsView(
            int total,
            int completed,

            @Schema(description = "Items without outputs, with on_error collect.")
            int failed) {
        static @Nullable ItemCountsView of(@Nullable ItemStates items) {
            return items == null ? null : new ItemCountsView(items.size(), items.completed(), items.failed());
        }
    }

    /** The instance as it was after a status step that was followed by another one. */
    public InstanceView atStep(InstanceStatus step, Instant at) {
        return step == status
                ? this
                : new InstanceView(
                        workflowInstanceId,
                        workflowId,
                        workflowVersion,
                        conversationId,
                        rerunOf,
                        parent,
                        step,
                        pausedByRequest,
                        currentTasks,
                        null,
                        null,
                        tasks,
                        createdBy,
                        createdAt,
                        at,
                        null,
                        traceId,
                        logs);
    }

    /**
     * What an instance shows besides its state, by task.
     *
     * @param consoles what their code has written
     * @param logs null if it shows no history
     */
    public record InstanceDetails(
            Map<TaskId, TicketId> tickets,
            Map<TaskId, List<EventWaitView>> eventWaits,
            Map<String, WorkflowInstanceId> subWorkflows,
            Map<String, String> consoles,
            @Nullable List<LogView> logs) {
        public static InstanceDetails ofTickets(Map<TaskId, TicketId> tickets) {
            return new InstanceDetails(tickets, Map.of(), Map.of(), Map.of(), null);
        }

        InstanceDetails withEventWaits(Map<TaskId, List<EventWaitView>> waits) {
            return new InstanceDetails(tickets, waits, subWorkflows, consoles, logs);
        }

        InstanceDetails withSubWorkflows(Map<String, WorkflowInstanceId> instances) {
            return new InstanceDetails(tickets, eventWaits, instances, consoles, logs);
        }

        InstanceDetails withLogs(List<LogView> rows, Map<String, String> written) {
            return new InstanceDetails(tickets, eventWaits, subWorkflows, written, rows);
        }
    }

    public static InstanceView of(StoredInstance instance, InstanceDetails details) {
        InstanceHeader header = instance.header();
        InstanceState state = instance.state();
        List<TaskView> tasks = new ArrayList<>();
        for (Task task : state.plan().tasks()) {
            TaskState one = state.task(task.id());
            var error = one.error();
            ItemStates items = state.tasks().items(state.plan().number(task.id()));
            List<EventWaitView> waits = details.eventWaits.getOrDefault(task.id(), List.of());
            tasks.add(new TaskView(
                    task.id().value(),
                    task.name(),
                    task.kind().text(),
                    one.status(),
                    one.attempt(),
                    one.reusedFrom() != null,
                    one.reusedFrom(),
                    one.startedAt(),
                    one.finishedAt(),
                    details.tickets.get(task.id()),
                    waitUntil(state, task.id()),
                    waits.isEmpty() ? null : waits.getFirst().resumeUrl(),
                    waits.isEmpty() || items == null ? null : waits,
                    details.subWorkflows.get(task.id().value()),
                    one.skipped(),
                    ItemCountsView.of(items),
                    task.controlFlow().repeat() == null || one.run() == 0 ? null : one.iteration() + 1,
                    error == null ? null : new ErrorView(task.id().value(), error.error(), error.detail()),
                    details.consoles.get(task.id().value())));
        }
        InstanceError error = state.error();
        TaskId failed = error == null ? null : error.task();
        return new InstanceView(
                header.id(),
                header.workflow(),
                header.workflowVersion(),
                header.conversation(),
                RerunOfView.of(header),
                ParentView.of(header),
                state.status(),
                state.pausedByRequest(),
                state.currentTasks().stream().map(TaskId::value).toList(),
                state.output(),
                error == null
                        ? null
                        : new ErrorView(failed == null ? null : failed.value(), error.error(), error.detail()),
                tasks,
                header.createdBy(),
                state.createdAt(),
                state.updatedAt(),
                state.finishedAt(),
                Tracing.traceId(header.trace()),
                details.logs);
    }
}
