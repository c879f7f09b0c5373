package dev.parley.workflow.instance.core;

import static dev.parley.workflow.instance.core.WorkflowBuilder.input;
import static dev.parley.workflow.instance.core.WorkflowBuilder.output;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TaskInputs;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskStatus;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DependenciesTest {
    @Test
    void aNewInstanceRunsAllTasksThatAreReady() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a").ai("b").ai("c").after("a", "c").after("b", "c"));
        assertThat(run.started()).containsExactly("a", "b");
        assertThat(run.history()).containsExactly(InstanceStatus.RUNNING);
        assertThat(run.only(Effect.StatusChanged.class).from()).isNull();
        assertThat(run.statusOf("c")).isEqualTo(TaskStatus.PENDING);
        assertThat(run.state().version()).isEqualTo(1);
    }

    @Test
    void aTaskStartsWhenTheLastBeforeItIsDone() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a").ai("b").ai("c").after("a", "c").after("b", "c"));
        assertThat(run.succeed("a").started()).isEmpty();
        assertThat(run.succeed("b").started()).containsExactly("c");
    }

    @Test
    void twoConnectionsFromOneTaskCountOnce() {
        WorkflowBuilder flow = new WorkflowBuilder()
                .ai("a", null, List.of(output("x", OutputType.STRING), output("y", OutputType.INTEGER)))
                .ai(
                        "b",
                        input("x", ValueType.STRING, true, InputSource.SYSTEM_GENERATED, null),
                        input("y", ValueType.FLOAT, true, InputSource.SYSTEM_GENERATED, null))
                .connect("a", "x", "b", "x")
                .connect("a", "y", "b", "y")
                .after("a", "b");
        InstanceSimulation run = InstanceSimulation.of(flow).succeed("a", Map.of("x", "hello", "y", 3L));
        assertThat(run.only(Effect.StartTask.class).inputs().values())
                .isEqualTo(Map.of("x", "hello", "y", new BigDecimal(3)));
    }

    @Test
    void theInstanceCompletesWithTheOutputsOfItsLastTasks() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a").ai("b").ai("c").after("a", "b").after("a", "c"));
        run.succeed("a").succeed("c").succeed("b");
        assertThat(run.status()).isEqualTo(InstanceStatus.COMPLETED);
        assertThat(run.state().output()).isEqualTo(Map.of("out", "b!", "c.out", "c!"));
        assertThat(run.state().finishedAt()).isEqualTo(run.now());
        assertThat(run.effects().getLast()).isEqualTo(new Effect.InstanceFinished(InstanceStatus.COMPLETED));
    }

    @Test
    void aResultIsAppliedOnce() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().ai("a").ai("b"));
        run.succeed("a").ignored(new InstanceEvent.TaskSucceeded(WorkflowBuilder.id("a"), 1, Map.of("out", "other")));
        assertThat(run.task("a").outputs()).isEqualTo(Map.of("out", "a!"));
    }

    @Test
    void aResultOfAnotherAttemptOrOfNoTaskIsIgnored() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a"));
        run.ignored(new InstanceEvent.TaskSucceeded(WorkflowBuilder.id("a"), 2, Map.of("out", "x")));
        run.ignored(new InstanceEvent.TaskFailed(WorkflowBuilder.id("a"), 0, InstanceSimulation.BROKEN));
        run.ignored(new InstanceEvent.TaskSucceeded(WorkflowBuilder.id("ghost"), 1, Map.of("out", "x")));
        run.ignored(new InstanceEvent.RetryDue(WorkflowBuilder.id("a"), 1));
    }

    @Test
    void outputsAreCoercedAndBadOnesAreAnErrorOfTheTask() {
        WorkflowBuilder flow = new WorkflowBuilder().ai("a", null, List.of(output("n", OutputType.INTEGER)));
        assertThat(InstanceSimulation.of(flow)
                        .succeed("a", Map.of("n", "3"))
                        .task("a")
                        .outputs())
                .isEqualTo(Map.of("n", 3L));
        InstanceSimulation run = InstanceSimulation.of(flow).succeed("a", Map.of("n", "three"));
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.state().error())
                .isNotNull()
                .extracting(InstanceError::error)
                .isEqualTo("Invalid output");
    }

    @Test
    void systemValuesAreResolvedWhenTheTaskStarts() {
        Map<String, @Nullable Object> values = InstanceSimulation.of(
                        new WorkflowBuilder()
                                .ai(
                                        "a",
                                        system("human_msg"),
                                        system("conversation_id"),
                                        system("workflow_instance_id"),
                                        system("organization_id"),
                                        system("current_time"),
                                        input("file_urls", ValueType.ARRAY, true, InputSource.SYSTEM_GENERATED, null),
                                        system("conversation_history"),
                                        input("mode", ValueType.STRING, true, InputSource.TASK_CONFIG, "fast")),
                        InstanceSimulation.trigger("Hello", Map.of(), "c1"))
                .only(Effect.StartTask.class)
                .inputs()
                .values();
        assertThat(values)
                .containsEntry("human_msg", "Hello")
                .containsEntry("conversation_id", "c1")
                .containsEntry("workflow_instance_id", "i1")
                .containsEntry("organization_id", "o1")
                .containsEntry("current_time", "2026-01-31T09:30:01.123Z")
                .containsEntry("file_urls", List.of("s3://b/f.pdf"))
                .containsEntry("mode", "fast")
                .hasSize(7);
    }

    @Test
    void inputsToFetchAreListed() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a", system("conversation_history")));
        assertThat(run.only(Effect.StartTask.class).inputs().toFetch())
                .isEqualTo(Map.of("conversation_history", TaskInputs.Fetch.CONVERSATION_HISTORY));
    }

    @Test
    void anInputThatNothingFillsIsFetchedFromTheConversationsMemory() {
        WorkflowBuilder flow = new WorkflowBuilder()
                .ai("a", input("customer", ValueType.STRING, false, InputSource.SYSTEM_GENERATED, null));
        assertThat(InstanceSimulation.of(flow, InstanceSimulation.trigger("Hello", Map.of(), "c1"))
                        .only(Effect.StartTask.class)
                        .inputs()
                        .toFetch())
                .isEqualTo(Map.of("customer", TaskInputs.Fetch.EARLIER_OUTPUT));
        TaskInputs alone = InstanceSimulation.of(flow, InstanceSimulation.trigger("Hello", Map.of(), null))
                .only(Effect.StartTask.class)
                .inputs();
        assertThat(alone.toFetch()).isEmpty();
        assertThat(alone.values()).containsEntry("customer", null);
    }

    @Test
    void aRequiredInputThatNothingCanFillFailsTheTask() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a", system("human_msg")));
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.started()).isEmpty();
        assertThat(run.state().error())
                .isEqualTo(new InstanceError(
                        WorkflowBuilder.id("a"),
                        "Missing Required Field",
                        "Input 'human_msg': The input 'human_msg' is required."));
    }

    @Test
    void timeDoesNotRunBackwards() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().ai("a").ai("b"))
                .wait(Duration.ofHours(1))
                .succeed("a");
        Instant late = run.state().updatedAt();
        run.wait(Duration.ofHours(-2)).succeed("b");
        assertThat(run.state().updatedAt()).isEqualTo(late);
        assertThat(run.state().finishedAt()).isEqualTo(late);
    }

    @Test
    void aPlanRefusesCyclesAndUnknownTasks() {
        assertThatThrownBy(() -> new WorkflowBuilder()
                        .ai("a")
                        .ai("b")
                        .after("a", "b")
                        .after("b", "a")
                        .plan())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> new WorkflowBuilder().ai("a").after("a", "ghost").plan())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WorkflowBuilder().ai("a").ai("a").plan())
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static dev.parley.workflow.definition.core.value.InputParameter system(String name) {
        return input(name, ValueType.STRING, true, InputSource.SYSTEM_GENERATED, null);
    }
}
