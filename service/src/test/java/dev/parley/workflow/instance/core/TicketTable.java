package dev.parley.workflow.instance.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.ItemStates;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.TaskStatus;
import dev.parley.workflow.instance.core.state.WaitingReason;
import dev.parley.workflow.ticket.core.TicketEnd;
import dev.parley.workflow.ticket.core.TicketState;
import dev.parley.workflow.ticket.core.TicketStatus;
import dev.parley.workflow.ticket.core.TicketTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tickets of one instance, compared after every decision with the status of their tasks. */
final class TicketTable {
    private final List<Ticket> tickets = new ArrayList<>();

    private static final class Ticket {
        private final TaskId task;
        private final int attempt;
        private final @Nullable Integer item;
        private TicketState state = TicketState.OPEN;
        private boolean replaced;

        Ticket(Effect.OpenTicket open) {
            task = open.task();
            attempt = open.attempt();
            item = open.item();
        }

        boolean waitsForSuccessor() {
            return state.status() == TicketStatus.CLOSED && !replaced;
        }
    }

    void check(InstanceEvent event, List<Effect> effects, InstanceState after) {
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.OpenTicket open -> open(open);
                case Effect.CloseTicket close -> end(close, event, after);
                default -> {}
            }
        }
        after.tasks().touched().forEach((task, state) -> assertThat(tickets.stream()
                        .filter(ticket -> ticket.task.equals(task)
                                && ticket.state.status().isOpen())
                        .map(ticket -> ticket.attempt)
                        .toList())
                .as("the open tickets of " + task + ", which is " + state)
                .containsExactlyInAnyOrderElementsOf(waiting(after, task)));
    }

    /** The attempts that should have an open ticket. */
    private static List<Integer> waiting(InstanceState state, TaskId task) {
        ItemStates items = state.tasks().items(state.plan().number(task));
        Stream<TaskState> units = items == null
                ? Stream.of(state.task(task))
                : items.active().stream().map(items::get);
        return units.filter(unit -> hasTicket(unit, state))
                .map(TaskState::attempt)
                .toList();
    }

    /** The task or item that the ticket is about. */
    private static TaskState unit(InstanceState state, Ticket ticket) {
        ItemStates items = state.tasks().items(state.plan().number(ticket.task));
        return items == null || ticket.item == null ? state.task(ticket.task) : items.get(ticket.item);
    }

    private void open(Effect.OpenTicket open) {
        List<Ticket> closed = tickets.stream()
                .filter(ticket -> ticket.task.equals(open.task())
                        && Objects.equals(ticket.item, open.item())
                        && ticket.waitsForSuccessor())
                .toList();
        assertThat(closed).as("tickets that the new one replaces").hasSizeLessThanOrEqualTo(1);
        closed.forEach(ticket -> ticket.replaced = true);
        tickets.add(new Ticket(open));
    }

    private void end(Effect.CloseTicket close, InstanceEvent event, InstanceState after) {
        Ticket ticket = tickets.stream()
                .filter(one -> one.task.equals(close.task()) && one.attempt == close.attempt())
                .filter(one -> one.state.status().isOpen())
                .reduce((_, second) -> second)
                .orElseThrow(() -> new AssertionError("no open ticket for " + close));
        TaskState task = unit(after, ticket);
        ticket.state = TicketTransition.end(ticket.state, close.end()).orElseThrow();
        assertThat(ticket.state.status())
                .as("the ticket of " + close.task() + " after " + event)
                .isEqualTo(
                        close.end() == TicketEnd.CALL_REJECTED
                                ? TicketStatus.REJECTED
                                : expected(task.status(), isRejection(event, close)));
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

    private static boolean isRejection(InstanceEvent event, Effect.CloseTicket close) {
        return switch (event) {
            case InstanceEvent.TicketRejected no -> no.task().equals(close.task()) && no.attempt() == close.attempt();
            case InstanceEvent.ExceptionRaised no -> no.task().equals(close.task()) && no.attempt() == close.attempt();
            default -> false;
        };
    }

    private static boolean hasTicket(TaskState task, InstanceState state) {
        WaitingReason reason = task.waitingFor();
        return reason != null
                && reason.needsPerson()
                && (reason != WaitingReason.USER_INPUT || state.trigger().conversationId() == null);
    }
}
