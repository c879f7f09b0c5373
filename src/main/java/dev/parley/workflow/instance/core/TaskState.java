package dev.parley.workflow.instance.core;

import dev.parley.workflow.attempt.core.CallDecision;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.attempt.core.PendingToolCall;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of one task of an instance, or of one item of such a task. The methods create the next state and contain no rules; the rules are in
 * {@link Transition}.
 *
 * @param attempt counts executions and Human tickets of this task; 0 before the first. A result or an answer for
 *     another attempt is stale
 * @param run counts the runs ordered by a policy or a person. An automatic retry and a recovery stay within the run and
 *     keep its idempotency key
 * @param retries automatic retries spent in this run
 * @param policyRetries runs ordered by {@code error_policy} RETRY; a person's retry does not reset them
 * @param waitingFor set while WAITING, else null
 * @param outputs values by output name, set when COMPLETED; IGNORE and skipping leave null values. While a task
 *     repeats, those of its previous iteration
 * @param error the last error; kept on a task that was completed by IGNORE, cleared when a run succeeds
 * @param startedAt when the task first left PENDING
 * @param retryAt set while RUNNING without an executor: when the next run is due
 * @param usage null if no model was called
 * @param waitUntil when a task that waits for no person stops waiting; null for other tasks
 * @param iteration the current iteration of a task that repeats until a condition holds, from 0
 * @param skipped set when SKIPPED
 * @param call the tool call that a person has to approve, or has decided on last; null for none
 */
