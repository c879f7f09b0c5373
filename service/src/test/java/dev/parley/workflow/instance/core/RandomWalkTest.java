package dev.parley.workflow.instance.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.ControlFlow.JoinRule;
import dev.parley.workflow.definition.core.part.Dependency;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.ItemStates;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStates;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;

/** Properties of every workflow under every order of events. */
class RandomWalkTest {
    private static final int STEPS = 80;

    @Property(tries = 1_500)
    void everyStepKeepsTheRules(@ForAll long seed) {
        RandomWalk walk = new RandomWalk(seed);
        InstanceStatus history = null;
        Set<String> keys = new HashSet<>();
        TicketTable tickets = new TicketTable();
        for (int i = 0; i < STEPS; i++) {
            RandomWalk.Step step = walk.step();
            history = followsTheTable(step, history);
            endedInstancesNeverChange(step);
            completedTasksStayAndNeverStart(step);
            onlyReadyTasksStart(step);
            ticketsAreOpenedOnce(step, keys);
            tickets.check(step.event(), step.effects(), step.after());
            statusFollowsFromTheTasks(step.after());
            countersAreRight(step.after());
            itemsKeepTheirBounds(step.after());
        }
    }

    @Property(tries = 500)
    void everyInstanceCanComeToItsEnd(@ForAll long seed) {
        RandomWalk walk = new RandomWalk(seed);
        for (int i = 0; i < STEPS / 4; i++) {
            walk.step();
        }
        int steps = 0;
        while (!walk.state().status().isTerminal()) {
            walk.helpfulStep();
            assertThat(steps++).as("steps to the end").isLessThan(200);
        }
    }

    @Property(tries = 500)
    void deltasLeadFromAnyStateToAnyLaterOne(@ForAll long seed) {
        RandomWalk walk = new RandomWalk(seed);
        List<InstanceState> states = new ArrayList<>();
        for (int i = 0; i < STEPS / 2; i++) {
            RandomWalk.Step step = walk.step();
            if (step.outcome() instanceof Decision decision) {
                assertThat(decision.delta().applyTo(step.before())).isEqualTo(step.after());
                assertThat(decision.isChange()).isEqualTo(!step.before().equals(step.after()));
                if (decision.isChange()) {
                    assertThat(InstanceDelta.between(step.before(), step.after()))
                            .isEqualTo(decision.delta());
                    assertThat(step.after().version()).isEqualTo(step.before().version() + 1);
                }
            }
            states.add(step.after());
        }
        InstanceState first = states.getFirst();
        InstanceState last = states.getLast();
        assertThat(InstanceDelta.between(first, last).applyTo(first)).isEqualTo(last);
    }

    @Property(tries = 300)
    void theSameEventsMakeTheSameDecisions(@ForAll long seed) {
        RandomWalk one = new RandomWalk(seed);
        RandomWalk two = new RandomWalk(seed);
        for (int i = 0; i < STEPS / 2; i++) {
            assertThat(one.step().effects()).isEqualTo(two.step().effects());
        }
    }

