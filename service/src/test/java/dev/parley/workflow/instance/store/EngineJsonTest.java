package dev.parley.workflow.instance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.datalake.core.RowFilter;
import dev.parley.http.IdempotencyKeys;
import dev.parley.id.ApiKeyId;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.TaskAttemptId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.attempt.AttemptStatus;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.attempt.core.CallDecision;
import dev.parley.workflow.attempt.core.ModelUsage;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.AssignmentRule;
import dev.parley.workflow.definition.core.value.ArrayItems;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.ObjectProperty;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.RandomWalk;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.TaskInputs;
import dev.parley.workflow.instance.core.event.TicketForm;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.ReusedResult;
import dev.parley.workflow.instance.core.state.SkipReason;
import dev.parley.workflow.instance.core.state.TaskError;
import dev.parley.workflow.instance.core.state.WaitingReason;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

class EngineJsonTest {
    private static final Instant AT = Instant.parse("2026-01-31T09:30:00.123Z");
    private static final TaskId TASK = new TaskId("a");
    private static final Map<String, @Nullable Object> VALUES = values();
    private static final ModelUsage USAGE = new ModelUsage(120, 7, 15, 2, 1);
    private static final TaskError ERROR = new TaskError("Timeout", "It took too long.", true);
    private static final TaskInputs INPUTS = new TaskInputs(VALUES, Map.of("rows", TaskInputs.Fetch.DATA_LAKE_ROWS));
    private static final PendingToolCall CALL =
            new PendingToolCall(0, 7, "pay", VALUES, new CallDecision(false, Map.of(), "No.", "user:kim", AT));

