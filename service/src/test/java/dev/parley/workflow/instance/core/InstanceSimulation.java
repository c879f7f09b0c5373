package dev.parley.workflow.instance.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One instance in a test: applies events one second apart and records the results. */
public final class InstanceSimulation {
    public static final Instant START = Instant.parse("2026-01-31T09:30:00.123Z");
    public static final String KIM = "user:kim";
    static final TaskError TIMEOUT = new TaskError("Timeout", "It took too long.", true);
    static final TaskError BROKEN = new TaskError("Broken", "It cannot work.", false);

    private InstanceState state;
    private Instant now = START;
    private List<Effect> effects = List.of();
    private final List<InstanceStatus> history = new ArrayList<>();
    private final TicketTable tickets = new TicketTable();

    private InstanceSimulation(InstanceState state) {
        this.state = state;
    }

    public static TriggerData trigger(
            @Nullable String message, Map<String, @Nullable Object> inputs, @Nullable String conversation) {
        return new TriggerData(message, List.of("s3://b/f.pdf"), inputs, conversation, "i1", "o1", START);
    }

    /** Starts a flow with an empty trigger, without a conversation. */
    public static InstanceSimulation of(WorkflowBuilder flow) {
        return of(flow, trigger(null, Map.of(), null));
    }

    public static InstanceSimulation of(WorkflowBuilder flow, TriggerData trigger) {
        return created(flow.plan(), trigger).apply(new InstanceEvent.InstanceStarted());
    }

    static InstanceSimulation created(ExecutionPlan plan, TriggerData trigger) {
        return new InstanceSimulation(InstanceState.create(plan, trigger, START));
    }

    public InstanceSimulation apply(InstanceEvent event) {
        now = now.plusSeconds(1);
        TransitionResult outcome = Transition.apply(state, event, now);
        assertThat(outcome).as(event.toString()).isInstanceOf(Decision.class);
        Decision decision = (Decision) outcome;
        assertThat(decision.delta().applyTo(state)).isEqualTo(decision.state());
        state = decision.state();
        effects = decision.effects();
        tickets.check(event, effects, state);
        of(Effect.StatusChanged.class).forEach(change -> history.add(change.to()));
        return this;
    }

    Rejection refused(InstanceEvent event) {
        TransitionResult outcome = Transition.apply(state, event, now);
        assertThat(outcome).as(event.toString()).isInstanceOf(Rejection.class);
        return (Rejection) outcome;
    }

    /** Applies an event that must change nothing and have no effects. */
    InstanceSimulation ignored(InstanceEvent event) {
        InstanceState before = state;
        apply(event);
        assertThat(state).isSameAs(before);
        assertThat(effects).isEmpty();
        return this;
    }

    InstanceSimulation wait(Duration time) {
        now = now.plus(time);
        return this;
    }

    public InstanceSimulation succeed(String task) {
        return succeed(task, Map.of("out", task + "!"));
    }

    public InstanceSimulation succeed(String task, Map<String, @Nullable Object> outputs) {
        return apply(new InstanceEvent.TaskSucceeded(WorkflowBuilder.id(task), attempt(task), outputs));
    }

    public InstanceSimulation fail(String task, TaskError error) {
        return apply(new InstanceEvent.TaskFailed(WorkflowBuilder.id(task), attempt(task), error));
    }

    InstanceSimulation retryDue(String task) {
        return apply(new InstanceEvent.RetryDue(WorkflowBuilder.id(task), attempt(task)));
    }

    InstanceSimulation complete(String task) {
        return apply(completed(task, Map.of("out", "yes")));
    }

    InstanceEvent.TicketCompleted completed(String task, Map<String, @Nullable Object> answer) {
        return new InstanceEvent.TicketCompleted(WorkflowBuilder.id(task), attempt(task), answer, KIM);
    }

    InstanceSimulation reject(String task) {
        return apply(new InstanceEvent.TicketRejected(WorkflowBuilder.id(task), attempt(task), "No.", KIM));
    }

    InstanceSimulation pause() {
        return apply(new InstanceEvent.PauseRequested(KIM));
    }

    InstanceSimulation resume() {
        return apply(new InstanceEvent.ResumeRequested(KIM));
    }

    int attempt(String task) {
        return task(task).attempt();
    }

    public InstanceState state() {
        return state;
    }

    InstanceStatus status() {
        return state.status();
    }

    TaskState task(String task) {
        return state.task(WorkflowBuilder.id(task));
    }

    TaskStatus statusOf(String task) {
        return task(task).status();
    }

    /** The effects of the last event. */
    List<Effect> effects() {
        return effects;
    }

    <E extends Effect> List<E> of(Class<E> kind) {
        return effects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    <E extends Effect> E only(Class<E> kind) {
        assertThat(of(kind)).hasSize(1);
        return of(kind).getFirst();
    }

    /** The tasks that the last event started. */
    List<String> started() {
        return of(Effect.StartTask.class).stream()
                .map(Effect.StartTask::task)
                .map(TaskId::value)
                .toList();
    }

    /** Every status that the instance took, in order. */
    List<InstanceStatus> history() {
        return history;
    }

    Instant now() {
        return now;
    }
}
