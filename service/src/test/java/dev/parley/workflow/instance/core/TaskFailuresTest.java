package dev.parley.workflow.instance.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.part.ErrorPolicy;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskFailuresTest {
    @Test
    void aTransientErrorIsRetriedThreeTimesWithGrowingDelays() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a"));
        String key = run.only(Effect.StartTask.class).idempotencyKey();
        for (int retry = 0; retry < 3; retry++) {
            run.fail("a", InstanceSimulation.TIMEOUT);
            Effect.ScheduleRetry timer = run.only(Effect.ScheduleRetry.class);
            Duration delay = Duration.between(run.now(), timer.at());
            assertThat(delay.toMillis()).isBetween(750L << retry, 1_250L << retry);
            assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
            run.retryDue("a");
            Effect.StartTask again = run.only(Effect.StartTask.class);
            assertThat(again.attempt()).isEqualTo(retry + 2);
            assertThat(again.idempotencyKey()).isEqualTo(key);
        }
        run.fail("a", InstanceSimulation.TIMEOUT);
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.state().error())
                .isEqualTo(new InstanceError(WorkflowBuilder.id("a"), "Timeout", "It took too long."));
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.FAILED);
    }

    @Test
    void theSameEventAlwaysGetsTheSameDelay() {
        WorkflowBuilder flow = new WorkflowBuilder().ai("a");
        Instant first = InstanceSimulation.of(flow)
                .fail("a", InstanceSimulation.TIMEOUT)
                .task("a")
                .retryAt();
        assertThat(InstanceSimulation.of(flow)
                        .fail("a", InstanceSimulation.TIMEOUT)
                        .task("a")
                        .retryAt())
                .isEqualTo(first);
    }

    @Test
    void aLongerRetryAfterIsHonouredUpToFiveMinutes() {
        assertThat(delayFor(Duration.ofSeconds(40))).isEqualTo(Duration.ofSeconds(40));
        assertThat(delayFor(Duration.ofDays(1))).isEqualTo(Duration.ofMinutes(5));
        assertThat(delayFor(Duration.ZERO)).isBetween(Duration.ofMillis(750), Duration.ofMillis(1_250));
    }

    private static Duration delayFor(Duration retryAfter) {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a"));
        run.apply(
                new InstanceEvent.TaskFailed(WorkflowBuilder.id("a"), 1, InstanceSimulation.TIMEOUT, retryAfter, null));
        return Duration.between(run.now(), run.only(Effect.ScheduleRetry.class).at());
    }

    @Test
    void aTimerThatFiresTwiceStartsOnce() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a"))
                .fail("a", InstanceSimulation.TIMEOUT)
                .retryDue("a");
        run.ignored(new InstanceEvent.RetryDue(WorkflowBuilder.id("a"), 1));
    }

    @Test
    void aSuccessAfterARetryClearsTheError() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a"))
                .fail("a", InstanceSimulation.TIMEOUT)
                .retryDue("a")
                .succeed("a");
        assertThat(run.status()).isEqualTo(InstanceStatus.COMPLETED);
        assertThat(run.task("a").error()).isNull();
    }

    @Test
    void aPermanentErrorWithoutPolicyAndRuleFailsTheInstanceAtOnce() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().ai("a").ai("b").human("c").ai("d").after("b", "d"))
                .fail("a", InstanceSimulation.BROKEN);
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.statusOf("b")).isEqualTo(TaskStatus.CANCELLED);
        assertThat(run.statusOf("c")).isEqualTo(TaskStatus.CANCELLED);
        assertThat(run.statusOf("d")).isEqualTo(TaskStatus.SKIPPED);
        assertThat(run.of(Effect.StopTask.class)).containsExactly(new Effect.StopTask(WorkflowBuilder.id("b"), 1));
        assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.CANCELLED);
        assertThat(run.effects().getLast()).isEqualTo(new Effect.InstanceFinished(InstanceStatus.FAILED));
        run.ignored(new InstanceEvent.TaskSucceeded(WorkflowBuilder.id("b"), 1, Map.of("out", "late")));
    }

    @Test
    void raiseFailsTheInstanceDespiteAnExceptionRule() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().withExceptionRule().ai("a", ErrorPolicy.RAISE))
                .fail("a", InstanceSimulation.BROKEN);
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
    }

    @Test
    void ignoreCompletesTheTaskWithNullOutputs() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a", ErrorPolicy.IGNORE).ai("b").after("a", "b"));
        run.fail("a", InstanceSimulation.BROKEN);
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.COMPLETED);
        assertThat(run.task("a").outputs()).isEqualTo(Collections.singletonMap("out", null));
        assertThat(run.task("a").error()).isEqualTo(InstanceSimulation.BROKEN);
        assertThat(run.started()).containsExactly("b");
    }

    @Test
    void retryRunsAgainFiveTimesWithANewKeyEachAndThenRaises() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a", ErrorPolicy.RETRY));
        for (int retry = 1; retry <= 5; retry++) {
            run.fail("a", InstanceSimulation.BROKEN);
            assertThat(run.only(Effect.StartTask.class).idempotencyKey()).isEqualTo("i1:a:" + (retry + 1));
        }
        assertThat(run.fail("a", InstanceSimulation.BROKEN).status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.task("a").attempt()).isEqualTo(6);
    }

    @Test
    void everyRunOfRetryHasItsOwnAutomaticRetries() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a", ErrorPolicy.RETRY));
        int starts = 1;
        while (run.status() == InstanceStatus.RUNNING) {
            run.fail("a", InstanceSimulation.TIMEOUT);
            if (run.task("a").retryAt() != null) {
                run.retryDue("a");
            }
            starts += run.started().size();
        }
        assertThat(starts).isEqualTo(6 * 4);
    }

    @Test
    void anExhaustedRetryOpensAnExceptionTicketIfThereIsARule() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().withExceptionRule().ai("a", ErrorPolicy.RETRY));
        for (int i = 0; i < 6; i++) {
            run.fail("a", InstanceSimulation.BROKEN);
        }
        assertThat(run.task("a").waitingFor()).isEqualTo(WaitingReason.EXCEPTION_TICKET);
    }

    @Test
    void anExceptionRuleOpensATicketAndPausesWhenNothingElseRuns() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().withExceptionRule().ai("a").ai("b"));
        run.fail("a", InstanceSimulation.BROKEN);
        Effect.OpenTicket ticket = run.only(Effect.OpenTicket.class);
        assertThat(ticket.kind()).isEqualTo(RuleType.EXCEPTION);
        assertThat(ticket.error()).isEqualTo(InstanceSimulation.BROKEN);
        assertThat(ticket.assignees()).hasSize(1).allMatch(rule -> rule.assigneeId()
                .equals("4"));
        assertThat(ticket.form().outputs()).hasSize(1);
        assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
        assertThat(run.succeed("b").status()).isEqualTo(InstanceStatus.PAUSED);
    }

    @Test
    void aPersonRetriesAFailedTask() {
        InstanceSimulation run = excepted();
        run.apply(new InstanceEvent.ExceptionRetry(WorkflowBuilder.id("a"), 1, InstanceSimulation.KIM));
        assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.RETRIED);
        assertThat(run.only(Effect.StartTask.class).idempotencyKey()).isEqualTo("i1:a:2");
        assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
        assertThat(run.succeed("a").status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void aPersonSuppliesTheOutputs() {
        InstanceSimulation run = excepted();
        run.apply(new InstanceEvent.ExceptionSupplied(
                WorkflowBuilder.id("a"), 1, Map.of("out", "mine"), InstanceSimulation.KIM));
        assertThat(run.state().output()).isEqualTo(Map.of("out", "mine"));
        assertThat(run.history())
                .containsExactly(
                        InstanceStatus.RUNNING,
                        InstanceStatus.PAUSED,
                        InstanceStatus.RUNNING,
                        InstanceStatus.COMPLETED);
    }

    @Test
    void aPersonRaisesTheException() {
        InstanceSimulation run = excepted();
        run.apply(new InstanceEvent.ExceptionRaised(WorkflowBuilder.id("a"), 1, "Hopeless.", InstanceSimulation.KIM));
        assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.REJECTED);
        assertThat(run.state().error())
                .isEqualTo(new InstanceError(WorkflowBuilder.id("a"), "Broken", "It cannot work.\nHopeless."));
        assertThat(run.history()).endsWith(InstanceStatus.PAUSED, InstanceStatus.RUNNING, InstanceStatus.FAILED);
    }

    @Test
    void retryOfTheInstanceRetriesAllExceptions() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().withExceptionRule().ai("a").ai("b"))
                .fail("a", InstanceSimulation.BROKEN)
                .fail("b", InstanceSimulation.BROKEN)
                .apply(new InstanceEvent.RetryRequested(InstanceSimulation.KIM));
        assertThat(run.started()).containsExactly("a", "b");
        assertThat(run.of(Effect.CloseTicket.class)).hasSize(2);
        assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
        assertThat(run.refused(new InstanceEvent.RetryRequested(InstanceSimulation.KIM))
                        .status())
                .isEqualTo(InstanceStatus.RUNNING);
    }

    @Test
    void aPersonsRetryDoesNotGiveBackWhatThePolicySpent() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().withExceptionRule().ai("a", ErrorPolicy.RETRY));
        for (int i = 0; i < 6; i++) {
            run.fail("a", InstanceSimulation.BROKEN);
        }
        run.apply(new InstanceEvent.RetryRequested(InstanceSimulation.KIM)).fail("a", InstanceSimulation.BROKEN);
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.WAITING);
    }

    @Test
    void usageAddsUpOverAttempts() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a"));
        run.apply(new InstanceEvent.TaskFailed(
                WorkflowBuilder.id("a"), 1, InstanceSimulation.TIMEOUT, null, ModelUsage.ofReply(1, 2, 3)));
        run.retryDue("a")
                .apply(new InstanceEvent.TaskSucceeded(
                        WorkflowBuilder.id("a"), 2, Map.of("out", "x"), ModelUsage.ofReply(10, 20, 30)));
        assertThat(run.task("a").usage()).isEqualTo(new ModelUsage(11, 22, 33, 2, 0));
    }

    @Test
    void aRejectedTicketActionReportsTheStatus() {
        InstanceSimulation run = excepted();
        List<InstanceEvent> stale = List.of(
                new InstanceEvent.ExceptionRetry(WorkflowBuilder.id("a"), 2, InstanceSimulation.KIM),
                new InstanceEvent.ExceptionRetry(WorkflowBuilder.id("ghost"), 1, InstanceSimulation.KIM),
                new InstanceEvent.ExceptionSupplied(WorkflowBuilder.id("a"), 1, Map.of(), InstanceSimulation.KIM));
        assertThat(stale)
                .allSatisfy(event -> assertThat(run.refused(event).status()).isEqualTo(InstanceStatus.PAUSED));
    }

    private static InstanceSimulation excepted() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().withExceptionRule().ai("a"))
                .fail("a", InstanceSimulation.BROKEN);
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        return run;
    }
}
