package dev.parley.workflow.instance.core;

import static dev.parley.workflow.instance.core.WorkflowBuilder.asks;
import static dev.parley.workflow.instance.core.WorkflowBuilder.id;
import static dev.parley.workflow.instance.core.WorkflowBuilder.input;
import static dev.parley.workflow.instance.core.WorkflowBuilder.items;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.CpuTime;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.ControlFlow.ForEach;
import dev.parley.workflow.definition.core.part.ControlFlow.ItemErrorRule;
import dev.parley.workflow.definition.core.part.ControlFlow.JoinRule;
import dev.parley.workflow.definition.core.part.ControlFlow.Repeat;
import dev.parley.workflow.definition.core.part.ErrorPolicy;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.event.Decision;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.ItemStates;
import dev.parley.workflow.instance.core.state.SkipReason;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.stream.IntStream;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Conditions, joins, items and iterations. */
class ControlFlowTest {
    private static final InputParameter FROM_BEFORE =
            input("in", ValueType.STRING, true, InputSource.SYSTEM_GENERATED, null);
    private static final InputParameter OPTIONAL =
            input("in", ValueType.STRING, false, InputSource.SYSTEM_GENERATED, null);
    private static final InputParameter PREVIOUS =
            input("previous.out", ValueType.STRING, false, InputSource.SYSTEM_GENERATED, null);

    /** A decision, a task for each answer, and a task that joins them. */
    private static WorkflowBuilder branches(JoinRule join, InputParameter... joined) {
        return new WorkflowBuilder()
                .human("decide")
                .when("tasks.decide.out == 'yes'")
                .ai("accept")
                .when("tasks.decide.out != 'yes'")
                .ai("decline")
                .join(join)
                .ai("close", joined)
                .after("decide", "accept")
                .after("decide", "decline")
                .after("accept", "close")
                .after("decline", "close");
    }

