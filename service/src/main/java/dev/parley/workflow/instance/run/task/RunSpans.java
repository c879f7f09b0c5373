package dev.parley.workflow.instance.run.task;

import dev.parley.trace.SpanAttributes;
import dev.parley.trace.TraceSpan;
import dev.parley.trace.Tracing;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.StoredInstance;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The spans of runs and their tasks. A run has one span up to each pause and to its end, which the engine makes then. */
public final class RunSpans {
    private RunSpans() {}

    /** An attempt of a task, as the current span. */
    public static TraceSpan task(StoredInstance instance, Task task, int attempt) {
        if (!Tracing.isOn()) {
            return Tracing.current();
        }
        TraceSpan span =
                Tracing.internal("task", task.id().value(), instance.header().trace());
        if (task.kind() == TaskKind.AI) {
            span.set(SpanAttributes.OPERATION, "invoke_agent").set(SpanAttributes.AGENT_NAME, task.name());
        }
        return attributes(span, instance.header(), task, attempt);
    }

    private static TraceSpan attributes(TraceSpan span, InstanceHeader header, Task task, int attempt) {
        return span.set(header.organization())
                .set(SpanAttributes.INSTANCE, header.id().text())
                .set(SpanAttributes.TASK, task.id().value())
                .set(SpanAttributes.TASK_KIND, task.kind().text())
                .set(SpanAttributes.TASK_ATTEMPT, attempt);
    }

    /** The header for a change: where it ends a pause, a new part of the run begins. */
    public static InstanceHeader continued(StoredInstance before, InstanceState after, @Nullable String by) {
        InstanceHeader header = before.header();
        return Tracing.isOn()
                        && before.state().status() == InstanceStatus.PAUSED
                        && after.status() != InstanceStatus.PAUSED
                ? header.inTrace(Tracing.continueRun(header.trace(), by, after.updatedAt()))
                : header;
    }

    /** Called after a change was stored: makes the spans of tickets that it closed, and of the run if it is not RUNNING. */
    public static void changed(StoredInstance before, StoredInstance after, List<Effect> effects) {
        if (!Tracing.isOn()) {
            return;
        }
        for (Effect effect : effects) {
            if (effect instanceof Effect.CloseTicket close) {
                ticket(before, close, after.state().updatedAt());
            }
        }
        settled(after);
    }

    /** The wait for a person, in the part of the run that opened the ticket. */
    private static void ticket(StoredInstance before, Effect.CloseTicket close, Instant end) {
        InstanceState state = before.state();
        int number = state.plan().number(close.task());
        TaskState waiting = state.tasks().withAttempt(number, close.attempt());
        Instant start = waiting == null ? null : waiting.startedAt();
        if (start != null && before.header().trace() != null) {
            attributes(
                            Tracing.since(
                                    start,
                                    "ticket",
                                    close.task().value(),
                                    before.header().trace()),
                            before.header(),
                            state.plan().task(number),
                            close.attempt())
                    .set(SpanAttributes.TICKET_END, close.end().name())
                    .close(end);
        }
    }

    /** The span of a run, or of the part of it that ended with a pause. */
    public static void settled(StoredInstance instance) {
        InstanceHeader header = instance.header();
        InstanceState state = instance.state();
        if (!Tracing.isOn() || state.status() == InstanceStatus.RUNNING) {
            return;
        }
        TraceSpan span = Tracing.ofRun(
                        header.trace(), "workflow", state.plan().definition().name())
                .set(header.organization())
                .set(SpanAttributes.WORKFLOW, header.workflow().text())
                .set(SpanAttributes.WORKFLOW_VERSION, header.workflowVersion())
                .set(SpanAttributes.INSTANCE, header.id().text())
                .set(SpanAttributes.INSTANCE_STATUS, state.status().name());
        if (header.conversation() != null) {
            span.set(SpanAttributes.CONVERSATION, header.conversation().text());
        }
        if (state.error() != null) {
            span.fail(state.status().name());
        }
        span.close(state.updatedAt());
    }
}
