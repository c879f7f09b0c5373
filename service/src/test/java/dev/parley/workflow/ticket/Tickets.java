package dev.parley.workflow.ticket;

import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.value.DataSource;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.ticket.store.ExceptionDetails;
import dev.parley.workflow.ticket.store.FormField;
import dev.parley.workflow.ticket.store.NewTicket;
import dev.parley.workflow.ticket.store.TicketAssignee;
import dev.parley.workflow.ticket.store.TicketOrigin;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tickets as an engine opens them. */
final class Tickets {
    private Tickets() {}

    /** A Human task that asks for {@code approved} and {@code amount}. */
    static NewTicket approval(WorkflowInstanceId instance, TicketAssignee... assignees) {
        return new NewTicket(
                origin(instance, "approve", 1),
                RuleType.HUMAN_FEEDBACK,
                Arrays.asList(assignees),
                "Approve",
                "Please look at the invoice.",
                List.of(
                        FormField.of(new OutputParameter("approved", OutputType.BOOLEAN, "Whether it is paid")),
                        FormField.of(new OutputParameter("amount", OutputType.FLOAT, "How much"))),
                Map.of("total", 12.5),
                null,
                null);
    }

    /** An approval that shows a supplier and a note, and is due at a time. */
    static NewTicket invoice(String supplier, Instant dueAt, TicketAssignee... assignees) {
        NewTicket approval = approval(WorkflowInstanceId.next(), assignees);
        Map<String, @Nullable Object> inputs = new LinkedHashMap<>();
        inputs.put("supplier", supplier);
        inputs.put("scan", "s3://parley/0192f0c17a3b7c4d8e5f60718293a4b5/a/b/20260131_120000_scan_7.pdf");
        return new NewTicket(
                approval.origin(),
                approval.ruleType(),
                approval.assignees(),
                approval.title(),
                approval.description(),
                approval.form(),
                inputs,
                null,
                dueAt);
    }

    /** A failed task with the output {@code total}. */
    static NewTicket exception(WorkflowInstanceId instance, TicketAssignee... assignees) {
        return exception(instance, 4, assignees);
    }

    /** The failed task in a later attempt. */
    static NewTicket exception(WorkflowInstanceId instance, int attempt, TicketAssignee... assignees) {
        return new NewTicket(
                origin(instance, "extract", attempt),
                RuleType.EXCEPTION,
                Arrays.asList(assignees),
                "Extract failed",
                "The task failed.",
                List.of(FormField.of(new OutputParameter("total", OutputType.INTEGER, "The sum"))),
                Map.of(),
                new ExceptionDetails("Tool failed", "It answered 500."),
                null);
    }

    /** A task that lacks {@code city}, and optionally {@code days}. */
    static NewTicket question(WorkflowInstanceId instance, TicketAssignee... assignees) {
        return new NewTicket(
                origin(instance, "plan", 1),
                RuleType.HUMAN_FEEDBACK,
                Arrays.asList(assignees),
                "Input needed for Plan",
                "Please give the values.",
                List.of(
                        FormField.of(input("city", ValueType.STRING, true)),
                        FormField.of(input("days", ValueType.INTEGER, false))),
                Map.of(),
                null,
                null);
    }

    private static InputParameter input(String name, ValueType type, boolean required) {
        return new InputParameter(
                name, type, "Wanted", required, InputSource.HUMAN_INPUT, null, List.of(), null, DataSource.MEMORY);
    }

    private static TicketOrigin origin(WorkflowInstanceId instance, String task, int attempt) {
        return new TicketOrigin(
                WorkflowId.next(), 1, "Invoice approval", instance, null, task, task, null, attempt, false);
    }
}