    @Test
    void aConditionChoosesABranch() {
        InstanceSimulation run = InstanceSimulation.of(branches(JoinRule.ANY))
                .apply(new InstanceEvent.TicketCompleted(id("decide"), 1, Map.of("out", "no"), "user:kim"));
        assertThat(run.started()).containsExactly("decline");
        assertThat(run.task("accept").skipped()).isEqualTo(SkipReason.CONDITION);
        assertThat(run.task("accept").outputs()).containsEntry("out", null);
        run.succeed("decline");
        assertThat(run.started()).containsExactly("close");
        run.succeed("close");
        assertThat(run.status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void aTaskNeedsAllOfItsPredecessorsByDefault() {
        InstanceSimulation run = InstanceSimulation.of(branches(JoinRule.ALL)).complete("decide");
        assertThat(run.started()).containsExactly("accept");
        run.succeed("accept");
        assertThat(run.task("close").skipped()).isEqualTo(SkipReason.PREDECESSOR);
        assertThat(run.status()).isEqualTo(InstanceStatus.COMPLETED);
        assertThat(run.state().output()).isEqualTo(outputOf(null));
    }

    @Test
    void aRequiredInputFromASkippedTaskSkipsItsTask() {
        WorkflowBuilder needs = branches(JoinRule.ANY, FROM_BEFORE).connect("decline", "out", "close", "in");
        InstanceSimulation run = InstanceSimulation.of(needs).complete("decide").succeed("accept");
        assertThat(run.task("close").skipped()).isEqualTo(SkipReason.PREDECESSOR);

        WorkflowBuilder optional = branches(JoinRule.ANY, OPTIONAL).connect("decline", "out", "close", "in");
        run = InstanceSimulation.of(optional).complete("decide").succeed("accept");
        assertThat(run.only(Effect.StartTask.class).inputs().values()).containsEntry("in", null);
    }

    @Test
    void theOutputComesFromTheBranchThatRan() {
        WorkflowBuilder flow = new WorkflowBuilder()
                .when("trigger.human_msg == 'a'")
                .ai("a")
                .when("trigger.human_msg == 'b'")
                .ai("b");
        InstanceSimulation run = InstanceSimulation.of(flow, InstanceSimulation.trigger("b", Map.of(), null));
        run.succeed("b", Map.of("out", "from b"));
        assertThat(run.state().output()).isEqualTo(Map.of("out", "from b"));
    }

    @Test
    void aConditionWithoutAValueFailsTheTask() {
        WorkflowBuilder flow =
                new WorkflowBuilder().when("trigger.human_msg.startsWith('a')").ai("a");
        InstanceSimulation run = InstanceSimulation.of(flow);
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.task("a").error()).extracting(TaskError::error).isEqualTo("Condition error");

        run = InstanceSimulation.of(new WorkflowBuilder()
                .withExceptionRule()
                .when("trigger.human_msg.startsWith('a')")
                .ai("a"));
        assertThat(String.valueOf(run.task("a").error())).doesNotContain("RETRY");
        assertThat(run.only(Effect.OpenTicket.class).error()).isNotNull();
        run.apply(new InstanceEvent.ExceptionRetry(id("a"), 1, InstanceSimulation.KIM));
        assertThat(run.started()).as("a person decides that the task runs").containsExactly("a");
    }

    /** It would have the same values. */
    @Test
    void aConditionWithoutAValueIsNotRetried() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().when("trigger.human_msg.startsWith('a')").ai("a", ErrorPolicy.RETRY));
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(String.valueOf(run.task("a").error()))
                .contains("RETRY does not apply: the values would be the same.");
    }

    @Test
    void aConditionOverAnInputWaitsForTheUser() {
        WorkflowBuilder flow =
                new WorkflowBuilder().when("inputs.name == 'Ada'").ai("a", asks("name", ValueType.STRING));
        InstanceSimulation run = InstanceSimulation.of(flow, InstanceSimulation.trigger(null, Map.of(), "c1"));
        assertThat(run.task("a").waitingFor()).isEqualTo(WaitingReason.USER_INPUT);
        run.apply(new InstanceEvent.UserReplied(Map.of(), "Bob", "m1"));
        assertThat(run.task("a").skipped()).isEqualTo(SkipReason.CONDITION);
    }

    @Test
    void aConditionThatNeedsNoInputIsEvaluatedBeforeTheUserIsAsked() {
        WorkflowBuilder flow = new WorkflowBuilder().when("1 > 2").ai("a", asks("name", ValueType.STRING));
        InstanceSimulation run = InstanceSimulation.of(flow, InstanceSimulation.trigger(null, Map.of(), "c1"));
        assertThat(run.statusOf("a")).isEqualTo(TaskStatus.SKIPPED);
        assertThat(run.of(Effect.AskUser.class)).isEmpty();
    }

    @Test
    void itemsRunInOrderWithBoundedParallelism() {
        InstanceSimulation run = InstanceSimulation.of(forEach(2, ItemErrorRule.FAIL, "a", "b", "c"));
        assertThat(run.of(Effect.StartTask.class))
                .extracting(
                        Effect.StartTask::item, start -> start.inputs().values().get("items"))
                .containsExactly(Tuple.tuple(0, "a"), Tuple.tuple(1, "b"));
        succeedItem(run, 1, "B");
        assertThat(run.only(Effect.StartTask.class).item()).isEqualTo(2);
        assertThat(run.only(Effect.StartTask.class).idempotencyKey()).isEqualTo("i1:each:2:1");
        succeedItem(run, 2, "C");
        succeedItem(run, 0, "A");
        assertThat(run.task("each").outputs()).isEqualTo(Map.of("out", List.of("A", "B", "C")));
        assertThat(run.status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void noItemsAreNoWork() {
        InstanceSimulation run = InstanceSimulation.of(forEach(2, ItemErrorRule.FAIL));
        assertThat(run.state().output()).isEqualTo(Map.of("out", List.of()));
    }

    @Test
    void tooManyItemsAreAnError() {
        String[] values = new String[10_001];
        Arrays.fill(values, "x");
        InstanceSimulation run = InstanceSimulation.of(forEach(2, ItemErrorRule.COLLECT, values));
        assertThat(run.task("each").error())
                .isEqualTo(new TaskError(
                        "Too many items", "A task runs for at most 10,000 items, and the input has 10,001.", false));

        run = InstanceSimulation.of(forEach(2, ItemErrorRule.FAIL, values).withExceptionRule());
        int first = run.only(Effect.OpenTicket.class).attempt();
        run.apply(new InstanceEvent.ExceptionRetry(id("each"), first, InstanceSimulation.KIM));
        assertThat(run.only(Effect.OpenTicket.class).attempt()).isGreaterThan(first);
    }

    @Test
    void aFailedItemFailsTheTaskAndStopsTheOthers() {
        InstanceSimulation run = InstanceSimulation.of(forEach(2, ItemErrorRule.FAIL, "a", "b", "c"));
        failItem(run, 1);
        assertThat(run.only(Effect.StopTask.class).attempt()).isEqualTo(attempt(run, 0));
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.task("each").error()).extracting(TaskError::detail).isEqualTo("Item 2 of 3: It cannot work.");
    }

    @Test
    void failedItemsAreCollected() {
        InstanceSimulation run = InstanceSimulation.of(
                forEach(2, ItemErrorRule.COLLECT, "a", "b", "c").withExceptionRule());
        failItem(run, 1);
        succeedItem(run, 0, "A");
        succeedItem(run, 2, "C");
        assertThat(run.of(Effect.OpenTicket.class)).isEmpty();
        assertThat(run.task("each").outputs().get("out")).isEqualTo(Arrays.asList("A", null, "C"));
        ItemStates items = run.state().tasks().items(0);
        assertThat(items).isNotNull().satisfies(states -> assertThat(states.failed())
                .isEqualTo(1));
    }

    @Test
    void anItemIsRetriedAlone() {
        InstanceSimulation run = InstanceSimulation.of(forEach(2, ItemErrorRule.FAIL, "a", "b"));
        run.apply(new InstanceEvent.TaskFailed(id("each"), attempt(run, 0), InstanceSimulation.TIMEOUT));
        assertThat(run.only(Effect.ScheduleRetry.class).attempt()).isEqualTo(attempt(run, 0));
        succeedItem(run, 1, "B");
        run.apply(new InstanceEvent.RetryDue(id("each"), attempt(run, 0)));
        assertThat(run.only(Effect.StartTask.class).idempotencyKey()).isEqualTo("i1:each:0:1");
        succeedItem(run, 0, "A");
        assertThat(run.status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void eachItemHasATicketOfItsOwn() {
        WorkflowBuilder flow = new WorkflowBuilder()
                .forEach("items", 2, ItemErrorRule.FAIL)
                .human("each", items(List.of("a", "b", "c")));
        InstanceSimulation run = InstanceSimulation.of(flow);
        assertThat(run.of(Effect.OpenTicket.class))
                .extracting(Effect.OpenTicket::title)
                .containsExactly("Task each (1 of 3)", "Task each (2 of 3)");
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        assertThat(run.statusOf("each")).isEqualTo(TaskStatus.WAITING);
        run.apply(answer(run, 0));
        assertThat(run.only(Effect.OpenTicket.class).title()).isEqualTo("Task each (3 of 3)");
        run.apply(answer(run, 2)).apply(answer(run, 1));
        assertThat(run.status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void aPauseHoldsItems() {
        InstanceSimulation run =
                InstanceSimulation.of(forEach(1, ItemErrorRule.FAIL, "a", "b")).pause();
        succeedItem(run, 0, "A");
        assertThat(run.started()).isEmpty();
        assertThat(run.resume().only(Effect.StartTask.class).item()).isEqualTo(1);
    }

    @Test
    void aRecoveryRepeatsOnlyUnfinishedItems() {
        InstanceSimulation run = InstanceSimulation.of(forEach(2, ItemErrorRule.FAIL, "a", "b", "c"));
        succeedItem(run, 0, "A");
        run.apply(new InstanceEvent.Recovered());
        assertThat(run.of(Effect.StartTask.class))
                .extracting(Effect.StartTask::item)
                .containsExactly(1, 2);
    }

    @Test
    void theItemsOfADataLakeAreFetchedOnce() {
        InputParameter history = new InputParameter(
                "conversation_history",
                ValueType.ARRAY,
                "d",
                true,
                InputSource.SYSTEM_GENERATED,
                null,
                List.of(),
                null,
                DataSource.MEMORY);
        WorkflowBuilder flow = new WorkflowBuilder()
                .forEach("conversation_history", 1, ItemErrorRule.FAIL)
                .ai("each", history);
        InstanceSimulation run = InstanceSimulation.of(flow);
        int attempt = run.only(Effect.FetchInputs.class).attempt();
        Map<String, @Nullable Object> fetched = Map.of("conversation_history", List.of("one", "two"));
        run.apply(new InstanceEvent.InputsFetched(id("each"), attempt, fetched));
        assertThat(run.only(Effect.StartTask.class).inputs().values()).containsEntry("conversation_history", "one");
        run.ignored(new InstanceEvent.InputsFetched(id("each"), attempt, fetched));
    }

    @Test
    void aTaskRepeatsUntilItsConditionHolds() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().repeat("outputs.out == 'good'", 3).ai("draft", PREVIOUS));
        assertThat(run.only(Effect.StartTask.class).inputs().values()).containsEntry("previous.out", null);
        run.succeed("draft", Map.of("out", "bad"));
        Effect.StartTask second = run.only(Effect.StartTask.class);
        assertThat(second.inputs().values()).containsEntry("previous.out", "bad");
        assertThat(second.idempotencyKey()).isEqualTo("i1:draft:2");
        assertThat(run.task("draft").iteration()).isEqualTo(1);
        run.succeed("draft", Map.of("out", "good"));
        assertThat(run.state().output()).isEqualTo(Map.of("out", "good"));
    }

    @Test
    void tooManyIterationsAreAnError() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().repeat("outputs.out == 'good'", 2).ai("draft"))
                .succeed("draft")
                .succeed("draft");
        assertThat(run.status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.task("draft").error())
                .isEqualTo(new TaskError(
                        "Iteration limit",
                        "The condition 'outputs.out == 'good'' did not hold after 2 iterations.",
                        false));
    }

    @Test
    void itemsMayRepeat() {
        WorkflowBuilder flow = new WorkflowBuilder()
                .with(new ControlFlow(
                        null,
                        JoinRule.ALL,
                        new ForEach("items", 5, ItemErrorRule.FAIL),
                        new Repeat("outputs.out != 'again'", 3)))
                .ai("each", items(List.of("a", "b")));
        InstanceSimulation run = InstanceSimulation.of(flow);
        succeedItem(run, 0, "again");
        assertThat(run.only(Effect.StartTask.class).item()).isZero();
        succeedItem(run, 1, "B");
        succeedItem(run, 0, "A");
        assertThat(run.state().output()).isEqualTo(Map.of("out", List.of("A", "B")));
    }

    @Test
    void theResultsOfItemsConnectToAnArray() {
        InputParameter all = new InputParameter(
                "all",
                ValueType.ARRAY,
                "d",
                true,
                InputSource.SYSTEM_GENERATED,
                new ArrayItems(ValueType.STRING, null, List.of()),
                List.of(),
                null,
                DataSource.MEMORY);
        WorkflowBuilder flow = forEach(5, ItemErrorRule.COLLECT, "a", "b")
                .once()
                .ai("sum", all)
                .connect("each", "out", "sum", "all");
        InstanceSimulation run = InstanceSimulation.of(flow);
        failItem(run, 0);
        succeedItem(run, 1, "B");
        assertThat(run.only(Effect.StartTask.class).inputs().values())
                .isEqualTo(Map.of("all", Arrays.asList(null, "B")));
    }

    @Test
    void aRejectedItemFollowsTheErrorPolicy() {
        WorkflowBuilder flow = new WorkflowBuilder()
                .forEach("items", 2, ItemErrorRule.FAIL)
                .human("each", ErrorPolicy.IGNORE, items(List.of("a", "b")));
        InstanceSimulation run = InstanceSimulation.of(flow);
        run.apply(new InstanceEvent.TicketRejected(id("each"), attempt(run, 0), "No.", InstanceSimulation.KIM));
        run.apply(answer(run, 1));
        assertThat(run.state().output()).isEqualTo(Map.of("out", Arrays.asList(null, "yes")));
    }

    private static WorkflowBuilder forEach(int maxParallel, ItemErrorRule onError, String... values) {
        return new WorkflowBuilder().forEach("items", maxParallel, onError).ai("each", items(List.of(values)));
    }

    private static int attempt(InstanceSimulation run, int item) {
        ItemStates items = run.state().tasks().items(0);
        assertThat(items).isNotNull();
        return Objects.requireNonNull(items).get(item).attempt();
    }

    private static void succeedItem(InstanceSimulation run, int item, String out) {
        run.apply(new InstanceEvent.TaskSucceeded(id("each"), attempt(run, item), Map.of("out", out)));
    }

    private static void failItem(InstanceSimulation run, int item) {
        run.apply(new InstanceEvent.TaskFailed(id("each"), attempt(run, item), InstanceSimulation.BROKEN));
    }

    private static InstanceEvent answer(InstanceSimulation run, int item) {
        return new InstanceEvent.TicketCompleted(
                id("each"), attempt(run, item), Map.of("out", "yes"), InstanceSimulation.KIM);
    }

    private static Map<String, @Nullable Object> outputOf(@Nullable Object value) {
        Map<String, @Nullable Object> output = new HashMap<>();
        output.put("out", value);
        return output;
    }

    @Test
    void tenThousandItemsTakeLinearTime() {
        List<String> values =
                IntStream.range(0, 10_000).mapToObj(String::valueOf).toList();
        WorkflowBuilder flow =
                new WorkflowBuilder().forEach("items", 100, ItemErrorRule.FAIL).ai("each", items(values));
        assertThat(CpuTime.of(() -> runToTheEnd(flow))).isLessThan(Duration.ofSeconds(3));
    }

    private static void runToTheEnd(WorkflowBuilder flow) {
        InstanceState state = InstanceState.create(
                flow.plan(), InstanceSimulation.trigger(null, Map.of(), null), InstanceSimulation.START);
        Queue<InstanceEvent> events = new ArrayDeque<>(List.of(new InstanceEvent.InstanceStarted()));
        while (!events.isEmpty()) {
            Decision decision = (Decision) Transition.apply(state, events.remove(), InstanceSimulation.START);
            decision.delta().items().values().forEach(delta -> assertThat(delta.states())
                    .hasSizeLessThanOrEqualTo(100));
            state = decision.state();
            for (Effect effect : decision.effects()) {
                if (effect instanceof Effect.StartTask start) {
                    events.add(new InstanceEvent.TaskSucceeded(start.task(), start.attempt(), Map.of("out", "x")));
                }
            }
        }
        assertThat(state.status()).isEqualTo(InstanceStatus.COMPLETED);
    }
}
