package dev.parley.workflow.instance.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.ticket.core.TicketState;
import dev.parley.workflow.ticket.core.TicketStatus;
import dev.parley.workflow.ticket.core.TicketTransition;
import java.util.ArrayList;
import java.util.List;

/** The tickets of one instance, compared after every decision with the status of their tasks. */
final class TicketTable {
    private final List<Ticket> tickets = new ArrayList<>();

    private static final class Ticket {
        private final TaskId task;
        private final int attempt;
        private TicketState state = TicketState.OPEN;
        private boolean replaced;

        Ticket(Effect.OpenTicket open) {
            task = open.task();
            attempt = open.attempt();
        }

        boolean waitsForSuccessor() {
            return state.status() == TicketStatus.CLOSED && !replaced;
        }
    }

    void check(InstanceEvent event, List<Effect> effects, InstanceState after) {
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.OpenTicket open -> open(open);
                case Effect.CloseTicket close -> end(close, event, after.task(close.task()));
                default -> {}
            }
        }
        after.tasks().touched().forEach((task, state) -> assertThat(tickets.stream()
                        .filter(ticket -> ticket.task.equals(task)
                                && ticket.state.status().isOpen())
                        .map(ticket -> ticket.attempt)
                        .toList())
                .as("the open tickets of " + task + ", which is " + state)
                .isEqualTo(hasTicket(state, after) ? List.of(state.attempt()) : List.of()));
    }

    private void open(Effect.OpenTicket open) {
        List<Ticket> closed = tickets.stream()
                .filter(ticket -> ticket.task.equals(open.task()) && ticket.waitsForSuccessor())
                .toList();
        assertThat(closed).as("tickets that the new one replaces").hasSizeLessThanOrEqualTo(1);
        closed.forEach(ticket -> ticket.replaced = true);
        tickets.add(new Ticket(open));
    }

    private void end(Effect.CloseTicket close, InstanceEvent event, TaskState task) {
        Ticket ticket = tickets.stream()
                .filter(one -> one.task.equals(close.task()) && one.attempt == close.attempt())
                .filter(one -> one.state.status().isOpen())
                .reduce((_, second) -> second)
                .orElseThrow(() -> new AssertionError("no open ticket for " + close));
        ticket.state = TicketTransition.end(ticket.state, close.end()).orElseThrow();
        assertThat(ticket.state.status())
                .as("the ticket of " + close.task() + " after " + event)
                .isEqualTo(expected(task.status(), isRejection(event, close.task())));
    }

    /** The expected status of an ended ticket, by the status of its task. */
    private static TicketStatus expected(TaskStatus task, boolean rejected) {
        return switch (task) {
            case COMPLETED -> TicketStatus.RESOLVED;
            case FAILED -> rejected ? TicketStatus.REJECTED : TicketStatus.RESOLVED;
            case SKIPPED, CANCELLED -> TicketStatus.CLOSED;
            case PENDING, RUNNING, WAITING -> rejected ? TicketStatus.CLOSED : TicketStatus.RESOLVED;
        };
    }

    private static boolean isRejection(InstanceEvent event, TaskId task) {
        return switch (event) {
            case InstanceEvent.TicketRejected no -> no.task().equals(task);
            case InstanceEvent.ExceptionRaised no -> no.task().equals(task);
            default -> false;
        };
    }

    private static boolean hasTicket(TaskState task, InstanceState state) {
        WaitingReason reason = task.waitingFor();
        return reason != null
                && (reason != WaitingReason.USER_INPUT || state.trigger().conversationId() == null);
    }
}
