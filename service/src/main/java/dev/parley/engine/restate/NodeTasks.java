package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.EventMessage;
import dev.parley.engine.restate.EngineMessages.TaskMessage;
import dev.parley.engine.restate.projection.RestateServices;
import dev.parley.id.NodeId;
import dev.parley.node.NodeLease;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.definition.core.TaskKind;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.run.task.TaskHost;
import dev.parley.workflow.instance.run.task.TaskRunner;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.journal.AppendResult;
import dev.parley.workflow.journal.JournalEntry;
import dev.restate.sdk.ObjectContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tasks that this node executes. */
final class NodeTasks {
    private record TaskKey(InstanceKey instance, TaskId task, int attempt) {}

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
        var execution = new NodeExecution(message.instance(), instance);
        switch (message.effect()) {
            case Effect.StartTask start -> {
                if (isExecuting(instance.state(), start)) {
                    run(execution, start);
                }
            }
            case Effect.FetchInputs fetch -> services.tasks().fetch(execution, instance, fetch);
            default -> throw new IllegalArgumentException("not a task: " + message.effect());
        }
        return execution.report;
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

    private void run(NodeExecution execution, Effect.StartTask start) throws InterruptedException {
        var task = new TaskKey(execution.key, start.task(), start.attempt());
        running.put(task, execution);
        try {
            boolean ranBefore = ranBefore(execution, start);
            services.tasks().run(execution, execution.started, start, execution.execution, ranBefore);
        } catch (InterruptedException e) {
            if (!execution.stopped) {
                throw e;
            }
        } finally {
            running.remove(task, execution);
        }
    }

    /** Whether a node that died executed the same attempt of an AI task; its calls are in the journal. */
    private boolean ranBefore(NodeExecution execution, Effect.StartTask start) {
        InstanceState state = execution.started.state();
        return state.plan().task(state.plan().number(start.task())).kind() == TaskKind.AI
                && services.attemptStore().underWay(execution.key.organization(), execution.key.id()).stream()
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

    private final class NodeExecution implements TaskHost {
        private final InstanceKey key;
        private final StoredInstance started;
        private final TaskRunner.Execution execution = new TaskRunner.Execution();

        /** Whether the instance has ended the attempt: then there is nothing to report and nothing to repeat. */
        private volatile boolean stopped;

        /** The message for the instance, once there is one. */
        private byte[] report = EngineMessages.NOTHING;

        NodeExecution(InstanceKey key, StoredInstance started) {
            this.key = key;
            this.started = started;
        }

        @Override
        public void onReport(InstanceEvent.TaskReport event, @Nullable TaskAttempt attempt) {
            Instant now = services.clock().instant().truncatedTo(ChronoUnit.MILLIS);
            report = EngineMessages.write(EventMessage.class, new EventMessage(event, now, attempt, null));
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
                execution.abandon();
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
