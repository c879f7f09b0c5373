package dev.parley.workflow.instance.core.state;

import dev.parley.workflow.attempt.core.CallDecision;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.instance.core.Transition;
import dev.parley.workflow.instance.core.plan.ImmutableMaps;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of one task of an instance, or of one item of such a task. The methods create the next state and contain no
 * rules; the rules are in {@link Transition}.
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
 * @param reusedFrom the instance in which the task ran or was skipped, if this one took the result over; else null
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
        @Nullable PendingToolCall call,
        @Nullable String reusedFrom) {
    /** The state of a task that has not been touched. */
    public static final TaskState PENDING = new TaskState(
            TaskStatus.PENDING, 0, 0, 0, 0, null, Map.of(), null, null, null, null, null, null, 0, null, null, null);

    public TaskState {
        outputs = ImmutableMaps.copy(outputs);
    }

    /** Whether an executor is running the task. */
    public boolean isExecuting() {
        return status == TaskStatus.RUNNING && retryAt == null;
    }

    /** @param number the number of the attempt that starts */
    public TaskState started(int number, Instant now) {
        Builder next = next();
        next.status = TaskStatus.RUNNING;
        next.attempt = number;
        next.run = Math.max(run, 1);
        next.waitingFor = null;
        next.begin(now);
        return next.build();
    }

    /**
     * Waits without an executor.
     *
     * @param values the outputs of a task that completes at that time; empty if an event supplies them
     */
    public TaskState suspended(WaitingReason reason, Map<String, @Nullable Object> values, Instant until) {
        Builder next = next();
        next.status = TaskStatus.WAITING;
        next.waitingFor = reason;
        next.outputs = values;
        next.error = null;
        next.finishedAt = null;
        next.retryAt = null;
        next.waitUntil = until;
        return next.build();
    }

    /** The next attempt of a task whose items run; its number is the one that an item starts. */
    public TaskState countingAttempt() {
        Builder next = next();
        next.attempt++;
        return next.build();
    }

    /** Not started, because its condition does not hold or a predecessor was skipped. */
    public TaskState skipped(SkipReason reason, Map<String, @Nullable Object> nulls, Instant now) {
        Builder next = next();
        next.status = TaskStatus.SKIPPED;
        next.retries = 0;
        next.policyRetries = 0;
        next.waitingFor = null;
        next.outputs = nulls;
        next.finishedAt = now;
        next.retryAt = null;
        next.iteration = 0;
        next.skipped = reason;
        next.call = null;
        return next.build();
    }

    /** Ended without a start, with the result of an earlier instance. */
    public TaskState reused(ReusedResult result, Instant now) {
        SkipReason reason = result.skipped();
        var ended = new Builder(
                reason == null ? completed(result.outputs(), null, now) : skipped(reason, result.outputs(), now));
        ended.reusedFrom = result.instance();
        return ended.build();
    }

    /** The next iteration: a new run, which may read the outputs of this one. */
    public TaskState repeated(Map<String, @Nullable Object> values) {
        Builder next = next();
        next.run++;
        next.retries = 0;
        next.policyRetries = 0;
        next.outputs = values;
        next.error = null;
        next.finishedAt = null;
        next.iteration++;
        next.call = null;
        return next.build();
    }

    public TaskState waitingFor(WaitingReason reason, Instant now) {
        Builder next = next();
        next.status = TaskStatus.WAITING;
        next.waitingFor = reason;
        next.begin(now);
        return next.build();
    }

    /** Asks again after a person rejected the question. The attempt changes, so that the old ticket is stale. */
    public TaskState askedAgain(TaskError cause) {
        Builder next = next();
        next.attempt++;
        next.retries = 0;
        next.policyRetries++;
        next.error = cause;
        next.finishedAt = null;
        return next.build();
    }

    public TaskState retriedAt(TaskError cause, Instant at) {
        Builder next = next();
        next.status = TaskStatus.RUNNING;
        next.retries++;
        next.waitingFor = null;
        next.error = cause;
        next.finishedAt = null;
        next.retryAt = at;
        return next.build();
    }

    /** A new run with automatic retries of its own, and a new idempotency key. */
    public TaskState newRun(int policyRetriesSpent) {
        Builder next = next();
        next.run++;
        next.retries = 0;
        next.policyRetries += policyRetriesSpent;
        next.finishedAt = null;
        return next.build();
    }

    /** Ready to run, but held because the instance is paused by request. */
    public TaskState held(Instant now) {
        Builder next = next();
        next.status = TaskStatus.RUNNING;
        next.waitingFor = null;
        next.begin(now);
        next.retryAt = now;
        return next.build();
    }

    public TaskState completed(Map<String, @Nullable Object> values, @Nullable TaskError ignored, Instant now) {
        Builder next = next();
        next.status = TaskStatus.COMPLETED;
        next.waitingFor = null;
        next.outputs = values;
        next.error = ignored;
        next.begin(now);
        next.finishedAt = now;
        next.call = null;
        return next.build();
    }

    public TaskState failed(TaskError cause, Instant now) {
        Builder next = next();
        next.status = TaskStatus.FAILED;
        next.waitingFor = null;
        next.error = cause;
        next.begin(now);
        next.finishedAt = now;
        return next.build();
    }

    public TaskState withError(TaskError cause) {
        Builder next = next();
        next.error = cause;
        return next.build();
    }

    public TaskState withUsage(@Nullable ModelUsage more) {
        if (more == null) {
            return this;
        }
        var same = new Builder(this);
        same.usage = usage == null ? more : usage.plus(more);
        return same.build();
    }

    /** Waits for a person's decision on a tool call. */
    public TaskState waitingForApproval(PendingToolCall pending, Instant now) {
        return waitingFor(WaitingReason.TOOL_APPROVAL, now).with(pending);
    }

    /** A person has decided on the tool call. */
    public TaskState decided(CallDecision decision) {
        return call == null ? this : with(call.with(decision));
    }

    private TaskState with(PendingToolCall pending) {
        var same = new Builder(this);
        same.call = pending;
        return same.build();
    }

    /** Ended with its instance: CANCELLED if it had started, else SKIPPED. */
    public TaskState ended(Instant now) {
        if (status == TaskStatus.PENDING) {
            return skipped(SkipReason.INSTANCE_ENDED, Map.of(), now);
        }
        Builder next = next();
        next.status = TaskStatus.CANCELLED;
        next.waitingFor = null;
        next.finishedAt = now;
        next.retryAt = null;
        return next.build();
    }

    /** A copy for the next state, without the parts that belong to one state only. */
    private Builder next() {
        var next = new Builder(this);
        next.waitUntil = null;
        next.skipped = null;
        next.reusedFrom = null;
        return next;
    }

    /** A copy of a state that can be changed. */
    private static final class Builder {
        TaskStatus status;
        int attempt;
        int run;
        int retries;
        int policyRetries;

        @Nullable
        WaitingReason waitingFor;

        Map<String, @Nullable Object> outputs;

        @Nullable
        TaskError error;

        @Nullable
        Instant startedAt;

        @Nullable
        Instant finishedAt;

        @Nullable
        Instant retryAt;

        @Nullable
        ModelUsage usage;

        @Nullable
        Instant waitUntil;

        int iteration;

        @Nullable
        SkipReason skipped;

        @Nullable
        PendingToolCall call;

        @Nullable
        String reusedFrom;

        Builder(TaskState from) {
            status = from.status;
            attempt = from.attempt;
            run = from.run;
            retries = from.retries;
            policyRetries = from.policyRetries;
            waitingFor = from.waitingFor;
            outputs = from.outputs;
            error = from.error;
            startedAt = from.startedAt;
            finishedAt = from.finishedAt;
            retryAt = from.retryAt;
            usage = from.usage;
            waitUntil = from.waitUntil;
            iteration = from.iteration;
            skipped = from.skipped;
            call = from.call;
            reusedFrom = from.reusedFrom;
        }

        /** The task has left PENDING, now or before. */
        void begin(Instant now) {
            startedAt = startedAt == null ? now : startedAt;
            finishedAt = null;
            retryAt = null;
        }

        TaskState build() {
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
                    usage,
                    waitUntil,
                    iteration,
                    skipped,
                    call,
                    reusedFrom);
        }
    }
}