    private static Map<String, @Nullable Object> values() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("text", "Héllo \u2028 \"");
        values.put("none", null);
        values.put("number", 5L);
        values.put("decimal", new BigDecimal("5.00"));
        values.put("list", Arrays.asList(true, null, Map.of("k", List.of())));
        return values;
    }

    @Property(tries = 100)
    void eventsAndEffectsOfInstancesSurviveARoundTrip(@ForAll long seed) {
        RandomWalk walk = new RandomWalk(seed);
        for (int i = 0; i < 30; i++) {
            RandomWalk.Step step = walk.step();
            assertSame(InstanceEvent.class, step.event());
            step.effects().forEach(effect -> assertSame(Effect.class, effect));
        }
    }

    @Example
    void everyEventSurvivesARoundTrip() {
        List<InstanceEvent> events = List.of(
                new InstanceEvent.InstanceStarted(Map.of(
                        TASK,
                        new ReusedResult(VALUES, null, "i0"),
                        new TaskId("b"),
                        new ReusedResult(Map.of(), SkipReason.CONDITION, "i0"))),
                new InstanceEvent.InstanceStarted(),
                new InstanceEvent.TimeLimitReached(),
                new InstanceEvent.WaitEnded(),
                new InstanceEvent.Recovered(),
                new InstanceEvent.SubWorkflowEnded(TASK, "i1:a:1"),
                new InstanceEvent.TaskSucceeded(TASK, 1, VALUES, USAGE),
                new InstanceEvent.TaskSucceeded(TASK, 1, Map.of()),
                new InstanceEvent.TaskFailed(TASK, 2, ERROR, Duration.ofMillis(1_500), USAGE),
                new InstanceEvent.TaskFailed(TASK, 2, ERROR),
                new InstanceEvent.TaskSuspended(TASK, 1, WaitingReason.TIMER, VALUES, AT, USAGE),
                new InstanceEvent.ApprovalRequested(TASK, 1, CALL, null),
                new InstanceEvent.InputsFetched(TASK, 0, VALUES),
                new InstanceEvent.RetryDue(TASK, 3),
                new InstanceEvent.UserReplied(VALUES, null, "m1"),
                new InstanceEvent.UserReplied(Map.of(), "", "m1"),
                new InstanceEvent.TicketCompleted(TASK, 1, VALUES, "user:kim"),
                new InstanceEvent.TicketRejected(TASK, 1, "No.", "user:kim"),
                new InstanceEvent.ExceptionRetry(TASK, 1, "user:kim"),
                new InstanceEvent.ExceptionSupplied(TASK, 1, VALUES, "user:kim"),
                new InstanceEvent.ExceptionRaised(TASK, 1, "No.", "user:kim"),
                new InstanceEvent.EventReceived(TASK, 1, VALUES, "api_key:k"),
                new InstanceEvent.PauseRequested("user:kim"),
                new InstanceEvent.ResumeRequested("user:kim"),
                new InstanceEvent.RetryRequested("user:kim"),
                new InstanceEvent.CancelRequested("user:kim"),
                new InstanceEvent.Terminated("Over.", "system"));
        assertEach(InstanceEvent.class, events);
    }

    @Example
    void everyEffectSurvivesARoundTrip() {
        var filter = new RowFilter.All(List.of(
                new RowFilter.Any(List.of(new RowFilter.Compare("a", RowFilter.Operator.IN, List.of(1L, "x"), null))),
                new RowFilter.Not(new RowFilter.Compare("b", RowFilter.Operator.EQUAL, List.of(), "text"))));
        var input = new InputParameter(
                "rows",
                ValueType.ARRAY,
                "All rows",
                true,
                InputSource.HUMAN_INPUT,
                new ArrayItems(
                        ValueType.OBJECT, null, List.of(new ObjectProperty("k", ValueType.STRING, "A key", true))),
                List.of(),
                List.of(5L, "x"),
                new DataSource(DataSource.DataSourceKind.DATA_LAKE, "lake", filter, List.of("a"), 0));
        var form = new TicketForm(List.of(new OutputParameter("out", OutputType.PDF, "A file")), List.of(input));
        var assignee = new AssignmentRule(AssignmentRule.RuleType.EXCEPTION, AssignmentRule.AssignmentType.TEAM, "7");
        List<Effect> effects = List.of(
                new Effect.StartTask(TASK, 1, 0, INPUTS, "i1:a:1"),
                new Effect.StartTask(TASK, 1, null, new TaskInputs(Map.of(), Map.of()), "i1:a:1"),
                new Effect.FetchInputs(TASK, 0, INPUTS),
                new Effect.ScheduleRetry(TASK, 1, AT),
                new Effect.StopTask(TASK, 1),
                new Effect.OpenTicket(
                        TASK,
                        1,
                        null,
                        AssignmentRule.RuleType.EXCEPTION,
                        List.of(assignee),
                        "Title",
                        "",
                        form,
                        INPUTS,
                        ERROR,
                        AT,
                        CALL),
                new Effect.CloseTicket(TASK, 1, TicketEnd.COMPLETED, "user:kim", Map.of(), null, null),
                new Effect.CloseTicket(TASK, 1, TicketEnd.REJECTED, "user:kim", null, "No.", null),
                new Effect.CloseTicket(TASK, 1, TicketEnd.CALL_APPROVED, "user:kim", VALUES, null, CALL),
                new Effect.AskUser(
                        TASK,
                        "Who?",
                        List.of(input),
                        List.of(
                                Violation.missing("/a"),
                                Violation.invalid(ViolationCode.TOO_LONG, "/b", "Too long.")
                                        .with("max", 5L))),
                new Effect.StatusChanged(null, InstanceStatus.RUNNING, AT),
                new Effect.InstanceFinished(InstanceStatus.FAILED));
        assertEach(Effect.class, effects);
    }

    @Example
    void everyCompanionSurvivesARoundTrip() {
        var organization = OrganizationId.next();
        assertEach(
                Companion.class,
                List.of(
                        new Companion.DeliverMessage(organization, ConversationId.next(), MessageId.next(), true),
                        new Companion.ClaimIdempotencyKey(
                                new IdempotencyKeys.Claim(organization, "POST /x", "k", "hash"), 202),
                        new Companion.StoreMessage(
                                organization,
                                ConversationId.next(),
                                MessageId.next(),
                                "Hello",
                                "api_key:x",
                                new IdempotencyKeys.Claim(organization, "POST /y", "k", "hash"))));
    }

    @Example
    void headersAndAttemptsSurviveARoundTrip() {
        var header = new InstanceHeader(
                OrganizationId.next(),
                WorkflowInstanceId.next(),
                WorkflowId.next(),
                0,
                true,
                ConversationId.next(),
                0,
                "{}",
                WorkflowInstanceId.next(),
                "a",
                new InstanceHeader.ParentTask(WorkflowInstanceId.next(), "a", "key", 1),
                "Hello",
                "user:kim",
                ApiKeyId.next(),
                AT,
                AT.plusSeconds(60),
                null);
        assertSame(InstanceHeader.class, header);
        assertSame(
                TaskAttempt.class,
                new TaskAttempt(
                        new TaskAttempt.AttemptKey(
                                header.organization(), header.id(), TaskAttemptId.next(), "a", 0, 1, null),
                        AttemptStatus.FAILED,
                        AT,
                        USAGE,
                        new TaskAttempt.RecordedContent(
                                "model",
                                "model-1",
                                3,
                                2,
                                new TaskAttempt.AttemptFailure("Timeout", "It took too long."),
                                List.of(new TaskAttempt.RecordedLine("user", "Hello")),
                                null,
                                List.of(new TaskAttempt.RecordedToolCall(
                                        0,
                                        "pay",
                                        7,
                                        "{}",
                                        new TaskAttempt.ArgumentsEdit("user:kim", AT, "{}"),
                                        "",
                                        true,
                                        0,
                                        false)),
                                0),
                        true));
    }

    @Example
    void unknownMembersAreSkippedAndInvalidJsonIsRejected() {
        InstanceEvent event = new InstanceEvent.CancelRequested("user:kim");
        String json = new String(EngineJson.write(InstanceEvent.class, event), StandardCharsets.UTF_8);
        assertThat(EngineJson.read(InstanceEvent.class, bytes(json.replaceFirst("\\{", "{\"later\":[{}],"))))
                .isEqualTo(event);
        for (String invalid : List.of("", "null", "[]", "{}", "{\"type\":\"Later\"}")) {
            assertThatThrownBy(() -> EngineJson.read(InstanceEvent.class, bytes(invalid)))
                    .isInstanceOf(UncheckedIOException.class);
        }
    }

    /** @param values at least one of each record of the sealed type */
    private static <T> void assertEach(Class<T> sealed, List<? extends T> values) {
        assertThat(values.stream().map(Object::getClass).distinct())
                .containsExactlyInAnyOrderElementsOf(records(sealed).toList());
        values.forEach(value -> assertSame(sealed, value));
    }

    private static Stream<Class<?>> records(Class<?> type) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        return permitted == null ? Stream.of(type) : Arrays.stream(permitted).flatMap(EngineJsonTest::records);
    }

    private static <T> void assertSame(Class<T> type, T value) {
        byte[] json = EngineJson.write(type, value);
        assertThat(EngineJson.read(type, json))
                .as(new String(json, StandardCharsets.UTF_8))
                .isEqualTo(value);
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
