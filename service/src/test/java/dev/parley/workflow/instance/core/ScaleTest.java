package dev.parley.workflow.instance.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.CpuTime;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.ObjectProperty;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The time and memory of the largest valid workflows; the bounds are generous on purpose. */
class ScaleTest {
    private static final int TASKS = 1_000;
    private static final Duration BOUND = Duration.ofSeconds(3);
    private static final Map<String, Object> LARGE = Map.of("list", Collections.nCopies(500_000, 1L));

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

    @Test
    void aThousandTasksShareOneLargeInput() {
        WorkflowBuilder flow = new WorkflowBuilder();
        for (int task = 0; task < TASKS; task++) {
            flow.ai("t" + task, WorkflowBuilder.asks("list", ValueType.ARRAY));
        }
        Decision decision = start(flow, Map.of("list", Collections.nCopies(500_000, 1L)));
        List<Object> values = decision.effects().stream()
                .filter(Effect.StartTask.class::isInstance)
                .map(effect -> ((Effect.StartTask) effect).inputs().values().get("list"))
                .toList();
        assertThat(values).hasSize(TASKS);
        values.forEach(value -> assertThat(value).isSameAs(values.getFirst()));
        assertThat(decision.state().status()).isEqualTo(InstanceStatus.RUNNING);
    }

    @Test
    void theOnlyReadersOfLargeValuesMayStartTogether() {
        WorkflowBuilder flow = new WorkflowBuilder();
        Map<String, Object> inputs = new HashMap<>();
        for (int task = 0; task < 10; task++) {
            flow.ai("t" + task, WorkflowBuilder.asks("list" + task, ValueType.ARRAY));
            inputs.put("list" + task, new ArrayList<>(Collections.nCopies(500_000, 1L)));
        }
        assertThat(start(flow, inputs).state().status()).isEqualTo(InstanceStatus.RUNNING);
    }

    @Test
    void theTypesOfOneLargeValueAreLimited() {
        WorkflowBuilder flow = new WorkflowBuilder();
        for (int task = 0; task < 10; task++) {
            flow.ai("t" + task, ofAnotherType(task));
        }
        Decision decision = start(flow, LARGE);
        assertThat(decision.state().status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(String.valueOf(decision.state().error())).contains("4,000,000 values");
    }

    @Test
    void aConditionThatReadsTooMuchIsAnError() {
        WorkflowBuilder flow = new WorkflowBuilder();
        for (int task = 0; task < 10; task++) {
            flow.when("size(inputs.list) == 0").ai("t" + task, ofAnotherType(task));
        }
        Decision decision = start(flow, LARGE);
        assertThat(decision.state().status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(String.valueOf(decision.state().error())).contains("Condition error", "4,000,000 values");
    }

    @Test
    void whatStartedOneAfterTheOtherStartsAgainTogether() {
        WorkflowBuilder flow = new WorkflowBuilder();
        for (int task = 0; task < 10; task++) {
            flow.ai("p" + task).ai("q" + task, ofAnotherType(task)).after("p" + task, "q" + task);
        }
        InstanceSimulation run = InstanceSimulation.of(flow, InstanceSimulation.trigger("Hello", LARGE, null));
        for (int task = 0; task < 10; task++) {
            assertThat(run.succeed("p" + task).started()).containsExactly("q" + task);
        }
        assertThat(run.apply(new InstanceEvent.Recovered()).started()).hasSize(10);
    }

    private static InputParameter ofAnotherType(int number) {
        ObjectProperty member = new ObjectProperty("m" + number, ValueType.STRING, "A member", false);
        return new InputParameter(
                "list",
                ValueType.ARRAY,
                "The list",
                true,
                InputSource.HUMAN_INPUT,
                null,
                List.of(member),
                null,
                DataSource.MEMORY);
    }

    @Test
    void aThousandTasksWithTenMissingInputsEach() {
        WorkflowBuilder flow = new WorkflowBuilder();
        for (int task = 0; task < TASKS; task++) {
            InputParameter[] inputs = new InputParameter[10];
            for (int i = 0; i < inputs.length; i++) {
                inputs[i] = WorkflowBuilder.asks("i" + task + "_" + i, ValueType.STRING);
            }
            flow.ai("t" + task, inputs);
        }
        assertThat(CpuTime.of(() -> start(flow, Map.of()))).isLessThan(BOUND);
    }

    private static Decision start(WorkflowBuilder flow, Map<String, Object> inputs) {
        InstanceState state = InstanceState.create(
                flow.plan(), InstanceSimulation.trigger("Hello", inputs, null), InstanceSimulation.START);
        return (Decision) Transition.apply(state, new InstanceEvent.InstanceStarted(), InstanceSimulation.START);
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
