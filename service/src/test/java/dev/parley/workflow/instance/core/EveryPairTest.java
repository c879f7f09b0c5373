package dev.parley.workflow.instance.core;

import static dev.parley.workflow.instance.core.WorkflowBuilder.asks;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.UserId;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import dev.parley.workflow.ticket.core.TicketEnd;
import dev.parley.workflow.ticket.core.TicketOperation;
import dev.parley.workflow.ticket.core.TicketState;
import dev.parley.workflow.ticket.core.TicketStatus;
import dev.parley.workflow.ticket.core.TicketTransition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The result of every event for an instance in every status, for a task in every status, and of every operation on a
 * ticket, as docs/reference/states.md shows it. A new status or event changes the page, or fails here.
 */
class EveryPairTest {
    private static final Path PAGE = Path.of("../docs/reference/states.md");

    private static final List<String> INSTANCES =
            List.of("RUNNING", "WAITING", "HELD", "COMPLETED", "FAILED", "CANCELLED", "TERMINATED");
    private static final List<String> EXECUTED_TASKS =
            List.of("PENDING", "FETCHING", "RUNNING", "RETRYING", "COMPLETED", "FAILED", "SKIPPED", "CANCELLED");
    private static final List<String> WAITING_TASKS =
            List.of("HUMAN", "EXCEPTION", "INPUT", "APPROVAL", "TIMER", "EVENT", "CHILD");

    private static final UserId ME = UserId.next();
    private static final TicketState MINE = TicketState.claimed(ME);
    private static final TicketState ANOTHERS = TicketState.claimed(UserId.next());

    @Test
    void pageShowsTheResultOfEveryPair() throws IOException {
        String page = """
            # States and events

            The result of every event in every state. This page is generated from the rules (`Transition`, `TicketTransition`), and a test compares it with them.

            `ignored`: nothing changes, as for a report that arrives too late. `refused`: nothing changes, and the caller gets 409. `same`: the event is accepted, and the status stays. Otherwise the cell shows the statuses that follow.

            ## Instances

            The instance has tasks that run, that wait for a retry, and that wait for people. *PAUSED, waiting* is an instance in which only people can continue; *PAUSED, requested* is one that a request paused. `TimeLimitReached`, `Recovered`, `WaitEnded` and `SubWorkflowEnded` are events of the engine. [Instances](instances.md#statuses) describes the statuses.

            %s
            ## Tasks

            Another task keeps the instance running.

            ### Tasks that do not wait

            *RUNNING, reads inputs* is a task whose inputs are read before it starts or before its ticket opens, *RUNNING, retries* one that waits for an automatic retry. `TaskFailed` shows an error that is not retried, in a workflow with a rule for exceptions.

            %s
            ### Tasks that wait

            All are WAITING, for the end of: a Human task's ticket, an Exception ticket, an input request, the approval of a tool call, a time, an event, a sub-workflow. `WaitEnded` arrives when the time is over.

            %s
            ## Tickets

            *IN_PROGRESS, mine* is a ticket that the acting person has claimed, *another's* one that another person has claimed; admins and owners may do more with it. ANSWER completes, rejects or retries; the instance then decides how the ticket ends.

            %s
            The engine ends a ticket regardless of the claim. A ticket that has ended stays as it is.

            %s""".formatted(
                        table(leaves(InstanceEvent.class), INSTANCES, EveryPairTest::instanceCell),
                        table(taskEvents(), EXECUTED_TASKS, EveryPairTest::taskCell),
                        table(taskEvents(), WAITING_TASKS, EveryPairTest::taskCell),
                        table(
                                names(TicketOperation.values()),
                                List.of("OPEN", "MINE", "ANOTHERS", "ANOTHERS_ADMIN", "ENDED"),
                                EveryPairTest::ticketCell),
                        table(names(TicketEnd.values()), List.of("OPEN"), (end, _) -> TicketTransition.end(
                                        TicketState.OPEN, TicketEnd.valueOf(end))
                                .orElseThrow()
                                .status()
                                .name()));
        if (Boolean.getBoolean("parley.write-docs")) {
            Files.writeString(PAGE, page);
        }
        assertThat(page)
                .as("docs/reference/states.md; -Dparley.write-docs=true writes it")
                .isEqualTo(Files.readString(PAGE));
    }