public record TaskState(
        TaskStatus status,
        int attempt,
        int run,
        int retries,
        int policyRetries,
        @Nullable WaitingReason waitingFor,
        Map<String, @Nullable Object> outputs,
        @Nullable TaskError error,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable Instant retryAt,
        @Nullable ModelUsage usage,
        @Nullable Instant waitUntil,
        int iteration,
        @Nullable SkipReason skipped,
        @Nullable PendingToolCall call) {
    /** The state of a task that has not been touched. */
    public static final TaskState PENDING = new TaskState(
            TaskStatus.PENDING, 0, 0, 0, 0, null, Map.of(), null, null, null, null, null, null, 0, null, null);

    public TaskState {
        outputs = ImmutableMaps.copy(outputs);
    }

    /** Whether an executor is running the task. */
    public boolean isExecuting() {
        return status == TaskStatus.RUNNING && retryAt == null;
    }

    /** @param number the number of the attempt that starts */
    TaskState started(int number, Instant now) {
        return next(TaskStatus.RUNNING, number, Math.max(run, 1), null, error, now, null, null);
    }

    /**
     * Waits without an executor.
     *
     * @param values the outputs of a task that completes at that time; empty if an event supplies them
     */
    TaskState suspended(WaitingReason reason, Map<String, @Nullable Object> values, Instant until) {
        return new TaskState(
                TaskStatus.WAITING,
                attempt,
                run,
                retries,
                policyRetries,
                reason,
                values,
                null,
                startedAt,
                null,
                null,
                usage,
                until,
                iteration,
                null,
                call);
    }

    /** The next attempt of a task whose items run; its number is the one that an item starts. */
    TaskState countingAttempt() {
        return next(status, attempt + 1, run, waitingFor, error, startedAt, finishedAt, retryAt);
    }

    /** Not started, because its condition does not hold or a predecessor was skipped. */
    TaskState skipped(SkipReason reason, Map<String, @Nullable Object> nulls, Instant now) {
        return new TaskState(
                TaskStatus.SKIPPED,
                attempt,
                run,
                0,
                0,
                null,
                nulls,
                error,
                startedAt,
                now,
                null,
                usage,
                null,
                0,
                reason,
                null);
    }

    /** The next iteration: a new run, which may read the outputs of this one. */
    TaskState repeated(Map<String, @Nullable Object> values) {
        return new TaskState(
                status,
                attempt,
                run + 1,
                0,
                0,
                waitingFor,
                values,
                null,
                startedAt,
                null,
                retryAt,
                usage,
                null,
                iteration + 1,
                null,
                null);
    }

    TaskState waitingFor(WaitingReason reason, Instant now) {
        return next(TaskStatus.WAITING, attempt, run, reason, error, now, null, null);
    }

    /** Asks again after a person rejected the question. The attempt changes, so that the old ticket is stale. */
    TaskState askedAgain(TaskError cause) {
        return new TaskState(
                status,
                attempt + 1,
                run,
                0,
                policyRetries + 1,
                waitingFor,
                outputs,
                cause,
                startedAt,
                null,
                retryAt,
                usage,
                null,
                iteration,
                null,
                call);
    }

    TaskState retriedAt(TaskError cause, Instant at) {
        return new TaskState(
                TaskStatus.RUNNING,
                attempt,
                run,
                retries + 1,
                policyRetries,
                null,
                outputs,
                cause,
                startedAt,
                null,
                at,
                usage,
                null,
                iteration,
                null,
                call);
    }

    /** A new run with automatic retries of its own, and a new idempotency key. */
    TaskState newRun(int policyRetriesSpent) {
        return new TaskState(
                status,
                attempt,
                run + 1,
                0,
                policyRetries + policyRetriesSpent,
                waitingFor,
                outputs,
                error,
                startedAt,
                null,
                retryAt,
                usage,
                null,
                iteration,
                null,
                call);
    }

    /** Ready to run, but held because the instance is paused by request. */
    TaskState held(Instant now) {
        return next(TaskStatus.RUNNING, attempt, run, null, error, now, null, now);
    }

    TaskState completed(Map<String, @Nullable Object> values, @Nullable TaskError ignored, Instant now) {
        return new TaskState(
                TaskStatus.COMPLETED,
                attempt,
                run,
                retries,
                policyRetries,
                null,
                values,
                ignored,
                startedAt == null ? now : startedAt,
                now,
                null,
                usage,
                null,
                iteration,
                null,
                null);
    }

    TaskState failed(TaskError cause, Instant now) {
        return next(TaskStatus.FAILED, attempt, run, null, cause, now, now, null);
    }

    TaskState withError(TaskError cause) {
        return next(status, attempt, run, waitingFor, cause, startedAt, finishedAt, retryAt);
    }

    TaskState withUsage(@Nullable ModelUsage more) {
        if (more == null) {
            return this;
        }
        return with(usage == null ? more : usage.plus(more), call);
    }

    /** Waits for a person's decision on a tool call. */
    TaskState waitingForApproval(PendingToolCall pending, Instant now) {
        return waitingFor(WaitingReason.TOOL_APPROVAL, now).with(usage, pending);
    }

    /** A person has decided on the tool call. */
    TaskState decided(CallDecision decision) {
        return call == null ? this : with(usage, call.with(decision));
    }

    private TaskState with(@Nullable ModelUsage used, @Nullable PendingToolCall pending) {
        return new TaskState(
                status,
                attempt,
                run,
                retries,
                policyRetries,
                waitingFor,
                outputs,
                error,
                startedAt,
                finishedAt,
                retryAt,
                used,
                waitUntil,
                iteration,
                skipped,
                pending);
    }

    /** Ended with its instance: CANCELLED if it had started, else SKIPPED. */
    TaskState ended(Instant now) {
        TaskStatus end = status == TaskStatus.PENDING ? TaskStatus.SKIPPED : TaskStatus.CANCELLED;
        TaskState state = next(end, attempt, run, null, error, startedAt, now, null);
        return end == TaskStatus.CANCELLED ? state : state.skipped(SkipReason.INSTANCE_ENDED, Map.of(), now);
    }

    private TaskState next(
            TaskStatus nextStatus,
            int nextAttempt,
            int nextRun,
            @Nullable WaitingReason reason,
            @Nullable TaskError cause,
            @Nullable Instant begun,
            @Nullable Instant finished,
            @Nullable Instant due) {
        Instant first = startedAt == null ? begun : startedAt;
        return new TaskState(
                nextStatus,
                nextAttempt,
                nextRun,
                retries,
                policyRetries,
                reason,
                outputs,
                cause,
                first,
                finished,
                due,
                usage,
                null,
                iteration,
                null,
                call);
    }
}
