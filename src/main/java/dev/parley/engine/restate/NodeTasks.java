package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.EventMessage;
import dev.parley.engine.restate.EngineMessages.ShortTaskResult;
import dev.parley.engine.restate.EngineMessages.TaskMessage;
import dev.parley.id.NodeId;
import dev.parley.node.NodeLease;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.core.TaskState;
import dev.parley.workflow.instance.run.TaskCompletion;
import dev.parley.workflow.instance.run.TaskHost;
import dev.parley.workflow.instance.run.TaskRunner;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.journal.AppendResult;
import dev.parley.workflow.journal.JournalEntry;
import dev.restate.sdk.ObjectContext;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tasks that this node executes. */
final class NodeTasks {
    private static final long SHORT_TASK_MILLIS = 250;

    private record TaskKey(InstanceKey instance, TaskId task, int attempt) {}

    /** An execution, and whether its instance has ended it: then there is nothing to report and nothing to repeat. */
    private static final class NodeExecution {
        final TaskRunner.Execution execution = new TaskRunner.Execution();
        volatile boolean stopped;
    }

    private final RestateServices services;
    private final InstanceHeaders headers;
    private final InstanceStates states;
    private final NodeLease node;
    private final TaskDurations durations = new TaskDurations();
    private final Map<TaskKey, NodeExecution> running = new ConcurrentHashMap<>();

    /** Executions that a handler has begun and that turned out not to be short: a message waits for their end. */
    private final Map<TaskKey, CompletableFuture<Optional<TaskCompletion>>> held = new ConcurrentHashMap<>();

    NodeTasks(RestateServices services, InstanceHeaders headers, InstanceStates states, NodeLease node) {
        this.services = services;
        this.headers = headers;
        this.states = states;
        this.node = node;
    }

    /**
     * Executes a task and returns the message for its instance; empty if the instance no longer needs the result.
     *
     * @throws InterruptedException if this node stops, so that another one must execute the task
     */
    byte[] execute(TaskMessage message) throws InterruptedException {
        TaskRunner.logAs(message.instance().organization(), message.instance().id());
        StoredInstance instance = instance(message);
        Optional<TaskCompletion> completion;
        switch (message.effect()) {
            case Effect.StartTask start -> {
                var task = new TaskKey(message.instance(), start.task(), start.attempt());
                if (instance == null || !isExecuting(instance.state(), start)) {
                    held.remove(task);
                    return EngineMessages.NOTHING;
                }
                completion = end(task, message, instance, start);
            }
            case Effect.FetchInputs fetch ->
                completion = instance == null
                        ? Optional.empty()
                        : Optional.of(services.tasks().fetch(instance, fetch));
            default -> throw new IllegalArgumentException("not a task: " + message.effect());
        }
        return completion
                .map(ended -> EngineMessages.write(EventMessage.class, report(ended)))
                .orElse(EngineMessages.NOTHING);
    }

    private Optional<TaskCompletion> end(
            TaskKey task, TaskMessage message, StoredInstance instance, Effect.StartTask start)
            throws InterruptedException {
        CompletableFuture<Optional<TaskCompletion>> begun = held.get(task);
        if (begun != null) {
            Optional<TaskCompletion> completion = completion(begun);
            held.remove(task, begun);
            return completion;
        }
        String holder = message.holder();
        if (holder != null
                && !holder.equals(node.id().text())
                && services.projected().isAlive(holder)) {
            // Restate repeats the message, until it reaches the node that executes the task or that node is dead.
            throw new IllegalStateException("node " + holder + " executes task " + start.task());
        }
        return run(task, instance, start, begun(message.instance()));
    }

