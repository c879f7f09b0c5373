package dev.parley.workflow.instance.core;

import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.part.ControlFlow.ItemErrorRule;
import dev.parley.workflow.definition.core.part.ControlFlow.JoinRule;
import dev.parley.workflow.definition.core.part.ControlFlow.Repeat;
import dev.parley.workflow.definition.core.part.ErrorPolicy;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.ItemStates;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A random workflow and random events, most of which fit; deterministic by seed. */
public final class RandomWalk {
    private static final List<WaitingReason> WAITS_WITHOUT_PERSON = Arrays.stream(WaitingReason.values())
            .filter(reason -> !reason.needsPerson())
            .toList();

    private final Random random;
    private final ExecutionPlan plan;
    private InstanceState state;
    private Instant now = InstanceSimulation.START;

    public RandomWalk(long seed) {
        random = new Random(seed);
        plan = randomPlan();
        String conversation = random.nextBoolean() ? "c1" : null;
        state = InstanceState.create(
                plan, InstanceSimulation.trigger(random.nextBoolean() ? "Hi" : null, Map.of(), conversation), now);
    }

    public InstanceState state() {
        return state;
    }

    /** Applies one event, the first being the start. */
    public Step step() {
        return apply(state.version() == 0 ? new InstanceEvent.InstanceStarted() : randomEvent());
    }

    /** Applies a cooperative next event, so that the instance eventually ends. */
    Step helpfulStep() {
        return apply(state.version() == 0 ? new InstanceEvent.InstanceStarted() : helpfulEvent());
    }

    private Step apply(InstanceEvent event) {
        now = now.plus(Duration.ofMillis(random.nextInt(3_000)));
        InstanceState before = state;
        TransitionResult outcome = Transition.apply(before, event, now);
        if (outcome instanceof Decision decision) {
            state = decision.state();
        }
        return new Step(before, event, outcome, state);
    }

    /** One event and its result; {@code after} equals {@code before} if it was rejected. */
    public record Step(InstanceState before, InstanceEvent event, TransitionResult outcome, InstanceState after) {
        public List<Effect> effects() {
            return outcome instanceof Decision decision ? decision.effects() : List.of();
        }
    }

    private ExecutionPlan randomPlan() {
        WorkflowBuilder flow = new WorkflowBuilder();
        if (random.nextBoolean()) {
            flow.withExceptionRule();
        }
        int size = 1 + random.nextInt(8);
        for (int task = 0; task < size; task++) {
            InputParameter[] inputs = random.nextInt(4) == 0
                    ? new InputParameter[] {WorkflowBuilder.asks("in" + random.nextInt(2), ValueType.STRING)}
                    : new InputParameter[0];
            if (random.nextInt(3) > 0) {
                flow.once();
            } else {
                inputs = randomFlow(flow, inputs);
            }
            if (random.nextInt(3) == 0) {
                flow.human("t" + task, policy(), inputs);
            } else {
                flow.ai("t" + task, policy(), inputs);
            }
            for (int before = 0; before < task; before++) {
                if (random.nextInt(3) == 0) {
                    flow.after("t" + before, "t" + task);
                }
            }
        }
        return flow.plan();
    }

    private InputParameter[] randomFlow(WorkflowBuilder flow, InputParameter[] inputs) {
        String when = random.nextInt(4) > 0
                ? null
                : random.nextBoolean() ? "trigger.human_msg == 'Hi'" : "trigger.human_msg.size() > 1";
        ForEach forEach = random.nextBoolean()
                ? null
                : new ForEach(
                        "items",
                        1 + random.nextInt(3),
                        random.nextBoolean() ? ItemErrorRule.FAIL : ItemErrorRule.COLLECT);
        Repeat repeat = random.nextInt(3) > 0 ? null : new Repeat("outputs.out < '5'", 1 + random.nextInt(4));
        flow.with(new ControlFlow(when, random.nextBoolean() ? JoinRule.ALL : JoinRule.ANY, forEach, repeat));
        if (forEach == null) {
            return inputs;
        }
        List<InputParameter> all = new ArrayList<>(List.of(inputs));
        all.add(WorkflowBuilder.items(List.of("a", "b", "c", "d", "e").subList(0, random.nextInt(6))));
        return all.toArray(InputParameter[]::new);
    }

    private @Nullable ErrorPolicy policy() {
        return switch (random.nextInt(9)) {
            case 0 -> ErrorPolicy.RAISE;
            case 1 -> ErrorPolicy.IGNORE;
            case 2 -> ErrorPolicy.RETRY;
            default -> null;
        };
    }

