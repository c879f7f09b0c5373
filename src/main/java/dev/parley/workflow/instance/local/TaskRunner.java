package dev.parley.workflow.instance.local;

import dev.parley.db.Database;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.message.MessageReader;
import dev.parley.problem.Problem;
import dev.parley.workflow.definition.core.InputParameter;
import dev.parley.workflow.definition.core.Pointer;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.Values;
import dev.parley.workflow.instance.StoredInstance;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.TaskError;
import dev.parley.workflow.instance.core.TaskInputs;
import dev.parley.workflow.instance.core.Usage;
import dev.parley.workflow.task.TaskExecutor;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskResult;
import dev.parley.workflow.task.TaskRun;
import dev.parley.workflow.task.ai.ConversationHistory;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Timer;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/** Runs the executors of tasks, each on a virtual thread and within its time, and reports what became of them. */
@Singleton
public final class TaskRunner {
    static final Executor VIRTUAL = task -> Thread.ofVirtual().start(task);

    private static final Logger LOG = Logger.getLogger(TaskRunner.class);

    private final Map<Class<? extends Task>, TaskExecutor> executors = new HashMap<>();
    private final MessageReader messages;
    private final OutputFiles files;
    private final LakeRows lakes;
    private final ScheduledThreadPoolExecutor clock;

