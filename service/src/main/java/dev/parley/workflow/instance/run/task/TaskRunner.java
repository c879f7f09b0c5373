package dev.parley.workflow.instance.run.task;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.metrics.Metric;
import dev.parley.problem.ApiProblem;
import dev.parley.trace.TraceSpan;
import dev.parley.workflow.attempt.AttemptRecording;
import dev.parley.workflow.attempt.AttemptStatus;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.instance.core.InputResolver;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TaskInputs;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.WaitingReason;
import dev.parley.workflow.instance.run.DelayedActions;
import dev.parley.workflow.instance.run.OutputFiles;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.journal.TaskJournal;
import dev.parley.workflow.task.ApprovalRequest;
import dev.parley.workflow.task.InstanceUsage;
import dev.parley.workflow.task.TaskExecutor;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskOutcome;
import dev.parley.workflow.task.TaskResult;
import dev.parley.workflow.task.TaskRun;
import dev.parley.workflow.task.TaskWait;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/** Runs task executors with a time limit, and reports the results. */
@Singleton
public final class TaskRunner {
    private static final Logger LOG = Logger.getLogger(TaskRunner.class);

    private final Map<TaskKind, TaskExecutor> executors = new EnumMap<>(TaskKind.class);
    private final ConversationMemory memory;
    private final OutputFiles files;
    private final LakeRows lakes;
    private final AttemptRecorder attempts;
    private final TaskJournals journals;
    private final Clock time;
    private final DelayedActions delays;

    public TaskRunner(
            @Any Instance<TaskExecutor> executors,
            ConversationMemory memory,
            OutputFiles files,
            LakeRows lakes,
            AttemptRecorder attempts,
            TaskJournals journals,
            Clock time,
            DelayedActions delays) {
        executors.forEach(executor -> this.executors.put(executor.kind(), executor));
        this.memory = memory;
        this.files = files;
        this.lakes = lakes;
        this.attempts = attempts;
        this.journals = journals;
        this.time = time;
        this.delays = delays;
    }

    /** One attempt in progress. */
    public static final class Execution {
        private volatile ModelUsage before = ModelUsage.NONE;
        private volatile @Nullable AttemptRecording recording;
        private volatile boolean timedOut;
        private volatile boolean abandoned;
        private @Nullable Thread thread;

        /** Like {@link #stop}, for an instance that moved to another node: nothing of the execution may be stored. */
        public void abandon() {
            abandoned = true;
            stop();
        }

        /** The usage of models by this attempt so far, including that of lost executions. */
        public ModelUsage usage() {
            AttemptRecording recorded = recording;
            return recorded == null ? before : before.plus(recorded.usage());
        }

        /** Stops the executor. Its result is not reported. */
        public synchronized void stop() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        private void timeOut() {
            timedOut = true;
            stop();
        }

        private synchronized void begin(Thread running) {
            thread = running;
        }

        /** From here on, the thread is not interrupted any more. */
        private synchronized void end() {
            thread = null;
        }
    }

    /** Adds the instance to the log context of this virtual thread, which is never reused. */
    public static void logAs(OrganizationId organization, WorkflowInstanceId instance) {
        MDC.put("organizationId", organization.text());
        MDC.put("workflowInstanceId", instance.text());
    }

    /**
     * Starts an attempt on a virtual thread.
     *
     * @param again whether the same attempt ran on a node that died
     */
    public Execution start(TaskHost host, StoredInstance instance, Effect.StartTask start, boolean again) {
        var execution = new Execution();
        return started(execution, instance, () -> execute(host, instance, start, execution, again));
    }

    /** Reads inputs on a virtual thread, for a ticket that shows them or for the items of a task. */
    public Execution startFetch(TaskHost host, StoredInstance instance, Effect.FetchInputs fetch) {
        return started(new Execution(), instance, () -> fetch(host, instance, fetch));
    }

    /**
     * Runs an attempt on the current thread.
     *
     * @param again whether the same attempt ran on a node that died
     * @throws InterruptedException if the execution was stopped; then nothing is reported
     */
    public void run(TaskHost host, StoredInstance instance, Effect.StartTask start, Execution execution, boolean again)
            throws InterruptedException {
        execution.begin(Thread.currentThread());
        try {
            execute(host, instance, start, execution, again);
        } finally {
            execution.end();
        }
    }

    /**
     * Reads inputs on the current thread, for a ticket that shows them or for the items of a task.
     *
     * @throws InterruptedException if the thread was interrupted; then nothing is reported
     */
    public void fetch(TaskHost host, StoredInstance instance, Effect.FetchInputs fetch) throws InterruptedException {
        Task task = task(instance, fetch.task());
        InstanceEvent.TaskReport report;
        try {
            report = new InstanceEvent.InputsFetched(
                    fetch.task(),
                    fetch.attempt(),
                    guarded(
                            instance,
                            task,
                            () -> inputs(instance, task, fetch.inputs(), earlier(instance, task, fetch.inputs()))));
        } catch (TaskFailure e) {
            report = failed(fetch.task(), fetch.attempt(), e, null);
        }
        host.onReport(report, null);
    }