    /** Only documented status steps, each starting at the status where the previous one ended. */
    private static @Nullable InstanceStatus followsTheTable(RandomWalk.Step step, @Nullable InstanceStatus history) {
        InstanceStatus last = history;
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.StatusChanged change) {
                assertThat(change.from()).isEqualTo(last);
                assertThat(last == null || last.canBecome(change.to())).isTrue();
                assertThat(change.to()).isNotEqualTo(last);
                last = change.to();
            }
        }
        assertThat(last).isEqualTo(step.after().status());
        return last;
    }

    private static void endedInstancesNeverChange(RandomWalk.Step step) {
        if (step.before().status().isTerminal()) {
            assertThat(step.after()).isSameAs(step.before());
            assertThat(step.effects()).isEmpty();
        }
        if (step.after().status().isTerminal()) {
            assertThat(step.after().finishedAt()).isNotNull();
            assertThat(step.after().currentTasks()).isEmpty();
        }
    }

    private static void completedTasksStayAndNeverStart(RandomWalk.Step step) {
        step.before().tasks().touched().forEach((task, state) -> {
            if (state.status().isTerminal()) {
                assertThat(step.after().task(task)).isEqualTo(state);
                assertThat(step.effects())
                        .noneMatch(effect -> effect instanceof Effect.StartTask start
                                && start.task().equals(task));
            }
        });
    }

    private static void onlyReadyTasksStart(RandomWalk.Step step) {
        Map<String, Integer> starts = new HashMap<>();
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.StartTask start) {
                starts.merge(start.attempt() + " " + start.task(), 1, Integer::sum);
                predecessorsLetItStart(step.after(), start.task());
                TaskState started = unit(step.after(), start);
                assertThat(started.attempt()).isEqualTo(start.attempt());
                String item = start.item() == null ? "" : ":" + start.item();
                assertThat(start.idempotencyKey()).isEqualTo("i1:" + start.task() + item + ":" + started.run());
                boolean continues = step.event() instanceof InstanceEvent.Recovered
                        || step.event() instanceof InstanceEvent.WaitEnded
                        || step.event() instanceof InstanceEvent.SubWorkflowEnded;
                if (!continues) {
                    assertThat(step.before().pausedByRequest() && step.after().pausedByRequest())
                            .isFalse();
                }
            }
        }
        assertThat(starts.values()).allMatch(count -> count == 1);
    }

    private static void predecessorsLetItStart(InstanceState state, TaskId task) {
        List<TaskStatus> before = state.plan().definition().dependencies().stream()
                .filter(dependency -> dependency.to().equals(task))
                .map(Dependency::from)
                .map(state::task)
                .map(TaskState::status)
                .toList();
        assertThat(before).allMatch(status -> status == TaskStatus.COMPLETED || status == TaskStatus.SKIPPED);
        boolean all = state.plan()
                        .definition()
                        .tasks()
                        .get(state.plan().number(task))
                        .controlFlow()
                        .join()
                == JoinRule.ALL;
        if (all) {
            assertThat(before).doesNotContain(TaskStatus.SKIPPED);
        } else if (!before.isEmpty()) {
            assertThat(before).contains(TaskStatus.COMPLETED);
        }
    }

    private static TaskState unit(InstanceState state, Effect.StartTask start) {
        Integer item = start.item();
        ItemStates items = state.tasks().items(state.plan().number(start.task()));
        return item == null || items == null ? state.task(start.task()) : items.get(item);
    }

    /** No more items are in progress than allowed, and they start in order. */
    private static void itemsKeepTheirBounds(InstanceState state) {
        for (int task = 0; task < state.plan().size(); task++) {
            ItemStates items = state.tasks().items(task);
            ControlFlow.ForEach forEach = state.plan().task(task).controlFlow().forEach();
            if (items == null || forEach == null) {
                continue;
            }
            assertThat(items.active().size()).isLessThanOrEqualTo(forEach.maxParallel());
            assertThat(items.completed() + items.failed()).isLessThanOrEqualTo(items.begun());
            if (state.tasks().get(task).status() == TaskStatus.COMPLETED) {
                assertThat(items.completed() + items.failed()).isEqualTo(items.size());
                assertThat(state.tasks().get(task).outputs().get("out"))
                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                        .hasSize(items.size());
            }
        }
    }

    private static void ticketsAreOpenedOnce(RandomWalk.Step step, Set<String> keys) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.OpenTicket open) {
                assertThat(keys.add(open.task() + " " + open.attempt() + " " + open.kind()))
                        .isTrue();
            }
        }
    }

    private static void statusFollowsFromTheTasks(InstanceState state) {
        if (state.status().isTerminal()) {
            return;
        }
        boolean runs = state.tasks().touched().values().stream().anyMatch(task -> {
            WaitingReason reason = task.waitingFor();
            return task.status() == TaskStatus.RUNNING || (reason != null && !reason.needsPerson());
        });
        boolean paused = state.pausedByRequest() || !runs;
        assertThat(state.status()).isEqualTo(paused ? InstanceStatus.PAUSED : InstanceStatus.RUNNING);
        if (!state.pausedByRequest() && !runs) {
            assertThat(state.currentTasks()).isNotEmpty();
        }
    }

    private static void countersAreRight(InstanceState state) {
        TaskStates fresh = TaskStates.pending(state.plan())
                .with(state.tasks().touched(), state.tasks().touchedItems());
        assertThat(state.tasks().counts()).isEqualTo(fresh.counts());
        for (int task = 0; task < state.plan().size(); task++) {
            assertThat(state.tasks().unmet(task)).isEqualTo(fresh.unmet(task));
        }
    }
}