    private InstanceEvent randomEvent() {
        TaskId task = plan.task(random.nextInt(plan.size())).id();
        List<TaskId> current = state.currentTasks();
        if (!current.isEmpty() && random.nextInt(5) > 0) {
            task = current.get(random.nextInt(current.size()));
        }
        int attempt = unit(task).attempt() - (random.nextInt(10) == 0 ? 1 : 0);
        return switch (random.nextInt(23)) {
            case 0, 1, 2, 3, 4 ->
                new InstanceEvent.TaskSucceeded(task, attempt, Map.of("out", random.nextInt(10) + ""));
            case 5, 6 -> new InstanceEvent.TaskFailed(task, attempt, InstanceSimulation.TIMEOUT);
            case 7 ->
                new InstanceEvent.TaskFailed(
                        task, attempt, InstanceSimulation.BROKEN, null, ModelUsage.ofReply(1, 2, 3));
            case 8, 9 -> new InstanceEvent.RetryDue(task, attempt);
            case 10 -> new InstanceEvent.UserReplied(Map.of(), "Ada", "m");
            case 11, 12 -> new InstanceEvent.TicketCompleted(task, attempt, answer(task), InstanceSimulation.KIM);
            case 13 -> new InstanceEvent.TicketRejected(task, attempt, "No.", InstanceSimulation.KIM);
            case 14 -> new InstanceEvent.ExceptionRetry(task, attempt, InstanceSimulation.KIM);
            case 15 -> new InstanceEvent.ExceptionSupplied(task, attempt, Map.of("out", "s"), InstanceSimulation.KIM);
            case 16 -> new InstanceEvent.PauseRequested(InstanceSimulation.KIM);
            case 17, 18 -> new InstanceEvent.ResumeRequested(InstanceSimulation.KIM);
            case 19 -> new InstanceEvent.RetryRequested(InstanceSimulation.KIM);
            case 20 ->
                switch (random.nextInt(6)) {
                    case 0 -> new InstanceEvent.Recovered();
                    case 3, 4 ->
                        new InstanceEvent.ApprovalRequested(
                                task,
                                attempt,
                                new PendingToolCall(random.nextInt(9), 7, "pay", Map.of("amount", 150L), null),
                                ModelUsage.ofReply(1, 2, 3));
                    case 1 -> new InstanceEvent.WaitEnded();
                    case 2 -> subWorkflowEnded(task, random.nextInt(3));
                    default ->
                        new InstanceEvent.TaskSuspended(
                                task,
                                attempt,
                                WAITS_WITHOUT_PERSON.get(random.nextInt(WAITS_WITHOUT_PERSON.size())),
                                Map.of("out", "5"),
                                now.plusSeconds(random.nextInt(9)));
                };
            case 21 -> new InstanceEvent.EventReceived(task, attempt, Map.of("out", "7"), InstanceSimulation.KIM);
            default -> rareEvent(task, attempt);
        };
    }

    /** The end of a sub-workflow of the task, or of its item with this index. */
    private InstanceEvent subWorkflowEnded(TaskId task, int index) {
        int number = plan.number(task);
        ItemStates items = state.tasks().items(number);
        boolean isItem = items != null && index < items.begun();
        TaskState of = isItem ? items.get(index) : state.task(task);
        return new InstanceEvent.SubWorkflowEnded(task, "i1:" + task + (isItem ? ":" + index : "") + ":" + of.run());
    }

    private InstanceEvent rareEvent(TaskId task, int attempt) {
        return switch (random.nextInt(12)) {
            case 0 -> new InstanceEvent.CancelRequested(InstanceSimulation.KIM);
            case 1 -> new InstanceEvent.Terminated("Over.", "system");
            case 2 -> new InstanceEvent.TimeLimitReached();
            case 3, 4 -> new InstanceEvent.ExceptionRaised(task, attempt, "No.", InstanceSimulation.KIM);
            case 5 -> new InstanceEvent.TaskSucceeded(new TaskId("ghost"), 1, Map.of());
            case 6 -> new InstanceEvent.TaskSucceeded(task, attempt, Map.of("wrong", "x"));
            case 7 -> new InstanceEvent.UserReplied(Map.of("ghost", "x"), null, "m");
            default -> new InstanceEvent.InstanceStarted();
        };
    }

    private InstanceEvent helpfulEvent() {
        if (state.pausedByRequest()) {
            return new InstanceEvent.ResumeRequested(InstanceSimulation.KIM);
        }
        List<TaskId> current = new ArrayList<>(state.currentTasks());
        TaskId task = current.get(random.nextInt(current.size()));
        TaskState found = unit(task);
        if (found.status() == TaskStatus.RUNNING) {
            return found.isExecuting()
                    ? new InstanceEvent.TaskSucceeded(task, found.attempt(), Map.of("out", "0"))
                    : new InstanceEvent.RetryDue(task, found.attempt());
        }
        if (found.waitUntil() != null) {
            now = found.waitUntil().isAfter(now) ? found.waitUntil() : now;
            return found.waitingFor() == WaitingReason.EVENT && random.nextBoolean()
                    ? new InstanceEvent.EventReceived(task, found.attempt(), Map.of("out", "0"), InstanceSimulation.KIM)
                    : new InstanceEvent.WaitEnded();
        }
        boolean coversItems = plan.task(plan.number(task)).controlFlow().forEach() != null
                && state.tasks().items(plan.number(task)) == null;
        if (found.waitingFor() == WaitingReason.EXCEPTION_TICKET && coversItems) {
            return new InstanceEvent.ExceptionRetry(task, found.attempt(), InstanceSimulation.KIM);
        }
        return found.waitingFor() == WaitingReason.USER_INPUT && state.trigger().conversationId() != null
                ? new InstanceEvent.UserReplied(Map.of(), "Ada", "m")
                : new InstanceEvent.TicketCompleted(task, found.attempt(), answer(task), InstanceSimulation.KIM);
    }

    /** The task, or one of its active items. */
    private TaskState unit(TaskId task) {
        ItemStates items = state.tasks().items(plan.number(task));
        return items == null || items.active().isEmpty()
                ? state.task(task)
                : items.get(items.active().get(random.nextInt(items.active().size())));
    }

    private Map<String, @Nullable Object> answer(TaskId task) {
        if (state.task(task).waitingFor() != WaitingReason.USER_INPUT) {
            return Map.of("out", "0");
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        plan.humanInputs().keySet().forEach(name -> answer.put(name, "Ada"));
        return answer;
    }
}
