package dev.parley.workflow.instance.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The time and memory of the largest valid workflows; the bounds are generous on purpose. */
class ScaleTest {
    private static final int TASKS = 1_000;
    private static final Duration BOUND = Duration.ofSeconds(3);

    @Test
    void aChainOfAThousandTasks() {
        WorkflowBuilder flow = new WorkflowBuilder();
        for (int task = 0; task < TASKS; task++) {
            flow.ai("t" + task);
            if (task > 0) {
                flow.after("t" + (task - 1), "t" + task);
            }
        }
        runsInTime(flow);
    }

    @Test
    void aFanOfAThousandTasks() {
        WorkflowBuilder flow = new WorkflowBuilder().ai("first").ai("last");
        for (int task = 2; task < TASKS; task++) {
            flow.ai("t" + task).after("first", "t" + task).after("t" + task, "last");
        }
        runsInTime(flow);
    }

    @Test
    void tenThousandConnectionsBetweenTwoRows() {
        WorkflowBuilder flow = new WorkflowBuilder();
        for (int task = 0; task < 200; task++) {
            flow.ai("t" + task);
            for (int before = 0; task >= 100 && before < 100; before++) {
                flow.after("t" + before, "t" + task);
            }
        }
        runsInTime(flow);
    }

    private static void runsInTime(WorkflowBuilder flow) {
        long begin = System.nanoTime();
        InstanceState state = InstanceState.create(
                flow.plan(), InstanceSimulation.trigger(null, Map.of(), null), InstanceSimulation.START);
        Queue<InstanceEvent> events = new ArrayDeque<>();
        events.add(new InstanceEvent.InstanceStarted());
        Instant now = InstanceSimulation.START;
        int applied = 0;
        while (!events.isEmpty()) {
            Decision decision = (Decision) Transition.apply(state, events.remove(), now);
            assertThat(decision.delta().tasks().size()).isLessThanOrEqualTo(TASKS);
            state = decision.state();
            for (Effect effect : decision.effects()) {
                if (effect instanceof Effect.StartTask start) {
                    events.add(new InstanceEvent.TaskSucceeded(start.task(), start.attempt(), Map.of("out", "x")));
                }
            }
            applied++;
        }
        assertThat(state.status()).isEqualTo(InstanceStatus.COMPLETED);
        assertThat(applied).isEqualTo(state.plan().size() + 1);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(took).isLessThan(BOUND);
    }
}
