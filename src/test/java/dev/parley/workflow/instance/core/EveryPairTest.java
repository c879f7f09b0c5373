package dev.parley.workflow.instance.core;

import static dev.parley.workflow.instance.core.WorkflowBuilder.asks;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The result of every event for an instance in every status, and for a task in every status. A new status or event that
 * is missing in these tables fails here. Cells: {@code ignored} means no change and no effects; {@code refused} a
 * rejection; {@code same} an accepted event without a status change; otherwise the resulting statuses.
 */
class EveryPairTest {
    private static final String INSTANCES = """
            event             | RUNNING    | WAITING        | HELD       | COMPLETED | FAILED  | CANCELLED | TERMINATED
            InstanceStarted   | ignored    | ignored        | ignored    | ignored   | ignored | ignored   | ignored
            TimeLimitReached  | TERMINATED | TERMINATED     | TERMINATED | ignored   | ignored | ignored   | ignored
            Recovered         | same       | ignored        | same       | ignored   | ignored | ignored   | ignored
            WaitEnded         | ignored    | ignored        | ignored    | ignored   | ignored | ignored   | ignored
            SubWorkflowEnded  | ignored    | ignored        | ignored    | ignored   | ignored | ignored   | ignored
            TaskSucceeded     | same       | ignored        | same       | ignored   | ignored | ignored   | ignored
            TaskSuspended     | same       | ignored        | same       | ignored   | ignored | ignored   | ignored
            ApprovalRequested | same       | ignored        | same       | ignored   | ignored | ignored   | ignored
            TaskFailed        | same       | ignored        | same       | ignored   | ignored | ignored   | ignored
            InputsFetched     | ignored    | ignored        | ignored    | ignored   | ignored | ignored   | ignored
            RetryDue          | same       | ignored        | ignored    | ignored   | ignored | ignored   | ignored
            UserReplied       | same       | RUNNING        | same       | refused   | refused | refused   | refused
            TicketCompleted   | same       | RUNNING PAUSED | same       | refused   | refused | refused   | refused
            TicketRejected    | FAILED     | RUNNING FAILED | same       | refused   | refused | refused   | refused
            ExceptionRetry    | same       | RUNNING        | same       | refused   | refused | refused   | refused
            ExceptionSupplied | same       | RUNNING PAUSED | same       | refused   | refused | refused   | refused
            ExceptionRaised   | FAILED     | RUNNING FAILED | same       | refused   | refused | refused   | refused
            EventReceived     | refused    | refused        | refused    | refused   | refused | refused   | refused
            PauseRequested    | PAUSED     | refused        | refused    | refused   | refused | refused   | refused
            ResumeRequested   | refused    | refused        | RUNNING    | refused   | refused | refused   | refused
            RetryRequested    | same       | RUNNING        | same       | refused   | refused | refused   | refused
            CancelRequested   | CANCELLED  | CANCELLED      | CANCELLED  | refused   | refused | refused   | refused
            Terminated        | TERMINATED | TERMINATED     | TERMINATED | refused   | refused | refused   | refused
            """;

    private static final String TASKS = """
            event             | PENDING | RUNNING   | RETRYING | HUMAN     | EXCEPTION | INPUT   | COMPLETED | FAILED  | SKIPPED | CANCELLED | FETCHING | TIMER   | EVENT | CHILD | APPROVAL
            TaskSucceeded     | ignored | COMPLETED | ignored  | ignored   | ignored   | ignored | ignored   | ignored | ignored | ignored   | COMPLETED | ignored | ignored | ignored | ignored
            TaskSuspended     | ignored | WAITING   | ignored  | ignored   | ignored   | ignored | ignored   | ignored | ignored | ignored   | WAITING | ignored | ignored | ignored | ignored
            ApprovalRequested | ignored | WAITING   | ignored  | ignored   | ignored   | ignored | ignored   | ignored | ignored | ignored   | WAITING | ignored | ignored | ignored | ignored
            TaskFailed        | ignored | WAITING   | ignored  | ignored   | ignored   | ignored | ignored   | ignored | ignored | ignored   | WAITING | ignored | ignored | ignored | ignored
            InputsFetched     | ignored | ignored   | ignored  | ignored   | ignored   | ignored | ignored   | ignored | ignored | ignored   | WAITING | ignored | ignored | ignored | ignored
            RetryDue          | ignored | ignored   | RUNNING  | ignored   | ignored   | ignored | ignored   | ignored | ignored | ignored   | ignored | ignored | ignored | ignored | ignored
            TicketCompleted   | refused | refused   | refused  | COMPLETED | COMPLETED | RUNNING | refused   | refused | refused | refused   | refused | refused | refused | refused | RUNNING
            TicketRejected    | refused | refused   | refused  | FAILED    | FAILED    | FAILED  | refused   | refused | refused | refused   | refused | refused | refused | refused | RUNNING
            ExceptionRetry    | refused | refused   | refused  | refused   | RUNNING   | refused | refused   | refused | refused | refused   | refused | refused | refused | refused | refused
            ExceptionSupplied | refused | refused   | refused  | refused   | COMPLETED | refused | refused   | refused | refused | refused   | refused | refused | refused | refused | refused
            ExceptionRaised   | refused | refused   | refused  | refused   | FAILED    | refused | refused   | refused | refused | refused   | refused | refused | refused | refused | refused
            """;