    private static Optional<TaskCompletion> completion(CompletableFuture<Optional<TaskCompletion>> begun)
            throws InterruptedException {
        try {
            return begun.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    private EventMessage report(TaskCompletion completion) {
        return new EventMessage(
                completion.report(),
                services.clock().instant().truncatedTo(ChronoUnit.MILLIS),
                completion.attempt(),
                null);
    }

    /**
     * Executes a task that has been short so far. If it is not this time, it goes on, and a message has to wait for its
     * end.
     *
     * @param isOnly whether no other task could be executed at the same time
     * @param begunBefore the attempts of the instance that were in progress before the handler began
     */
    ShortTaskResult executeShort(
            InstanceKey key,
            StoredInstance instance,
            Effect.StartTask start,
            boolean isOnly,
            Supplier<List<TaskAttempt.AttemptKey>> begunBefore)
            throws InterruptedException {
        if (!durations.isShort(instance.header(), start.task(), isOnly)) {
            return ShortTaskResult.NOT_SHORT;
        }
        var task = new TaskKey(key, start.task(), start.attempt());
        CompletableFuture<Optional<TaskCompletion>> begun =
                held.computeIfAbsent(task, _ -> begin(task, instance, start, begunBefore));
        try {
            Optional<TaskCompletion> completion = begun.get(SHORT_TASK_MILLIS, TimeUnit.MILLISECONDS);
            held.remove(task, begun);
            return completion
                    .map(ended -> new ShortTaskResult(report(ended), null))
                    .orElse(ShortTaskResult.NOT_SHORT);
        } catch (TimeoutException _) {
            return new ShortTaskResult(null, node.id().text());
        } catch (ExecutionException e) {
            held.remove(task, begun);
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    /** The attempts of an instance that are in progress according to PostgreSQL; read once, when first needed. */
    Supplier<List<TaskAttempt.AttemptKey>> begun(InstanceKey instance) {
        return new Supplier<>() {
            private @Nullable List<TaskAttempt.AttemptKey> found;

            @Override
            public synchronized List<TaskAttempt.AttemptKey> get() {
                if (found == null) {
                    found = services.attemptStore().underWay(instance.organization(), instance.id());
                }
                return found;
            }
        };
    }

    private CompletableFuture<Optional<TaskCompletion>> begin(
            TaskKey task,
            StoredInstance instance,
            Effect.StartTask start,
            Supplier<List<TaskAttempt.AttemptKey>> begunBefore) {
        var result = new CompletableFuture<Optional<TaskCompletion>>();
        Thread.ofVirtual().start(() -> {
            TaskRunner.logAs(task.instance.organization(), task.instance.id());
            try {
                result.complete(run(task, instance, start, begunBefore));
            } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static boolean isExecuting(InstanceState state, Effect.StartTask start) {
        TaskState task = state.tasks().withAttempt(state.plan().number(start.task()), start.attempt());
        return task != null && task.isExecuting();
    }

    /** The instance at the message's version or later; null if it has ended. */
    private @Nullable StoredInstance instance(TaskMessage message) {
        StoredInstance known = states.known(message.instance());
        if (known != null && known.state().version() >= message.version()) {
            return known;
        }
        StoredInstance latest = states.latest(message.instance()).orElse(null);
        if (latest != null && latest.state().version() < message.version()) {
            throw new IllegalStateException("instance " + message.instance().id() + " is still at version "
                    + latest.state().version());
        }
        return latest;
    }

    private Optional<TaskCompletion> run(
            TaskKey task,
            StoredInstance instance,
            Effect.StartTask start,
            Supplier<List<TaskAttempt.AttemptKey>> begunBefore)
            throws InterruptedException {
        var execution = new NodeExecution();
        running.put(task, execution);
        long begun = System.nanoTime();
        try {
            var host = new ExecutionHost(task.instance, instance, execution);
            boolean ranBefore = ranBefore(instance, start, begunBefore);
            TaskCompletion completion = services.tasks().run(host, instance, start, execution.execution, ranBefore);
            durations.record(instance.header(), start.task(), System.nanoTime() - begun);
            return Optional.of(completion);
        } catch (InterruptedException e) {
            if (execution.stopped) {
                return Optional.empty();
            }
            throw e;
        } finally {
            running.remove(task, execution);
        }
    }

    /** Whether a node that died executed the same attempt of an AI task; its calls are in the journal. */
    private static boolean ranBefore(
            StoredInstance instance, Effect.StartTask start, Supplier<List<TaskAttempt.AttemptKey>> begunBefore) {
        var task = instance.state().plan().task(instance.state().plan().number(start.task()));
        return task.kind() == TaskKind.AI
                && begunBefore.get().stream()
                        .anyMatch(begun ->
                                begun.task().equals(start.task().value()) && begun.attempt() == start.attempt());
    }

    /** Stops an attempt if this node executes it; its result is dropped. */
    void stop(InstanceKey instance, TaskId task, int attempt) {
        stop(running.get(new TaskKey(instance, task, attempt)));
    }

    private static void stop(@Nullable NodeExecution execution) {
        if (execution != null) {
            execution.stopped = true;
            execution.execution.stop();
        }
    }

    /** Stops the tasks of instances that a handler on another node has ended. */
    void stopEnded() {
        Set<InstanceKey> instances =
                running.keySet().stream().map(TaskKey::instance).collect(Collectors.toSet());
        Map<InstanceKey, InstanceStatus> statuses = services.projected().statuses(List.copyOf(instances));
        running.forEach((task, execution) -> {
            InstanceStatus status = statuses.get(task.instance());
            if (status != null && status.isTerminal()) {
                stop(execution);
            }
        });
    }

    /** The number of instances with a task on this node. */
    int instances() {
        return (int) running.keySet().stream().map(TaskKey::instance).distinct().count();
    }

    /** Stops all executions without a trace; Restate executes them again on another node. */
    void abandon() {
        running.values().forEach(execution -> execution.execution.abandon());
    }

    /** Records an attempt whose result arrived too late, as a step of a handler. */
    void drop(ObjectContext ctx, @Nullable TaskAttempt attempt) {
        if (attempt != null) {
            var key =
                    new InstanceKey(attempt.key().organization(), attempt.key().instance());
            ctx.run("drop", () -> headers.find(key)
                    .ifPresent(header -> services.attempts().recordDropped(header, this::store, attempt)));
        }
    }

    private void store(TaskAttempt attempt) {
        services.attemptWriter().store(node.id(), attempt);
    }

    private final class ExecutionHost implements TaskHost {
        private final InstanceKey key;
        private final StoredInstance started;
        private final NodeExecution execution;

        ExecutionHost(InstanceKey key, StoredInstance started, NodeExecution execution) {
            this.key = key;
            this.started = started;
            this.execution = execution;
        }

        @Override
        public AppendResult append(JournalEntry entry) throws InterruptedException {
            NodeId me = node.id();
            AppendResult result;
            try {
                result = services.journals().append(me, entry).get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
            }
            if (result == AppendResult.FENCED) {
                node.fenced(me);
                execution.execution.abandon();
                throw new InterruptedException();
            }
            return result;
        }

        /** Attempts that other nodes have in progress are not included until they end. */
        @Override
        public ModelUsage usage() {
            StoredInstance latest = states.known(key);
            ModelUsage ended =
                    (latest == null ? started : latest).state().tasks().usage();
            return running.entrySet().stream()
                    .filter(entry -> entry.getKey().instance().equals(key))
                    .map(entry -> entry.getValue().execution.usage())
                    .reduce(ended, ModelUsage::plus);
        }

        @Override
        public void store(TaskAttempt attempt) {
            NodeTasks.this.store(attempt);
        }
    }
}
