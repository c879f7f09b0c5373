package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.EventMessage;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tasks that this node executes. */
final class NodeTasks {
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
    private final Map<TaskKey, NodeExecution> running = new ConcurrentHashMap<>();

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
        if (instance == null) {
            return EngineMessages.NOTHING;
        }
        Optional<TaskCompletion> completion =
                switch (message.effect()) {
                    case Effect.StartTask start -> isExecuting(instance.state(), start)
                            ? run(message.instance(), instance, start)
                            : Optional.empty();
                    case Effect.FetchInputs fetch -> Optional.of(services.tasks().fetch(instance, fetch));
                    default -> throw new IllegalArgumentException("not a task: " + message.effect());
                };
        return completion
                .map(ended -> EngineMessages.write(EventMessage.class, report(ended)))
                .orElse(EngineMessages.NOTHING);
    }

    private EventMessage report(TaskCompletion completion) {
        return new EventMessage(
                completion.report(),
                services.clock().instant().truncatedTo(ChronoUnit.MILLIS),
                completion.attempt(),
                null);
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

    private Optional<TaskCompletion> run(InstanceKey key, StoredInstance instance, Effect.StartTask start)
            throws InterruptedException {
        var task = new TaskKey(key, start.task(), start.attempt());
        var execution = new NodeExecution();
        running.put(task, execution);
        try {
            var host = new ExecutionHost(key, instance, execution);
            return Optional.of(services.tasks()
                    .run(host, instance, start, execution.execution, ranBefore(key, instance, start)));
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
    private boolean ranBefore(InstanceKey key, StoredInstance instance, Effect.StartTask start) {
        var task = instance.state().plan().task(instance.state().plan().number(start.task()));
        return task.kind() == TaskKind.AI
                && services.attemptStore().underWay(key.organization(), key.id()).stream()
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