    @Test
    void theTablesNameEveryEventAndEveryStatus() {
        Map<String, Map<String, String>> instances = parse(INSTANCES);
        assertThat(instances.keySet()).containsExactlyInAnyOrderElementsOf(leaves(InstanceEvent.class));
        List<InstanceStatus> statuses = columns(instances).stream()
                .map(column -> instance(column).status())
                .toList();
        assertThat(statuses).contains(InstanceStatus.values());

        Map<String, Map<String, String>> tasks = parse(TASKS);
        List<String> taskEvents = new ArrayList<>(leaves(InstanceEvent.TaskReport.class));
        taskEvents.addAll(leaves(InstanceEvent.TicketActionEvent.class));
        assertThat(tasks.keySet()).containsExactlyInAnyOrderElementsOf(taskEvents);
        List<InstanceSimulation> runs =
                columns(tasks).stream().map(EveryPairTest::task).toList();
        assertThat(runs).extracting(run -> run.statusOf("t")).contains(TaskStatus.values());
        assertThat(runs).extracting(run -> run.task("t").waitingFor()).contains(WaitingReason.values());
    }

    @TestFactory
    Stream<DynamicTest> everyEventMeetsAnInstanceInEveryStatus() {
        return cells(INSTANCES, (event, column, expected) -> {
            InstanceSimulation run = instance(column);
            check(run, instanceEvent(event, run), expected, () -> statusesAfter(run));
        });
    }

    @TestFactory
    Stream<DynamicTest> everyTaskEventMeetsATaskInEveryStatus() {
        return cells(TASKS, (event, column, expected) -> {
            InstanceSimulation run = task(column);
            check(run, taskEvent(event, run), expected, () -> run.statusOf("t").name());
        });
    }

    private static void check(InstanceSimulation run, InstanceEvent event, String expected, Supplier<String> result) {
        switch (expected) {
            case "ignored" -> run.ignored(event);
            case "refused" -> assertThat(run.refused(event).status()).isEqualTo(run.status());
            default -> {
                InstanceState before = run.state();
                run.apply(event);
                assertThat(run.state().equals(before) && run.effects().isEmpty())
                        .isFalse();
                assertThat(result.get()).isEqualTo(expected);
            }
        }
    }

    private static String statusesAfter(InstanceSimulation run) {
        String statuses = run.of(Effect.StatusChanged.class).stream()
                .map(change -> change.to().name())
                .collect(Collectors.joining(" "));
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
            case "WaitEnded" -> new InstanceEvent.WaitEnded();
            case "SubWorkflowEnded" -> new InstanceEvent.SubWorkflowEnded(WorkflowBuilder.id("a"), "i1:a:1");
            case "EventReceived" ->
                new InstanceEvent.EventReceived(WorkflowBuilder.id("a"), 1, Map.of("out", "x"), InstanceSimulation.KIM);
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

    private static InstanceEvent taskEvent(String name, InstanceSimulation run) {
        return taskEvent(name, run, "t");
    }

    private static InstanceEvent taskEvent(String name, InstanceSimulation run, String task) {
        int attempt = run.attempt(task);
        boolean asks = run.task(task).waitingFor() == WaitingReason.USER_INPUT;
        return switch (name) {
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

    private static List<String> columns(Map<String, Map<String, String>> table) {
        return List.copyOf(table.values().iterator().next().keySet());
    }

    private static Map<String, Map<String, String>> parse(String table) {
        List<List<String>> rows = table.lines()
                .map(line ->
                        Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
                .toList();
        Map<String, Map<String, String>> parsed = new LinkedHashMap<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            assertThat(row).as("a cell for every column").hasSameSizeAs(rows.getFirst());
            Map<String, String> cells = new LinkedHashMap<>();
            for (int column = 1; column < row.size(); column++) {
                cells.put(rows.getFirst().get(column), row.get(column));
            }
            parsed.put(row.getFirst(), cells);
        }
        return parsed;
    }

    private static Stream<DynamicTest> cells(String table, Cell cell) {
        List<DynamicTest> tests = new ArrayList<>();
        parse(table)
                .forEach((event, row) -> row.forEach((column, expected) -> tests.add(DynamicTest.dynamicTest(
                        event + " on " + column + ": " + expected, () -> cell.check(event, column, expected)))));
        return tests.stream();
    }

    private interface Cell {
        void check(String event, String column, String expected);
    }
}
