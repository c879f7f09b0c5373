package dev.parley.workflow.instance.store;

import static java.util.Map.entry;

import dev.parley.datalake.core.RowFilter;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import java.util.Map;

/**
 * The names under which events, effects, companions and filters are stored. Those of events are public, too: the history
 * of an instance shows them. A class may be renamed; its name here stays.
 */
final class StoredNames {
    static final Map<Class<?>, String> NAMES = Map.ofEntries(
            entry(InstanceEvent.InstanceStarted.class, "InstanceStarted"),
            entry(InstanceEvent.TimeLimitReached.class, "TimeLimitReached"),
            entry(InstanceEvent.WaitEnded.class, "WaitEnded"),
            entry(InstanceEvent.SubWorkflowEnded.class, "SubWorkflowEnded"),
            entry(InstanceEvent.Recovered.class, "Recovered"),
            entry(InstanceEvent.TaskSucceeded.class, "TaskSucceeded"),
            entry(InstanceEvent.TaskFailed.class, "TaskFailed"),
            entry(InstanceEvent.TaskSuspended.class, "TaskSuspended"),
            entry(InstanceEvent.ApprovalRequested.class, "ApprovalRequested"),
            entry(InstanceEvent.InputsFetched.class, "InputsFetched"),
            entry(InstanceEvent.RetryDue.class, "RetryDue"),
            entry(InstanceEvent.UserReplied.class, "UserReplied"),
            entry(InstanceEvent.TicketCompleted.class, "TicketCompleted"),
            entry(InstanceEvent.TicketRejected.class, "TicketRejected"),
            entry(InstanceEvent.ExceptionRetry.class, "ExceptionRetry"),
            entry(InstanceEvent.ExceptionSupplied.class, "ExceptionSupplied"),
            entry(InstanceEvent.ExceptionRaised.class, "ExceptionRaised"),
            entry(InstanceEvent.EventReceived.class, "EventReceived"),
            entry(InstanceEvent.PauseRequested.class, "PauseRequested"),
            entry(InstanceEvent.ResumeRequested.class, "ResumeRequested"),
            entry(InstanceEvent.RetryRequested.class, "RetryRequested"),
            entry(InstanceEvent.CancelRequested.class, "CancelRequested"),
            entry(InstanceEvent.Terminated.class, "Terminated"),
            entry(Effect.StartTask.class, "StartTask"),
            entry(Effect.FetchInputs.class, "FetchInputs"),
            entry(Effect.ScheduleRetry.class, "ScheduleRetry"),
            entry(Effect.StopTask.class, "StopTask"),
            entry(Effect.OpenTicket.class, "OpenTicket"),
            entry(Effect.CloseTicket.class, "CloseTicket"),
            entry(Effect.AskUser.class, "AskUser"),
            entry(Effect.StatusChanged.class, "StatusChanged"),
            entry(Effect.InstanceFinished.class, "InstanceFinished"),
            entry(Companion.DeliverMessage.class, "DeliverMessage"),
            entry(Companion.ClaimIdempotencyKey.class, "ClaimIdempotencyKey"),
            entry(Companion.StoreMessage.class, "StoreMessage"),
            entry(RowFilter.All.class, "All"),
            entry(RowFilter.Any.class, "Any"),
            entry(RowFilter.Not.class, "Not"),
            entry(RowFilter.Compare.class, "Compare"));

    private StoredNames() {}

    static String of(InstanceEvent event) {
        String name = NAMES.get(event.getClass());
        if (name == null) {
            throw new IllegalStateException(event.getClass() + " has no stored name");
        }
        return name;
    }
}
