package dev.parley.workflow.instance.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.ErrorPolicy;
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
        Run run = Run.of(new Flow().ai("a"));
        String key = run.only(Effect.StartTask.class).idempotencyKey();
        for (int retry = 0; retry < 3; retry++) {
            run.fail("a", Run.TIMEOUT);
            Effect.ScheduleRetry timer = run.only(Effect.ScheduleRetry.class);
            Duration delay = Duration.between(run.now(), timer.at());
            assertThat(delay.toMillis()).isBetween(750L << retry, 1_250L << retry);
            assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
            run.retryDue("a");
            Effect.StartTask again = run.only(Effect.StartTask.class);
            assertThat(again.attempt()).isEqualTo(retry + 2);
            assertThat(again.idempotencyKey()).isEqualTo(key);
        }
        run.fail("a", Run.TIMEOUT);
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.state().error()).isEqualTo(new InstanceError(Flow.id("a"), "Timeout", "It took too long."));
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.FAILED);
    }

    @Test
    void theSameEventAlwaysGetsTheSameDelay() {
        Flow flow = new Flow().ai("a");
        Instant first = Run.of(flow).fail("a", Run.TIMEOUT).task("a").retryAt();
        assertThat(Run.of(flow).fail("a", Run.TIMEOUT).task("a").retryAt()).isEqualTo(first);
    }

    @Test
    void aLongerRetryAfterIsHonouredUpToFiveMinutes() {
        assertThat(delayFor(Duration.ofSeconds(40))).isEqualTo(Duration.ofSeconds(40));
        assertThat(delayFor(Duration.ofDays(1))).isEqualTo(Duration.ofMinutes(5));
        assertThat(delayFor(Duration.ZERO)).isBetween(Duration.ofMillis(750), Duration.ofMillis(1_250));
    }

    private static Duration delayFor(Duration retryAfter) {
        Run run = Run.of(new Flow().ai("a"));
        run.apply(new InstanceEvent.TaskFailed(Flow.id("a"), 1, Run.TIMEOUT, retryAfter, null));
        return Duration.between(run.now(), run.only(Effect.ScheduleRetry.class).at());
    }

    @Test
    void aTimerThatFiresTwiceStartsOnce() {
        Run run = Run.of(new Flow().ai("a")).fail("a", Run.TIMEOUT).retryDue("a");
        run.ignored(new InstanceEvent.RetryDue(Flow.id("a"), 1));
    }

    @Test
    void aSuccessAfterARetryClearsTheError() {
        Run run =
                Run.of(new Flow().ai("a")).fail("a", Run.TIMEOUT).retryDue("a").succeed("a");
        assertThat(run.status()).isEqualTo(InstanceStatus.COMPLETED);
        assertThat(run.task("a").error()).isNull();
    }

    @Test
    void aPermanentErrorWithoutPolicyAndRuleFailsTheInstanceAtOnce() {
        Run run = Run.of(new Flow().ai("a").ai("b").human("c").ai("d").after("b", "d"))
                .fail("a", Run.BROKEN);
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.statusOf("b")).isEqualTo(TaskStatus.CANCELLED);
        assertThat(run.statusOf("c")).isEqualTo(TaskStatus.CANCELLED);
        assertThat(run.statusOf("d")).isEqualTo(TaskStatus.SKIPPED);
        assertThat(run.of(Effect.StopTask.class)).containsExactly(new Effect.StopTask(Flow.id("b"), 1));
        assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.CANCELLED);
        assertThat(run.effects().getLast()).isEqualTo(new Effect.InstanceFinished(InstanceStatus.FAILED));
        run.ignored(new InstanceEvent.TaskSucceeded(Flow.id("b"), 1, Map.of("out", "late")));
    }

    @Test
    void raiseFailsTheInstanceDespiteAnExceptionRule() {
        Run run = Run.of(new Flow().withExceptionRule().ai("a", ErrorPolicy.RAISE))
                .fail("a", Run.BROKEN);
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
    }

    @Test
    void ignoreCompletesTheTaskWithNullOutputs() {
        Run run = Run.of(new Flow().ai("a", ErrorPolicy.IGNORE).ai("b").after("a", "b"));
        run.fail("a", Run.BROKEN);
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.COMPLETED);
        assertThat(run.task("a").outputs()).isEqualTo(Collections.singletonMap("out", null));
        assertThat(run.task("a").error()).isEqualTo(Run.BROKEN);
        assertThat(run.started()).containsExactly("b");
    }

    @Test
    void retryRunsAgainFiveTimesWithANewKeyEachAndThenRaises() {
        Run run = Run.of(new Flow().ai("a", ErrorPolicy.RETRY));
        for (int retry = 1; retry <= 5; retry++) {
            run.fail("a", Run.BROKEN);
            assertThat(run.only(Effect.StartTask.class).idempotencyKey()).isEqualTo("i1:a:" + (retry + 1));
        }
        assertThat(run.fail("a", Run.BROKEN).status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.task("a").attempt()).isEqualTo(6);
    }

    @Test
    void everyRunOfRetryHasItsOwnAutomaticRetries() {
        Run run = Run.of(new Flow().ai("a", ErrorPolicy.RETRY));
        int starts = 1;
        while (run.status() == InstanceStatus.RUNNING) {
            run.fail("a", Run.TIMEOUT);
            if (run.task("a").retryAt() != null) {
                run.retryDue("a");
            }
            starts += run.started().size();
        }
        assertThat(starts).isEqualTo(6 * 4);
    }

    @Test
    void anExhaustedRetryOpensAnExceptionTicketIfThereIsARule() {
        Run run = Run.of(new Flow().withExceptionRule().ai("a", ErrorPolicy.RETRY));
        for (int i = 0; i < 6; i++) {
            run.fail("a", Run.BROKEN);
        }
        assertThat(run.task("a").waitingFor()).isEqualTo(WaitingReason.EXCEPTION_TICKET);
    }

    @Test
    void anExceptionRuleOpensATicketAndPausesWhenNothingElseRuns() {
        Run run = Run.of(new Flow().withExceptionRule().ai("a").ai("b"));
        run.fail("a", Run.BROKEN);
        Effect.OpenTicket ticket = run.only(Effect.OpenTicket.class);
        assertThat(ticket.kind()).isEqualTo(RuleType.EXCEPTION);
        assertThat(ticket.error()).isEqualTo(Run.BROKEN);
        assertThat(ticket.assignees()).hasSize(1).allMatch(rule -> rule.assigneeId()
                .equals("4"));
        assertThat(ticket.form().outputs()).hasSize(1);
        assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
        assertThat(run.succeed("b").status()).isEqualTo(InstanceStatus.PAUSED);
    }

    @Test
    void aPersonRetriesAFailedTask() {
        Run run = excepted();
        run.apply(new InstanceEvent.ExceptionRetry(Flow.id("a"), 1, Run.KIM));
        assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.RETRIED);
        assertThat(run.only(Effect.StartTask.class).idempotencyKey()).isEqualTo("i1:a:2");
        assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
        assertThat(run.succeed("a").status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void aPersonSuppliesTheOutputs() {
        Run run = excepted();
        run.apply(new InstanceEvent.ExceptionSupplied(Flow.id("a"), 1, Map.of("out", "mine"), Run.KIM));
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
        Run run = excepted();
        run.apply(new InstanceEvent.ExceptionRaised(Flow.id("a"), 1, "Hopeless.", Run.KIM));
        assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.REJECTED);
        assertThat(run.state().error())
                .isEqualTo(new InstanceError(Flow.id("a"), "Broken", "It cannot work. Hopeless."));
        assertThat(run.history()).endsWith(InstanceStatus.PAUSED, InstanceStatus.RUNNING, InstanceStatus.FAILED);
    }

    @Test
    void retryOfTheInstanceRetriesAllExceptions() {
        Run run = Run.of(new Flow().withExceptionRule().ai("a").ai("b"))
                .fail("a", Run.BROKEN)
                .fail("b", Run.BROKEN)
                .apply(new InstanceEvent.RetryRequested(Run.KIM));
        assertThat(run.started()).containsExactly("a", "b");
        assertThat(run.of(Effect.CloseTicket.class)).hasSize(2);
        assertThat(run.status()).isEqualTo(InstanceStatus.RUNNING);
        assertThat(run.refused(new InstanceEvent.RetryRequested(Run.KIM)).status())
                .isEqualTo(InstanceStatus.RUNNING);
    }

    @Test
    void aPersonsRetryDoesNotGiveBackWhatThePolicySpent() {
        Run run = Run.of(new Flow().withExceptionRule().ai("a", ErrorPolicy.RETRY));
        for (int i = 0; i < 6; i++) {
            run.fail("a", Run.BROKEN);
        }
        run.apply(new InstanceEvent.RetryRequested(Run.KIM)).fail("a", Run.BROKEN);
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.WAITING);
    }

    @Test
    void usageAddsUpOverAttempts() {
        Run run = Run.of(new Flow().ai("a"));
        run.apply(new InstanceEvent.TaskFailed(Flow.id("a"), 1, Run.TIMEOUT, null, new ModelUsage(1, 2, 3)));
        run.retryDue("a")
                .apply(new InstanceEvent.TaskSucceeded(
                        Flow.id("a"), 2, Map.of("out", "x"), new ModelUsage(10, 20, 30)));
        assertThat(run.task("a").usage()).isEqualTo(new ModelUsage(11, 22, 33));
    }

    @Test
    void aRejectedTicketActionReportsTheStatus() {
        Run run = excepted();
        List<InstanceEvent> stale = List.of(
                new InstanceEvent.ExceptionRetry(Flow.id("a"), 2, Run.KIM),
                new InstanceEvent.ExceptionRetry(Flow.id("ghost"), 1, Run.KIM),
                new InstanceEvent.ExceptionSupplied(Flow.id("a"), 1, Map.of(), Run.KIM));
        assertThat(stale)
                .allSatisfy(event -> assertThat(run.refused(event).status()).isEqualTo(InstanceStatus.PAUSED));
    }

    private static Run excepted() {
        Run run = Run.of(new Flow().withExceptionRule().ai("a")).fail("a", Run.BROKEN);
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        return run;
    }
}