    @FunctionalInterface
    private interface InterruptibleTask {
        void run() throws InterruptedException;
    }

    private static Execution started(Execution execution, StoredInstance instance, InterruptibleTask work) {
        Thread thread = Thread.ofVirtual().unstarted(() -> {
            logAs(instance.header().organization(), instance.header().id());
            try {
                var _ = Database.inBackground(() -> {
                    work.run();
                    return true;
                });
            } catch (InterruptedException _) {
                LOG.debugf("A task of %s was stopped", instance.header().id());
            }
        });
        execution.begin(thread);
        thread.start();
        return execution;
    }

    private static Task task(StoredInstance instance, TaskId id) {
        return instance.state().plan().task(instance.state().plan().number(id));
    }

    private void execute(
            TaskHost host, StoredInstance instance, Effect.StartTask start, Execution execution, boolean again)
            throws InterruptedException {
        Task task = task(instance, start.task());
        TaskExecutor executor = executors.get(task.kind());
        if (executor == null) {
            var missing = TaskFailure.permanent(
                    "Not available", task.kind().text() + " tasks cannot be run by this version of the service.");
            host.onReport(failed(start.task(), start.attempt(), missing, null), null);
            return;
        }
        Future<?> limit = delays.after(executor.limit(), execution::timeOut);
        long begun = System.nanoTime();
        TaskJournal journal = journals.of(host, instance, task, start, again);
        ModelUsage before = again
                ? lose(host, instance, start, executor.keepsJournal() ? journal::usage : () -> ModelUsage.NONE)
                : ModelUsage.NONE;
        AttemptRecording recording =
                new AttemptRecording(key(instance, start, now()), attempt -> attempts.record(host::store, attempt));
        execution.before = before;
        execution.recording = recording;
        String result = "stopped";
        InstanceEvent.TaskReport report;
        TaskAttempt attempt;
        TraceSpan span = RunSpans.task(instance, task, start.attempt());
        try {
            TaskOutcome outcome = outcome(executor, host, instance, task, start, execution, recording, journal);
            report = report(start, outcome, used(before, recording));
            attempt = attempt(outcome, recording, now());
            result = "succeeded";
        } catch (TaskFailure e) {
            report = failed(start.task(), start.attempt(), e, used(before, recording));
            attempt = recording.attempt(
                    AttemptStatus.FAILED, now(), new TaskAttempt.AttemptFailure(e.title(), e.detail()));
            result = execution.timedOut ? "timed_out" : "failed";
            span.fail(e.isTransient() ? "transient_failure" : "permanent_failure");
        } finally {
            limit.cancel(false);
            span.close();
            Metric.TASK_RUNS.timer(task.kind().text(), result).record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
        }
        host.onReport(report, attempt);
    }

    private static @Nullable ModelUsage used(ModelUsage before, AttemptRecording recording) {
        ModelUsage sum = before.plus(recording.usage());
        return sum.isNone() ? null : sum;
    }

