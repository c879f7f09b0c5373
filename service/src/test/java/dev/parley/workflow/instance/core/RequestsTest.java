package dev.parley.workflow.instance.core;

import static dev.parley.workflow.instance.core.WorkflowBuilder.asks;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.definition.core.part.ErrorPolicy;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RequestsTest {
    @Test
    void aPauseIsAtOnceAndRunningTasksFinish() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().ai("a").ai("b").after("a", "b"))
                .pause();
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        assertThat(run.of(Effect.StopTask.class)).isEmpty();
        run.succeed("a");
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.COMPLETED);
        assertThat(run.started()).isEmpty();
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        assertThat(run.resume().started()).containsExactly("b");
        assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
    }

    @Test
    void tasksFinishedDuringAPauseTakeEffectAtTheResume() {
        InstanceSimulation done =
                InstanceSimulation.of(new WorkflowBuilder().ai("a")).pause().succeed("a");
        assertThat(done.status()).isEqualTo(InstanceStatus.PAUSED);
        assertThat(done.resume().history())
                .endsWith(InstanceStatus.PAUSED, InstanceStatus.RUNNING, InstanceStatus.COMPLETED);
        InstanceSimulation failed = InstanceSimulation.of(
                        new WorkflowBuilder().ai("a").ai("b"))
                .pause()
                .fail("a", InstanceSimulation.BROKEN);
        assertThat(failed.status()).isEqualTo(InstanceStatus.PAUSED);
        assertThat(failed.resume().history())
                .endsWith(InstanceStatus.PAUSED, InstanceStatus.RUNNING, InstanceStatus.FAILED);
        assertThat(failed.statusOf("b")).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void aRetryThatComesDueDuringAPauseStartsAtTheResume() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a"))
                .fail("a", InstanceSimulation.TIMEOUT)
                .pause();
        run.ignored(new InstanceEvent.RetryDue(WorkflowBuilder.id("a"), 1));
        run.wait(Duration.ofMinutes(1)).resume();
        assertThat(run.started()).containsExactly("a");
    }

    @Test
    void aRetryThatIsNotDueYetGetsItsTimerAgainAtTheResume() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a"));
        run.apply(new InstanceEvent.TaskFailed(
                WorkflowBuilder.id("a"), 1, InstanceSimulation.TIMEOUT, Duration.ofMinutes(1), null));
        run.pause().resume();
        assertThat(run.started()).isEmpty();
        assertThat(run.only(Effect.ScheduleRetry.class).at())
                .isEqualTo(run.task("a").retryAt());
    }

    @Test
    void aPolicysRetryIsHeldDuringAPause() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a", ErrorPolicy.RETRY))
                .pause()
                .fail("a", InstanceSimulation.BROKEN);
        assertThat(run.started()).isEmpty();
        assertThat(run.resume().started()).containsExactly("a");
        assertThat(run.only(Effect.StartTask.class).idempotencyKey()).isEqualTo("i1:a:2");
    }

    @Test
    void aPersonsAnswerDuringAPauseByRequestIsKeptUntilTheResume() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().human("h").ai("a").ai("b").after("h", "b"));
        run.pause().complete("h");
        assertThat(run.statusOf("h")).isEqualTo(TaskStatus.COMPLETED);
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        assertThat(run.resume().started()).containsExactly("b");
    }

    @Test
    void aReplyDuringAPauseByRequestIsKeptUntilTheResume() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a", asks("name", ValueType.STRING)).ai("b"),
                InstanceSimulation.trigger(null, Map.of(), "c1"));
        run.pause().apply(new InstanceEvent.UserReplied(Map.of(), "Ada", "m1"));
        assertThat(run.started()).isEmpty();
        assertThat(run.resume().started()).containsExactly("a");
        assertThat(run.attempt("a")).isEqualTo(1);
    }

    @Test
    void anExceptionDuringAPauseOpensItsTicketAtOnce() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().withExceptionRule().ai("a"))
                .pause()
                .fail("a", InstanceSimulation.BROKEN);
        assertThat(run.of(Effect.OpenTicket.class)).hasSize(1);
        run.apply(new InstanceEvent.RetryRequested(InstanceSimulation.KIM));
        assertThat(run.started()).isEmpty();
        assertThat(run.resume().started()).containsExactly("a");
    }

    @Test
    void aResumeWithNothingToRunOnlyLiftsThePause() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().human("h").ai("a"))
                .pause()
                .succeed("a")
                .resume();
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        assertThat(run.state().pausedByRequest()).isFalse();
        assertThat(run.effects()).isEmpty();
        assertThat(run.complete("h").status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void anInstanceThatWaitsForAPersonCanBeNeitherPausedNorResumed() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().human("h"));
        assertThat(run.refused(new InstanceEvent.ResumeRequested(InstanceSimulation.KIM))
                        .detail())
                .contains("waits for a person");
        assertThat(run.refused(new InstanceEvent.PauseRequested(InstanceSimulation.KIM))
                        .status())
                .isEqualTo(InstanceStatus.PAUSED);
    }

    @Test
    void aCancelStopsWhatRunsAndDropsItsResults() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a").human("h").ai("b").after("a", "b").ai("c", asks("n", ValueType.STRING)));
        run.apply(new InstanceEvent.CancelRequested(InstanceSimulation.KIM));
        assertThat(run.status()).isEqualTo(InstanceStatus.CANCELLED);
        assertThat(run.effects())
                .containsExactly(
                        new Effect.StatusChanged(InstanceStatus.RUNNING, InstanceStatus.CANCELLED, run.now()),
                        new Effect.StopTask(WorkflowBuilder.id("a"), 1),
                        closed("h", 1),
                        closed("c", 0),
                        new Effect.InstanceFinished(InstanceStatus.CANCELLED));
        assertThat(run.statusOf("b")).isEqualTo(TaskStatus.SKIPPED);
        assertThat(run.state().error()).isNull();
        run.ignored(new InstanceEvent.TaskSucceeded(WorkflowBuilder.id("a"), 1, Map.of("out", "late")));
    }

    private static Effect closed(String task, int attempt) {
        return new Effect.CloseTicket(
                WorkflowBuilder.id(task),
                attempt,
                TicketEnd.CANCELLED,
                InstanceSimulation.KIM,
                null,
                "The instance is CANCELLED.");
    }

    @Test
    void aQuestionInAConversationHasNoTicketToClose() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a", asks("n", ValueType.STRING)),
                InstanceSimulation.trigger(null, Map.of(), "c1"));
        run.apply(new InstanceEvent.CancelRequested(InstanceSimulation.KIM));
        assertThat(run.of(Effect.CloseTicket.class)).isEmpty();
    }

    @Test
    void aRetryThatWaitsIsCancelledWithoutAnythingToStop() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().ai("a")).fail("a", InstanceSimulation.TIMEOUT);
        run.apply(new InstanceEvent.CancelRequested(InstanceSimulation.KIM));
        assertThat(run.of(Effect.StopTask.class)).isEmpty();
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void terminationSaysWhy() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a"))
                .apply(new InstanceEvent.Terminated("The organization was deleted.", "system"));
        assertThat(run.status()).isEqualTo(InstanceStatus.TERMINATED);
        assertThat(run.state().error())
                .isEqualTo(new InstanceError(null, "Terminated", "The organization was deleted."));
    }

    @Test
    void theTimeLimitTerminatesAPausedInstanceToo() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().human("h")).apply(new InstanceEvent.TimeLimitReached());
        assertThat(run.status()).isEqualTo(InstanceStatus.TERMINATED);
        assertThat(run.of(Effect.CloseTicket.class)).hasSize(1);
        run.ignored(new InstanceEvent.TimeLimitReached());
    }

    @Test
    void aRecoveryRestartsTasksWithTheSameAttemptAndKey() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().ai("a").ai("b").human("h"));
        Effect.StartTask first = run.of(Effect.StartTask.class).getFirst();
        run.fail("b", InstanceSimulation.TIMEOUT);
        InstanceState before = run.state();
        run.apply(new InstanceEvent.Recovered());
        assertThat(run.effects())
                .containsExactly(
                        first,
                        new Effect.ScheduleRetry(
                                WorkflowBuilder.id("b"),
                                1,
                                Objects.requireNonNull(run.task("b").retryAt())));
        assertThat(run.state()).isSameAs(before);
    }

    @Test
    void aRecoveryDuringAPauseRestartsOnlyTasksInFlight() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a").ai("b").ai("c").after("b", "c").ai("r"));
        run.fail("r", InstanceSimulation.TIMEOUT).pause().succeed("b").apply(new InstanceEvent.Recovered());
        assertThat(run.started()).containsExactly("a");
        assertThat(run.of(Effect.ScheduleRetry.class)).isEmpty();
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
    }

    @Test
    void aRecoveryBeforeTheStartIsTheStart() {
        InstanceSimulation run = InstanceSimulation.created(
                new WorkflowBuilder().ai("a").plan(), InstanceSimulation.trigger(null, Map.of(), null));
        run.apply(new InstanceEvent.Recovered());
        assertThat(run.started()).containsExactly("a");
        assertThat(run.history()).containsExactly(InstanceStatus.RUNNING);
    }

    @Test
    void aSecondStartChangesNothing() {
        InstanceSimulation.of(new WorkflowBuilder().ai("a")).ignored(new InstanceEvent.InstanceStarted());
    }

    @Test
    void nothingButTheStartFitsBeforeTheStart() {
        InstanceSimulation run = InstanceSimulation.created(
                new WorkflowBuilder().ai("a").plan(), InstanceSimulation.trigger(null, Map.of(), null));
        assertThat(run.refused(new InstanceEvent.PauseRequested(InstanceSimulation.KIM))
                        .detail())
                .contains("not started");
        run.ignored(new InstanceEvent.TaskSucceeded(WorkflowBuilder.id("a"), 0, Map.of("out", "x")));
    }
}