    @Test
    void columnsNameEveryStatus() {
        assertThat(INSTANCES.stream().map(column -> instance(column).status())).contains(InstanceStatus.values());
        List<InstanceSimulation> runs = Stream.of(EXECUTED_TASKS, WAITING_TASKS)
                .flatMap(List::stream)
                .map(EveryPairTest::task)
                .toList();
        assertThat(runs).extracting(run -> run.statusOf("t")).contains(TaskStatus.values());
        assertThat(runs).extracting(run -> run.task("t").waitingFor()).contains(WaitingReason.values());
    }

    private static List<String> taskEvents() {
        List<String> events = new ArrayList<>(leaves(InstanceEvent.TaskReport.class));
        events.addAll(leaves(InstanceEvent.TicketActionEvent.class));
        events.addAll(List.of("WaitEnded", "SubWorkflowEnded", "EventReceived"));
        return events;
    }

    private static String instanceCell(String event, String column) {
        InstanceSimulation run = instance(column);
        return result(run, instanceEvent(event, run), () -> statusesAfter(run));
    }

    private static String taskCell(String event, String column) {
        InstanceSimulation run = task(column);
        InstanceEvent applied = taskEvent(event, run, "t");
        if (applied instanceof InstanceEvent.WaitEnded) {
            var _ = run.wait(Duration.ofMinutes(2));
        }
        return result(run, applied, () -> run.statusOf("t").name());
    }

    private static String result(InstanceSimulation run, InstanceEvent event, Supplier<String> after) {
        InstanceState before = run.state();
        if (Transition.apply(before, event, run.now()) instanceof Rejection refusal) {
            assertThat(refusal.status()).isEqualTo(run.status());
            return "refused";
        }
        run.apply(event);
        return run.state().equals(before) && run.effects().isEmpty() ? "ignored" : after.get();
    }

    private static String ticketCell(String operation, String column) {
        TicketState state =
                switch (column) {
                    case "OPEN" -> TicketState.OPEN;
                    case "MINE" -> MINE;
                    case "ANOTHERS", "ANOTHERS_ADMIN" -> ANOTHERS;
                    default -> new TicketState(TicketStatus.RESOLVED, ME);
                };
        return switch (TicketTransition.apply(
                state, TicketOperation.valueOf(operation), ME, column.equals("ANOTHERS_ADMIN"))) {
            case TicketTransition.OperationRejected _ -> "refused";
            case TicketTransition.OperationAccepted accepted ->
                accepted.state().equals(state)
                        ? "same"
                        : accepted.state().equals(MINE)
                                ? "IN_PROGRESS, mine"
                                : accepted.state().status().name();
        };
    }

    private static String heading(String column) {
        return switch (column) {
            case "WAITING" -> "PAUSED, waiting";
            case "HELD" -> "PAUSED, requested";
            case "FETCHING" -> "RUNNING, reads inputs";
            case "RETRYING" -> "RUNNING, retries";
            case "HUMAN" -> "Human ticket";
            case "EXCEPTION" -> "Exception ticket";
            case "INPUT" -> "input";
            case "APPROVAL" -> "approval";
            case "TIMER" -> "time";
            case "EVENT" -> "event";
            case "CHILD" -> "sub-workflow";
            case "MINE" -> "IN_PROGRESS, mine";
            case "ANOTHERS" -> "IN_PROGRESS, another's";
            case "ANOTHERS_ADMIN" -> "another's, for admins and owners";
            case "ENDED" -> "RESOLVED, REJECTED, CLOSED";
            default -> column;
        };
    }

    private static String table(List<String> rows, List<String> columns, BinaryOperator<String> cell) {
        var table = new StringBuilder("| |");
        columns.forEach(column -> table.append(' ').append(heading(column)).append(" |"));
        table.append("\n|---|").repeat("---|", columns.size()).append('\n');
        for (String row : rows) {
            table.append("| `").append(row).append("` |");
            columns.forEach(
                    column -> table.append(' ').append(cell.apply(row, column)).append(" |"));
            table.append('\n');
        }
        return table.toString();
    }