    private Instant now() {
        return time.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static TaskAttempt.AttemptKey key(
            StoredInstance instance, Effect.StartTask start, @Nullable Instant startedAt) {
        return new TaskAttempt.AttemptKey(
                instance.header().organization(),
                instance.header().id(),
                TaskAttemptId.next(),
                start.task().value(),
                start.item(),
                start.attempt(),
                startedAt);
    }

    /** The usage of the attempt's lost executions. Their start is known only for the first one. */
    private ModelUsage lose(
            TaskHost host, StoredInstance instance, Effect.StartTask start, Supplier<ModelUsage> journaled) {
        TaskState state =
                instance.state().tasks().withAttempt(instance.state().plan().number(start.task()), start.attempt());
        Instant first = state == null ? null : state.startedAt();
        try {
            return attempts.recordLost(
                    instance.header(),
                    host::store,
                    key(instance, start, start.attempt() == 1 ? first : null),
                    journaled.get());
        } catch (RuntimeException e) {
            LOG.debugf("Lost attempt of %s was not recorded: %s", start.task(), e.getMessage());
            return ModelUsage.NONE;
        }
    }

    private static InstanceEvent.TaskReport report(
            Effect.StartTask start, TaskOutcome outcome, @Nullable ModelUsage used) {
        return switch (outcome) {
            case TaskResult result ->
                new InstanceEvent.TaskSucceeded(start.task(), start.attempt(), result.outputs(), used);
            case TaskWait wait ->
                new InstanceEvent.TaskSuspended(
                        start.task(),
                        start.attempt(),
                        switch (wait.kind()) {
                            case TIME -> WaitingReason.TIMER;
                            case EVENT -> WaitingReason.EVENT;
                            case SUB_WORKFLOW -> WaitingReason.SUB_WORKFLOW;
                        },
                        wait.outputs(),
                        wait.until(),
                        used);
            case ApprovalRequest request ->
                new InstanceEvent.ApprovalRequested(start.task(), start.attempt(), request.call(), used);
        };
    }

    private static InstanceEvent.TaskReport failed(
            TaskId task, int attempt, TaskFailure failure, @Nullable ModelUsage used) {
        return new InstanceEvent.TaskFailed(
                task,
                attempt,
                new TaskError(failure.title(), failure.detail(), failure.isTransient()),
                failure.retryAfter().orElse(null),
                used);
    }

    /** Null for an execution that started a sub-workflow and did nothing else: the one after the wait records it. */
    private static @Nullable TaskAttempt attempt(TaskOutcome outcome, AttemptRecording recording, Instant at) {
        boolean continues = outcome instanceof ApprovalRequest
                || (outcome instanceof TaskWait wait && wait.kind() == TaskWait.WaitKind.SUB_WORKFLOW);
        return continues && recording.isEmpty()
                ? null
                : recording.attempt(continues ? AttemptStatus.SUSPENDED : AttemptStatus.COMPLETED, at, null);
    }

    /** Executes a task within its time limit, with the files of its outputs stored. */
    private TaskOutcome outcome(
            TaskExecutor executor,
            TaskHost host,
            StoredInstance instance,
            Task task,
            Effect.StartTask start,
            Execution execution,
            AttemptRecording recording,
            TaskJournal journal)
            throws TaskFailure, InterruptedException {
        try {
            return guarded(instance, task, () -> {
                var header = instance.header();
                List<Map<String, @Nullable Object>> earlier = earlier(instance, task, start.inputs());
                Map<String, @Nullable Object> inputs = inputs(instance, task, start.inputs(), earlier);
                TaskOutcome outcome = executor.run(new TaskRun(
                        header.organization(),
                        header.workflow(),
                        header.workflowVersion(),
                        header.id(),
                        header.conversation(),
                        task,
                        start.attempt(),
                        inputs,
                        start.inputs().toFetch().keySet(),
                        InputResolver.unheldFiles(instance.state(), start.task()),
                        ConversationMemory.named(task, earlier),
                        start.idempotencyKey(),
                        executor.limit(),
                        recording,
                        journal,
                        new InstanceUsage(instance.state().plan().definition().limits(), header.apiKey(), host::usage),
                        decided(instance, start)));
                return outcome instanceof TaskResult result
                        ? new TaskResult(files.stored(header, task, inputs, result))
                        : outcome;
            });
        } catch (InterruptedException e) {
            if (execution.timedOut) {
                throw TaskFailure.of(
                        "Time limit",
                        "The task did not finish within " + executor.limit().toSeconds() + " s.",
                        true,
                        null,
                        e);
            }
            if (!execution.abandoned) {
                attempts.recordDropped(
                        instance.header(), host::store, recording.attempt(AttemptStatus.CANCELLED, now(), null));
            }
            throw e;
        }
    }

    private static @Nullable PendingToolCall decided(StoredInstance instance, Effect.StartTask start) {
        InstanceState state = instance.state();
        TaskState task = state.tasks().withAttempt(state.plan().number(start.task()), start.attempt());
        return task == null ? null : task.call();
    }

    @FunctionalInterface
    private interface TaskWork<T> {
        T run() throws TaskFailure, InterruptedException;
    }

    /** Runs part of a task and turns unexpected exceptions into failures of the task. */
    private static <T> T guarded(StoredInstance instance, Task task, TaskWork<T> work)
            throws TaskFailure, InterruptedException {
        try {
            return work.run();
        } catch (RuntimeException e) {
            if (Database.translate(e) instanceof ApiProblem outage) {
                throw TaskFailure.of("Unavailable", outage.detail(), true, null, e);
            }
            LOG.errorf(
                    e,
                    "Task %s of instance %s failed in the service",
                    task.id(),
                    instance.header().id());
            throw TaskFailure.permanent("Internal error", "The task could not be run.");
        }
    }

    /**
     * All inputs, including those read from a store.
     *
     * @param earlier outputs of the conversation's earlier instances
     */
    private Map<String, @Nullable Object> inputs(
            StoredInstance instance, Task task, TaskInputs inputs, List<Map<String, @Nullable Object>> earlier)
            throws TaskFailure, InterruptedException {
        if (inputs.toFetch().isEmpty()) {
            return inputs.values();
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>(inputs.values());
        for (Map.Entry<String, TaskInputs.Fetch> wanted : inputs.toFetch().entrySet()) {
            String name = wanted.getKey();
            all.put(
                    name,
                    switch (wanted.getValue()) {
                        case CONVERSATION_HISTORY -> memory.history(instance.header(), input(task, name));
                        case EARLIER_OUTPUT -> ConversationMemory.value(input(task, name), earlier);
                        case DATA_LAKE_ROWS -> lakes.rows(instance, task, name, all);
                    });
        }
        return all;
    }

    /** Loads earlier outputs only for models and for inputs that need them. */
    private List<Map<String, @Nullable Object>> earlier(StoredInstance instance, Task task, TaskInputs inputs) {
        boolean wanted =
                task.kind().knowsEarlierOutputs() || inputs.toFetch().containsValue(TaskInputs.Fetch.EARLIER_OUTPUT);
        return wanted ? memory.outputs(instance.header()) : List.of();
    }

    static InputParameter input(Task task, String name) {
        return task.inputParameters().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
