package dev.parley.workflow.instance.core;

import static dev.parley.workflow.instance.core.WorkflowBuilder.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.workflow.definition.core.part.ControlFlow.ItemErrorRule;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tasks that wait for a time or an event. */
class WaitingTest {
    private static final Instant LATER = InstanceSimulation.START.plusSeconds(3_600);

    @Test
    void aTaskCompletesWhenItsTimeComes() {
        InstanceSimulation run = waiting(WaitingReason.TIMER);
        assertThat(run.status()).as("waiting for no person").isEqualTo(InstanceStatus.RUNNING);
        assertThat(run.state().isUnderWay()).as("needs a node").isFalse();
        assertThat(run.state().nextWake()).isEqualTo(LATER);
        run.ignored(new InstanceEvent.WaitEnded());

        run.wait(Duration.ofHours(1)).apply(new InstanceEvent.WaitEnded());
        assertThat(run.state().output()).isEqualTo(Map.of("out", "done"));
        assertThat(run.state().nextWake()).isNull();
    }

    @Test
    void anEventCompletesItsTaskOnce() {
        InstanceSimulation run = waiting(WaitingReason.EVENT);
        assertThat(run.refused(event(2, "x")).detail()).contains("does not wait");
        assertThat(run.refused(new InstanceEvent.EventReceived(id("a"), 1, Map.of("out", 5), "event"))
                        .detail())
                .contains("must be a string");
        run.apply(event(1, "paid"));
        assertThat(run.state().output()).isEqualTo(Map.of("out", "paid"));
        assertThat(run.refused(event(1, "again"))).isNotNull();
    }

    @Test
    void anEventThatDoesNotComeIsAnError() {
        InstanceSimulation run =
                waiting(WaitingReason.EVENT).wait(Duration.ofHours(1)).apply(new InstanceEvent.WaitEnded());
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.task("a").error()).extracting(TaskError::error).isEqualTo("Expired");
    }

    @Test
    void aWaitEndsDuringAPause() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().ai("a").ai("b").after("a", "b"))
                .apply(suspended(1, WaitingReason.TIMER))
                .pause();
        run.wait(Duration.ofHours(1)).apply(new InstanceEvent.WaitEnded());
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.COMPLETED);
        assertThat(run.started()).isEmpty();
        assertThat(run.resume().started()).containsExactly("b");
    }

    @Test
    void anInstanceThatAlsoWaitsForAPersonIsRunning() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().ai("a").human("h"))
                .apply(suspended(1, WaitingReason.TIMER));
        assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
        run.wait(Duration.ofHours(1)).apply(new InstanceEvent.WaitEnded());
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        assertThat(run.complete("h").status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void anExecutorContinuesWhenItsSubWorkflowHasEnded() {
        InstanceSimulation run = waiting(WaitingReason.SUB_WORKFLOW);
        assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
        assertThat(run.state().isUnderWay()).as("needs a node").isFalse();
        run.ignored(new InstanceEvent.SubWorkflowEnded(id("a"), "i1:ab:1"));
        run.ignored(new InstanceEvent.SubWorkflowEnded(id("b"), "i1:b:1"));

        run.apply(new InstanceEvent.SubWorkflowEnded(id("a"), "i1:a:1-3"));
        assertThat(run.of(Effect.StartTask.class))
                .extracting(Effect.StartTask::attempt, Effect.StartTask::idempotencyKey)
                .containsExactly(tuple(1, "i1:a:1"));
        assertThat(run.state().nextWake()).isNull();
        run.ignored(new InstanceEvent.SubWorkflowEnded(id("a"), "i1:a:1"));
        assertThat(run.succeed("a").status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void anExecutorLooksForTheEndOfItsSubWorkflow() {
        InstanceSimulation run = waiting(WaitingReason.SUB_WORKFLOW).pause();
        run.wait(Duration.ofHours(1)).apply(new InstanceEvent.WaitEnded());
        assertThat(run.started()).as("also during a pause").containsExactly("a");
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.RUNNING);
        run.apply(new InstanceEvent.TaskSuspended(
                id("a"), 1, WaitingReason.SUB_WORKFLOW, Map.of(), LATER.plusSeconds(3_600)));
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.WAITING);
    }

    @Test
    void itemsWaitOnTheirOwn() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder()
                .forEach("items", 2, ItemErrorRule.FAIL)
                .ai("a", WorkflowBuilder.items(List.of("x", "y"))));
        run.apply(suspended(1, WaitingReason.TIMER)).apply(suspended(2, WaitingReason.EVENT));
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.WAITING);
        run.apply(event(2, "y!")).wait(Duration.ofHours(1)).apply(new InstanceEvent.WaitEnded());
        assertThat(run.state().output()).isEqualTo(Map.of("out", List.of("done", "y!")));
    }

    @Test
    void aTaskThatWaitsEndsWithItsInstance() {
        InstanceSimulation run =
                waiting(WaitingReason.EVENT).apply(new InstanceEvent.CancelRequested(InstanceSimulation.KIM));
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.CANCELLED);
        assertThat(run.of(Effect.StopTask.class)).isEmpty();
    }

    private static InstanceSimulation waiting(WaitingReason reason) {
        return InstanceSimulation.of(new WorkflowBuilder().ai("a")).apply(suspended(1, reason));
    }

    private static InstanceEvent suspended(int attempt, WaitingReason reason) {
        return new InstanceEvent.TaskSuspended(id("a"), attempt, reason, Map.of("out", "done"), LATER);
    }

    private static InstanceEvent event(int attempt, String out) {
        return new InstanceEvent.EventReceived(id("a"), attempt, Map.of("out", out), "event");
    }
}