    private static List<String> names(Enum<?>[] values) {
        return Stream.of(values).map(Enum::name).toList();
    }

    private static String statusesAfter(InstanceSimulation run) {
        String statuses = run.of(Effect.StatusChanged.class).stream()
                .map(change -> change.to().name())
                .collect(Collectors.joining(", "));
        return statuses.isEmpty() ? "same" : statuses;
    }

    /** An instance with a running task, one that waits for its retry, and one for each waiting reason. */
    private static InstanceSimulation instance(String column) {
        WorkflowBuilder flow = new WorkflowBuilder()
                .withExceptionRule()
                .ai("a")
                .ai("r")
                .human("h")
                .ai("x")
                .ai("u", asks("name", ValueType.STRING));
        InstanceSimulation run = InstanceSimulation.of(flow, InstanceSimulation.trigger(null, Map.of(), "c1"))
                .fail("x", InstanceSimulation.BROKEN);
        return switch (column) {
            case "RUNNING" -> run.fail("r", InstanceSimulation.TIMEOUT);
            case "WAITING" -> run.succeed("a").succeed("r");
            case "HELD" -> run.fail("r", InstanceSimulation.TIMEOUT).pause();
            case "COMPLETED" ->
                run.succeed("a")
                        .succeed("r")
                        .complete("h")
                        .complete("x")
                        .apply(instanceEvent("UserReplied", run))
                        .succeed("u");
            case "FAILED" -> run.reject("h");
            case "CANCELLED" -> run.apply(new InstanceEvent.CancelRequested(InstanceSimulation.KIM));
            case "TERMINATED" -> run.apply(new InstanceEvent.Terminated("Over.", "system"));
            default -> throw new IllegalArgumentException(column);
        };
    }

    private static InstanceEvent instanceEvent(String name, InstanceSimulation run) {
        return switch (name) {
            case "InstanceStarted" -> new InstanceEvent.InstanceStarted();
            case "TimeLimitReached" -> new InstanceEvent.TimeLimitReached();
            case "Recovered" -> new InstanceEvent.Recovered();
            case "UserReplied" -> new InstanceEvent.UserReplied(Map.of(), "Ada", "m1");
            case "PauseRequested" -> new InstanceEvent.PauseRequested(InstanceSimulation.KIM);
            case "ResumeRequested" -> new InstanceEvent.ResumeRequested(InstanceSimulation.KIM);
            case "RetryRequested" -> new InstanceEvent.RetryRequested(InstanceSimulation.KIM);
            case "CancelRequested" -> new InstanceEvent.CancelRequested(InstanceSimulation.KIM);
            case "Terminated" -> new InstanceEvent.Terminated("Over.", "system");
            case "RetryDue" -> taskEvent(name, run, "r");
            case "TicketCompleted", "TicketRejected" -> taskEvent(name, run, "h");
            case "ExceptionRetry", "ExceptionSupplied", "ExceptionRaised" -> taskEvent(name, run, "x");
            default -> taskEvent(name, run, "a");
        };
    }