    public TaskRunner(
            @Any Instance<TaskExecutor> executors, MessageReader messages, OutputFiles files, LakeRows lakes) {
        executors.forEach(executor -> this.executors.put(executor.kind(), executor));
        this.messages = messages;
        this.files = files;
        this.lakes = lakes;
        this.clock = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("task-clock").factory());
        clock.setRemoveOnCancelPolicy(true);
    }

    @PreDestroy
    void close() {
        clock.shutdownNow();
    }

    /** Does something after a time, on a virtual thread. */
    void later(Duration wait, Runnable action) {
        var _ = clock.schedule(() -> VIRTUAL.execute(action), Math.max(0, wait.toMillis()), TimeUnit.MILLISECONDS);
    }

    /** One attempt in progress. */
    static final class Execution {
        private final int attempt;
        private volatile boolean timedOut;
        private volatile @Nullable Thread thread;

        Execution(int attempt) {
            this.attempt = attempt;
        }

        int attempt() {
            return attempt;
        }

        /** Tells the executor to stop; nothing of it is reported then. */
        void stop() {
            Thread running = thread;
            if (running != null) {
                running.interrupt();
            }
        }

        private void timeOut() {
            timedOut = true;
            stop();
        }
    }

    /** Names the instance on every log line of this virtual thread, which works for nothing else. */
    static void logAs(OrganizationId organization, WorkflowInstanceId instance) {
        MDC.put("organizationId", organization.text());
        MDC.put("workflowInstanceId", instance.text());
    }

    /** Starts an attempt; it reports to the run. */
    Execution start(InstanceRun run, StoredInstance instance, Effect.StartTask start) {
        var execution = new Execution(start.attempt());
        Thread thread = Thread.ofVirtual().unstarted(() -> execute(run, instance, start, execution));
        execution.thread = thread;
        thread.start();
        return execution;
    }

    private void execute(InstanceRun run, StoredInstance instance, Effect.StartTask start, Execution execution) {
        Task task = instance.state().plan().task(start.task());
        if (task == null) {
            return;
        }
        logAs(instance.header().organization(), instance.header().id());
        TaskExecutor executor = executors.get(task.getClass());
        if (executor == null) {
            run.report(failed(
                    start,
                    "Not available",
                    task.kind() + " tasks cannot be run by this version of the service.",
                    false,
                    null));
            return;
        }
        Future<?> limit = clock.schedule(execution::timeOut, executor.limit().toMillis(), TimeUnit.MILLISECONDS);
        long begun = System.nanoTime();
        String outcome = "stopped";
        try {
            InstanceEvent.TaskReport report = execute(executor, instance, task, start);
            outcome = report instanceof InstanceEvent.TaskSucceeded ? "succeeded" : "failed";
            run.report(report);
        } catch (InterruptedException _) {
            if (execution.timedOut) {
                outcome = "timed_out";
                run.report(failed(
                        start,
                        "Time limit",
                        "The task did not finish within " + executor.limit().toSeconds() + " s.",
                        true,
                        null));
            }
        } finally {
            limit.cancel(false);
            Timer.builder("parley.task.runs")
                    .description("Attempts of tasks, by kind and what became of them")
                    .tag("kind", task.kind().toString())
                    .tag("outcome", outcome)
                    .register(Metrics.globalRegistry)
                    .record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
        }
    }

    private InstanceEvent.TaskReport execute(
            TaskExecutor executor, StoredInstance instance, Task task, Effect.StartTask start)
            throws InterruptedException {
        try {
            var header = instance.header();
            Map<String, @Nullable Object> inputs = inputs(instance, task, start.inputs());
            TaskResult result = executor.run(new TaskRun(
                    header.organization(),
                    header.workflow(),
                    header.workflowVersion(),
                    header.id(),
                    header.conversation(),
                    task,
                    start.attempt(),
                    inputs,
                    start.idempotencyKey(),
                    executor.limit()));
            Usage usage = result.promptTokens() + result.completionTokens() == 0
                    ? null
                    : new Usage(result.promptTokens(), result.completionTokens(), result.costMicros());
            return new InstanceEvent.TaskSucceeded(
                    start.task(), start.attempt(), files.stored(header, task, inputs, result), usage);
        } catch (TaskFailure e) {
            return failed(
                    start,
                    e.title(),
                    e.sentence(),
                    e.isTransient(),
                    e.retryAfter().orElse(null));
        } catch (RuntimeException e) {
            if (Database.translate(e) instanceof Problem outage) {
                return failed(start, "Unavailable", outage.detail(), true, null);
            }
            LOG.errorf(
                    e,
                    "Task %s of instance %s failed in the service",
                    start.task(),
                    instance.header().id());
            return failed(start, "Internal error", "The task could not be run.", false, null);
        }
    }

    private static InstanceEvent.TaskFailed failed(
            Effect.StartTask start, String title, String sentence, boolean isTransient, @Nullable Duration retryAfter) {
        return new InstanceEvent.TaskFailed(
                start.task(), start.attempt(), new TaskError(title, sentence, isTransient), retryAfter, null);
    }

    /** The inputs with those that have to be read from a store. */
    private Map<String, @Nullable Object> inputs(StoredInstance instance, Task task, TaskInputs inputs)
            throws TaskFailure, InterruptedException {
        if (inputs.toFetch().isEmpty()) {
            return inputs.values();
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>(inputs.values());
        for (Map.Entry<String, TaskInputs.Fetch> wanted : inputs.toFetch().entrySet()) {
            switch (wanted.getValue()) {
                case CONVERSATION_HISTORY -> all.put(wanted.getKey(), history(instance, task, wanted.getKey()));
                case DATA_LAKE_ROWS -> all.put(wanted.getKey(), lakes.rows(instance, task, wanted.getKey(), all));
            }
        }
        return all;
    }

    static InputParameter input(Task task, String name) {
        return task.inputParameters().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private @Nullable Object history(StoredInstance instance, Task task, String name) throws TaskFailure {
        InputParameter input = input(task, name);
        ConversationId conversation = instance.header().conversation();
        String text = conversation == null
                ? ""
                : ConversationHistory.transcript(messages, instance.header().organization(), conversation);
        List<dev.parley.problem.Fault> faults = new ArrayList<>();
        Object value =
                switch (input.type()) {
                    case ARRAY -> text.isEmpty() ? List.of() : List.of(text.split("\n", -1));
                    case STRING, INTEGER, FLOAT, BOOLEAN, OBJECT -> text;
                };
        Object coerced = Values.input(input, value, Pointer.ROOT.to(name), faults);
        if (!faults.isEmpty()) {
            throw TaskFailure.permanent(
                    "Invalid Type", "Input '" + name + "': " + faults.getFirst().detail());
        }
        return coerced;
    }
}
