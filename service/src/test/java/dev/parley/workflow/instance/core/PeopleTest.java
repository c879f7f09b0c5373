package dev.parley.workflow.instance.core;

import static dev.parley.workflow.instance.core.WorkflowBuilder.asks;
import static dev.parley.workflow.instance.core.WorkflowBuilder.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.part.ErrorPolicy;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.plan.ExecutionPlan;
import dev.parley.workflow.instance.core.plan.TriggerData;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PeopleTest {
    static final InputParameter HISTORY =
            input("conversation_history", ValueType.STRING, true, InputSource.SYSTEM_GENERATED, null);
    private static final InputParameter NAME = asks("name", ValueType.STRING);
    private static final InputParameter AGE = asks("age", ValueType.INTEGER);
    private static final InputParameter NICKNAME =
            input("nickname", ValueType.STRING, false, InputSource.HUMAN_INPUT, null);

    @Test
    void aHumanTaskOpensATicketWithItsOutputsAsTheForm() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().human("h", NICKNAME));
        Effect.OpenTicket ticket = run.only(Effect.OpenTicket.class);
        assertThat(ticket.kind()).isEqualTo(RuleType.HUMAN_FEEDBACK);
        assertThat(ticket.title()).isEqualTo("Task h");
        assertThat(ticket.description()).isEqualTo("Decide");
        assertThat(ticket.form().outputs()).hasSize(1);
        assertThat(ticket.shown().values()).isEqualTo(Collections.singletonMap("nickname", null));
        assertThat(ticket.attempt()).isEqualTo(1);
        assertThat(run.history()).containsExactly(InstanceStatus.RUNNING, InstanceStatus.PAUSED);
    }

    @Test
    void aTicketIsOpenedWhenTheInputsThatItShowsWereFetched() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().human("h", HISTORY, NICKNAME));
        Effect.FetchInputs fetch = run.only(Effect.FetchInputs.class);
        assertThat(fetch.inputs().toFetch()).containsOnlyKeys("conversation_history");
        assertThat(run.statusOf("h")).isEqualTo(TaskStatus.RUNNING);
        run.apply(new InstanceEvent.InputsFetched(WorkflowBuilder.id("h"), 1, Map.of("conversation_history", "Hello")));
        Effect.OpenTicket ticket = run.only(Effect.OpenTicket.class);
        assertThat(ticket.shown().values()).isEqualTo(Map.of("conversation_history", "Hello"));
        assertThat(ticket.attempt()).isEqualTo(1);
        assertThat(run.complete("h").state().status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void anAnswerResumesFirstAndBothStepsStandInTheHistory() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().human("h")).complete("h");
        assertThat(run.of(Effect.StatusChanged.class))
                .extracting(Effect.StatusChanged::from, Effect.StatusChanged::to)
                .containsExactly(
                        tuple(InstanceStatus.PAUSED, InstanceStatus.RUNNING),
                        tuple(InstanceStatus.RUNNING, InstanceStatus.COMPLETED));
        assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.COMPLETED);
        assertThat(run.state().output()).isEqualTo(Map.of("out", "yes"));
    }

    @Test
    void anInstanceWithAnotherTicketOpenPausesAgain() {
        InstanceSimulation run = InstanceSimulation.of(
                        new WorkflowBuilder().human("h").human("i"))
                .complete("h");
        assertThat(run.history()).endsWith(InstanceStatus.PAUSED, InstanceStatus.RUNNING, InstanceStatus.PAUSED);
    }

    @Test
    void theSecondOfTwoAnswersIsRefused() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().human("h").ai("a"));
        InstanceEvent answer = run.completed("h", Map.of("out", "yes"));
        run.apply(answer);
        assertThat(run.refused(answer).detail()).isEqualTo("The ticket of task 'h' is no longer open.");
    }

    @Test
    void anAnswerThatDoesNotSuitTheFormIsRefused() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().human("h"));
        assertThat(run.refused(run.completed("h", Map.of())).detail()).contains("answer/out");
        assertThat(run.refused(run.completed("h", Map.of("out", "x", "more", 1L)))
                        .detail())
                .contains("more");
    }

    @Test
    void aRejectionFailsTheInstance() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder()
                        .withExceptionRule()
                        .human("h")
                        .ai("a")
                        .after("h", "a"))
                .reject("h");
        assertThat(run.history()).endsWith(InstanceStatus.PAUSED, InstanceStatus.RUNNING, InstanceStatus.FAILED);
        assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.REJECTED);
        assertThat(run.state().error()).isEqualTo(new InstanceError(WorkflowBuilder.id("h"), "Rejected", "No."));
        assertThat(run.statusOf("h")).isEqualTo(TaskStatus.FAILED);
    }

    @Test
    void aRejectionIsIgnoredByPolicy() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().human("h", ErrorPolicy.IGNORE))
                .reject("h");
        assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.REJECTION_IGNORED);
        assertThat(run.only(Effect.CloseTicket.class).reason()).isEqualTo("No.");
        assertThat(run.status()).isEqualTo(InstanceStatus.COMPLETED);
        assertThat(run.state().output()).isEqualTo(Collections.singletonMap("out", null));
    }

    @Test
    void aRejectionUnderRetryOpensFiveMoreTickets() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().human("h", ErrorPolicy.RETRY));
        for (int retry = 1; retry <= 5; retry++) {
            run.reject("h");
            assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.REPLACED);
            assertThat(run.only(Effect.OpenTicket.class).attempt()).isEqualTo(retry + 1);
            assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        }
        assertThat(run.reject("h").status()).isEqualTo(InstanceStatus.FAILED);
        assertThat(run.only(Effect.CloseTicket.class).end()).isEqualTo(TicketEnd.REJECTED);
    }

    @Test
    void anAnswerToATicketThatWasReplacedIsRefused() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().human("h", ErrorPolicy.RETRY));
        InstanceEvent late = run.completed("h", Map.of("out", "yes"));
        run.reject("h");
        assertThat(run.refused(late).status()).isEqualTo(InstanceStatus.PAUSED);
    }

    @Test
    void theTriggersInputsFillByName() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a", NAME, AGE), trigger(null, Map.of("name", "Ada", "age", "36"), null));
        assertThat(run.only(Effect.StartTask.class).inputs().values()).isEqualTo(Map.of("name", "Ada", "age", 36L));
    }

    @Test
    void theMessageFillsTheOnlyUnfilledRequiredText() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a", NAME, AGE, NICKNAME), trigger("Ada", Map.of("age", 36L), null));
        assertThat(run.only(Effect.StartTask.class).inputs().values())
                .containsEntry("name", "Ada")
                .containsEntry("nickname", null);
    }

    @Test
    void theMessageFillsTheOnlyUnfilledOptionalText() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().ai("a", NICKNAME), trigger("Countess", Map.of(), null));
        assertThat(run.only(Effect.StartTask.class).inputs().values()).containsEntry("nickname", "Countess");
    }

    @Test
    void theMessageFillsNothingWhenSeveralAreUnfilledOrTheOneIsNoText() {
        InstanceSimulation two = InstanceSimulation.of(
                new WorkflowBuilder().ai("a", NAME, asks("city", ValueType.STRING)), trigger("Ada", Map.of(), "c1"));
        assertThat(two.only(Effect.AskUser.class).inputs()).hasSize(2);
        InstanceSimulation number =
                InstanceSimulation.of(new WorkflowBuilder().ai("a", AGE), trigger("36", Map.of(), "c1"));
        assertThat(number.only(Effect.AskUser.class).inputs()).containsExactly(AGE);
    }

    @Test
    void aMissingOptionalInputIsNullWithoutAsking() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a", NICKNAME));
        assertThat(run.started()).containsExactly("a");
    }

    @Test
    void theConversationIsAskedAndItsReplyIsTheValue() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().ai("a", AGE), trigger(null, Map.of(), "c1"));
        assertThat(run.only(Effect.AskUser.class).prompt()).contains("'age' (INTEGER): The age");
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        assertThat(run.state().questions()).containsExactly(AGE);
        run.apply(reply("36"));
        assertThat(run.started()).containsExactly("a");
        assertThat(run.state().questions()).isEmpty();
        assertThat(run.history())
                .containsExactly(InstanceStatus.RUNNING, InstanceStatus.PAUSED, InstanceStatus.RUNNING);
    }

    @Test
    void aReplyThatDoesNotSuitIsAskedAgainAndChangesNothingButTheHistory() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().ai("a", AGE), trigger(null, Map.of(), "c1"));
        InstanceState before = run.state();
        run.apply(reply("old"));
        assertThat(run.only(Effect.AskUser.class).prompt()).contains("INTEGER").contains("'old'");
        assertThat(run.state().status()).isEqualTo(before.status());
        assertThat(run.state().questions()).isEqualTo(before.questions());
        assertThat(run.state().version()).isEqualTo(before.version() + 1);
        run.apply(new InstanceEvent.UserReplied(Map.of("years", 3L), null, "m1"));
        assertThat(run.only(Effect.AskUser.class).prompt()).contains("no input of this name");
    }

    @Test
    void aReplyThatAnswersSomeIsAskedForTheRest() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().ai("a", NAME, AGE), trigger(null, Map.of(), "c1"));
        run.apply(reply("Ada"));
        assertThat(run.only(Effect.AskUser.class).inputs()).containsExactly(AGE);
        assertThat(run.status()).isEqualTo(InstanceStatus.PAUSED);
        assertThat(run.apply(reply("36")).started()).containsExactly("a");
    }

    @Test
    void oneReplyByNamesServesAllTasksThatAsk() {
        InstanceSimulation run = InstanceSimulation.of(
                new WorkflowBuilder().ai("a", NAME).ai("b", NAME, AGE), trigger(null, Map.of(), "c1"));
        assertThat(run.of(Effect.AskUser.class))
                .extracting(Effect.AskUser::inputs)
                .containsExactly(List.of(NAME), List.of(AGE));
        run.apply(new InstanceEvent.UserReplied(Map.of("name", "Ada", "age", 36L), null, "m1"));
        assertThat(run.started()).containsExactly("a", "b");
    }

    @Test
    void anUnsolicitedReplyIsRejected() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a"), trigger(null, Map.of(), "c1"));
        assertThat(run.refused(reply("Hi")).status()).isEqualTo(InstanceStatus.RUNNING);
        InstanceSimulation ticket = InstanceSimulation.of(new WorkflowBuilder().ai("a", NAME));
        assertThat(ticket.refused(reply("Hi")).status()).isEqualTo(InstanceStatus.PAUSED);
    }

    @Test
    void withoutAConversationATicketAsksForTheInputs() {
        InstanceSimulation run = InstanceSimulation.of(new WorkflowBuilder().ai("a", NAME, AGE));
        Effect.OpenTicket ticket = run.only(Effect.OpenTicket.class);
        assertThat(ticket.form().inputs()).containsExactly(NAME, AGE);
        assertThat(ticket.form().outputs()).isEmpty();
        assertThat(ticket.description())
                .startsWith("Needs name and age to start.")
                .endsWith("Do it");
        assertThat(run.refused(run.completed("a", Map.of("name", "Ada"))).detail())
                .contains("age");
        assertThat(run.refused(run.completed("a", Map.of("name", "Ada", "age", "x")))
                        .detail())
                .contains("age");
        run.apply(run.completed("a", Map.of("name", "Ada", "age", 36L)));
        assertThat(run.only(Effect.CloseTicket.class).answer()).isEqualTo(Map.of("name", "Ada", "age", 36L));
        assertThat(run.started()).containsExactly("a");
        assertThat(run.task("a").attempt()).isEqualTo(1);
    }

    @Test
    void anAnswerAlsoClosesTheTicketsOfOthersThatAskedForIt() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().ai("a", NAME).ai("b", NAME));
        run.apply(run.completed("a", Map.of("name", "Ada")));
        assertThat(run.of(Effect.CloseTicket.class))
                .extracting(close -> close.task().value())
                .containsExactly("a", "b");
        assertThat(run.started()).containsExactly("a", "b");
    }

    @Test
    void refusingToGiveInputsIsAnErrorOfTheTask() {
        assertThat(InstanceSimulation.of(new WorkflowBuilder().ai("a", NAME))
                        .reject("a")
                        .status())
                .isEqualTo(InstanceStatus.FAILED);
        assertThat(InstanceSimulation.of(new WorkflowBuilder().ai("a", ErrorPolicy.IGNORE, NAME))
                        .reject("a")
                        .status())
                .isEqualTo(InstanceStatus.COMPLETED);
        InstanceSimulation again = InstanceSimulation.of(new WorkflowBuilder().ai("a", ErrorPolicy.RETRY, NAME));
        int first = again.only(Effect.OpenTicket.class).attempt();
        assertThat(again.reject("a").only(Effect.OpenTicket.class).attempt()).isGreaterThan(first);
    }

    @Test
    void aHumanTaskCanAskForInputsBeforeItsOwnTicket() {
        InstanceSimulation run =
                InstanceSimulation.of(new WorkflowBuilder().human("h", NAME), trigger(null, Map.of(), "c1"));
        run.apply(reply("Ada"));
        assertThat(run.only(Effect.OpenTicket.class).shown().values()).isEqualTo(Map.of("name", "Ada"));
        assertThat(run.complete("h").status()).isEqualTo(InstanceStatus.COMPLETED);
    }

    @Test
    void badTriggerInputsAreFoundBeforeTheStart() {
        ExecutionPlan plan = new WorkflowBuilder().ai("a", NAME, AGE, NICKNAME).plan();
        Map<String, @Nullable Object> inputs = new LinkedHashMap<>();
        inputs.put("age", "old");
        inputs.put("a/b", 1L);
        inputs.put("name", null);
        inputs.put("nickname", null);
        assertThat(InputResolver.check(plan, inputs))
                .extracting(Violation::kind, Violation::path)
                .containsExactly(
                        tuple(Violation.INVALID_TYPE, "/inputs/age"),
                        tuple(Violation.UNKNOWN_FIELD, "/inputs/a~1b"),
                        tuple(Violation.MISSING_REQUIRED_FIELD, "/inputs/name"));
        assertThat(InputResolver.check(plan, Map.of("age", 36L))).isEmpty();
    }

    private static TriggerData trigger(
            @Nullable String message, Map<String, @Nullable Object> inputs, @Nullable String conversation) {
        return InstanceSimulation.trigger(message, inputs, conversation);
    }

    private static InstanceEvent reply(String text) {
        return new InstanceEvent.UserReplied(Map.of(), text, "m1");
    }
}