    /** Task t in a status, with another task that keeps the instance running. */
    private static InstanceSimulation task(String column) {
        WorkflowBuilder flow = new WorkflowBuilder().withExceptionRule().ai("k");
        return switch (column) {
            case "PENDING" -> InstanceSimulation.of(flow.ai("t").after("k", "t"));
            case "RUNNING" -> InstanceSimulation.of(flow.ai("t"));
            case "RETRYING" -> InstanceSimulation.of(flow.ai("t")).fail("t", InstanceSimulation.TIMEOUT);
            case "HUMAN" -> InstanceSimulation.of(flow.human("t"));
            case "FETCHING" -> InstanceSimulation.of(flow.human("t", PeopleTest.HISTORY));
            case "EXCEPTION" -> InstanceSimulation.of(flow.ai("t")).fail("t", InstanceSimulation.BROKEN);
            case "INPUT" -> InstanceSimulation.of(flow.ai("t", asks("name", ValueType.STRING)));
            case "TIMER" -> InstanceSimulation.of(flow.ai("t")).apply(suspended("t", 1, WaitingReason.TIMER));
            case "EVENT" -> InstanceSimulation.of(flow.ai("t")).apply(suspended("t", 1, WaitingReason.EVENT));
            case "CHILD" -> InstanceSimulation.of(flow.ai("t")).apply(suspended("t", 1, WaitingReason.SUB_WORKFLOW));
            case "APPROVAL" -> InstanceSimulation.of(flow.ai("t")).apply(approvalRequested("t", 1));
            case "COMPLETED" -> InstanceSimulation.of(flow.ai("t")).succeed("t");
            case "FAILED" -> InstanceSimulation.of(flow.human("t")).pause().reject("t");
            case "SKIPPED" ->
                InstanceSimulation.of(flow.ai("t").after("k", "t"))
                        .apply(new InstanceEvent.CancelRequested(InstanceSimulation.KIM));
            case "CANCELLED" ->
                InstanceSimulation.of(flow.ai("t")).apply(new InstanceEvent.CancelRequested(InstanceSimulation.KIM));
            default -> throw new IllegalArgumentException(column);
        };
    }

    private static InstanceEvent suspended(String task, int attempt, WaitingReason reason) {
        return new InstanceEvent.TaskSuspended(
                WorkflowBuilder.id(task),
                attempt,
                reason,
                Map.of("out", "x"),
                InstanceSimulation.START.plusSeconds(60));
    }

    private static InstanceEvent approvalRequested(String task, int attempt) {
        var call = new PendingToolCall(1, 7, "pay", Map.of("amount", 150), null);
        return new InstanceEvent.ApprovalRequested(WorkflowBuilder.id(task), attempt, call, null);
    }

    private static InstanceEvent taskEvent(String name, InstanceSimulation run, String task) {
        int attempt = run.attempt(task);
        boolean asks = run.task(task).waitingFor() == WaitingReason.USER_INPUT;
        return switch (name) {
            case "WaitEnded" -> new InstanceEvent.WaitEnded();
            case "SubWorkflowEnded" ->
                new InstanceEvent.SubWorkflowEnded(WorkflowBuilder.id(task), "i1:" + task + ":1");
            case "EventReceived" ->
                new InstanceEvent.EventReceived(
                        WorkflowBuilder.id(task), attempt, Map.of("out", "x"), InstanceSimulation.KIM);
            case "TaskSucceeded" ->
                new InstanceEvent.TaskSucceeded(WorkflowBuilder.id(task), attempt, Map.of("out", "x"));
            case "TaskFailed" ->
                new InstanceEvent.TaskFailed(WorkflowBuilder.id(task), attempt, InstanceSimulation.BROKEN);
            case "TaskSuspended" -> suspended(task, attempt, WaitingReason.TIMER);
            case "ApprovalRequested" -> approvalRequested(task, attempt);
            case "InputsFetched" -> new InstanceEvent.InputsFetched(WorkflowBuilder.id(task), attempt, Map.of());
            case "RetryDue" -> new InstanceEvent.RetryDue(WorkflowBuilder.id(task), attempt);
            case "TicketCompleted" -> run.completed(task, Map.of(asks ? "name" : "out", "x"));
            case "TicketRejected" ->
                new InstanceEvent.TicketRejected(WorkflowBuilder.id(task), attempt, "No.", InstanceSimulation.KIM);
            case "ExceptionRetry" ->
                new InstanceEvent.ExceptionRetry(WorkflowBuilder.id(task), attempt, InstanceSimulation.KIM);
            case "ExceptionSupplied" ->
                new InstanceEvent.ExceptionSupplied(
                        WorkflowBuilder.id(task), attempt, Map.of("out", "x"), InstanceSimulation.KIM);
            case "ExceptionRaised" ->
                new InstanceEvent.ExceptionRaised(WorkflowBuilder.id(task), attempt, "No.", InstanceSimulation.KIM);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static List<String> leaves(Class<?> type) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        return permitted == null
                ? List.of(type.getSimpleName())
                : Arrays.stream(permitted)
                        .flatMap(inner -> leaves(inner).stream())
                        .toList();
    }
}
