package dev.parley.workflow.instance.run;

import dev.parley.db.Database;
import dev.parley.event.EventType;
import dev.parley.event.NewEvent;
import dev.parley.http.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.TicketId;
import dev.parley.message.MessageEvents;
import dev.parley.message.MessageRows;
import dev.parley.message.MessageType;
import dev.parley.message.NewMessage;
import dev.parley.message.StorableText;
import dev.parley.workflow.instance.core.Decision;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.instance.core.InstanceError;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceChange.Beside;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.ticket.TicketStore;
import dev.parley.workflow.ticket.core.TicketEnd;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * What is stored in the transaction of a change: the tickets that it opens and closes, and the messages that tell of
 * it in the instance's conversation.
 */
@Singleton
public final class ChangeSideEffects {
    private static final String SYSTEM = "system";

    private final InstanceTickets tickets;
    private final MessageEvents events;
    private final OutputFiles files;

    public ChangeSideEffects(InstanceTickets tickets, MessageEvents events, OutputFiles files) {
        this.tickets = tickets;
        this.events = events;
        this.files = files;
    }

    /** What goes with a decision; null when that is nothing. */
    @Nullable
    public Beside of(InstanceHeader header, InstanceState before, Decision decision, @Nullable Beside own) {
        boolean tells = decision.effects().stream().anyMatch(effect -> switch (effect) {
            case Effect.OpenTicket _, Effect.CloseTicket _ -> true;
            case Effect.AskUser _, Effect.InstanceFinished _ -> header.conversation() != null;
            case Effect.StartTask _, Effect.StopTask _, Effect.ScheduleRetry _, Effect.StatusChanged _ -> false;
        });
        if (!tells) {
            return own;
        }
        return (handle, after) -> {
            List<NewEvent> told = own == null ? new ArrayList<>() : new ArrayList<>(own.write(handle, after));
            write(handle, header, decision, told);
            return told;
        };
    }

    private void write(Handle handle, InstanceHeader header, Decision decision, List<NewEvent> told) {
        List<NewMessage> messages = new ArrayList<>();
        Map<TicketId, EventType> changed = new LinkedHashMap<>();
        for (Effect effect : decision.effects()) {
            switch (effect) {
                case Effect.OpenTicket open -> {
                    TicketStore.Opened opened = tickets.open(handle, header, decision.state(), open);
                    opened.replaced().ifPresent(old -> changed.putIfAbsent(old, EventType.TICKET_UPDATED));
                    changed.put(opened.id(), EventType.TICKET_CREATED);
                    tell(
                            messages,
                            header,
                            MessageType.SYSTEM,
                            "Waiting for a person: " + open.title(),
                            opened.id(),
                            SYSTEM);
                }
                case Effect.CloseTicket close -> {
                    Optional<TicketId> closed = tickets.close(handle, header, decision.state(), close);
                    closed.ifPresent(ticket -> changed.put(ticket, EventType.TICKET_UPDATED));
                    closed.filter(_ -> close.end() == TicketEnd.COMPLETED && close.answer() != null)
                            .ifPresent(ticket -> tell(
                                    messages,
                                    header,
                                    MessageType.HUMAN_RESPONSE,
                                    text(Objects.requireNonNull(close.answer())),
                                    ticket,
                                    close.by()));
                }
                case Effect.AskUser ask ->
                    tell(messages, header, MessageType.INPUT_REQUEST, ask.prompt(), null, header.agent());
                case Effect.InstanceFinished finished ->
                    tellEnd(handle, messages, header, decision.state(), finished.status());
                case Effect.StartTask _, Effect.StopTask _, Effect.ScheduleRetry _, Effect.StatusChanged _ -> {
                    // Nothing to store.
                }
            }
        }
        // One event for each ticket, after all of its changes, so that it shows the final state.
        changed.forEach(
                (ticket, type) -> tickets.event(handle, header, ticket, type).ifPresent(told::add));
        insert(handle, messages.stream().map(events::outgoing).toList(), told);
    }

    private void tellEnd(
            Handle handle,
            List<NewMessage> messages,
            InstanceHeader header,
            InstanceState state,
            InstanceStatus status) {
        if (status == InstanceStatus.COMPLETED) {
            Map<String, @Nullable Object> output = state.output() == null ? Map.of() : state.output();
            ConversationId conversation = header.conversation();
            List<NewMessage> ofFiles =
                    conversation == null ? List.of() : files.messages(handle, header, conversation, output);
            if (output.size() > ofFiles.size() || ofFiles.isEmpty()) {
                tell(messages, header, MessageType.AGENT_RESPONSE, text(output), null, header.agent());
            }
            messages.addAll(ofFiles);
            return;
        }
        InstanceError error = state.error();
        String reason = error == null ? "" : " " + error.error() + ": " + error.detail();
        tell(messages, header, MessageType.SYSTEM, "The workflow is " + status + "." + reason, null, SYSTEM);
    }

    private static void tell(
            List<NewMessage> messages,
            InstanceHeader header,
            MessageType type,
            String text,
            @Nullable TicketId ticket,
            String by) {
        ConversationId conversation = header.conversation();
        if (conversation != null) {
            messages.add(NewMessage.serviceText(
                    header.organization(), conversation, type, StorableText.storable(text), header.id(), ticket, by));
        }
    }

    /** Values for people: a lone one as it is, several with their names. */
    private static String text(Map<String, @Nullable Object> values) {
        if (values.size() == 1) {
            return text(values.values().iterator().next());
        }
        var text = new StringBuilder();
        values.forEach((name, value) -> text.append(text.isEmpty() ? "" : "\n")
                .append(name)
                .append(": ")
                .append(text(value)));
        return text.toString();
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case String text -> text;
            case Object other -> StrictJson.write(other);
        };
    }

    private void insert(Handle handle, List<NewMessage> messages, List<NewEvent> told) {
        if (messages.isEmpty()) {
            return;
        }
        Connection connection = handle.getConnection();
        try (PreparedStatement statement = connection.prepareStatement(MessageRows.INSERT_SELECT)) {
            List<NewMessage> ordered = MessageRows.afterNewest(connection, messages);
            MessageRows.bind(statement, 1, ordered);
            statement.executeUpdate();
            told.addAll(events.created(connection, ordered));
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    /** The steps of status that a decision takes, in order. */
    public static List<Effect.StatusChanged> steps(Decision decision) {
        return decision.effects().stream()
                .filter(Effect.StatusChanged.class::isInstance)
                .map(Effect.StatusChanged.class::cast)
                .toList();
    }

    /** What the history calls an event. */
    public static String name(InstanceEvent event) {
        return event.getClass().getSimpleName();
    }

    /** Who is behind an event, as in {@code created_by}. */
    public static String actor(InstanceEvent event) {
        return switch (event) {
            case InstanceEvent.TicketActionEvent action -> action.by();
            case InstanceEvent.UserReplied reply -> "message:" + reply.messageId();
            case InstanceEvent.PauseRequested request -> request.by();
            case InstanceEvent.ResumeRequested request -> request.by();
            case InstanceEvent.RetryRequested request -> request.by();
            case InstanceEvent.CancelRequested request -> request.by();
            case InstanceEvent.Terminated request -> request.by();
            case InstanceEvent.InstanceStarted _,
                    InstanceEvent.TimeLimitReached _,
                    InstanceEvent.Recovered _,
                    InstanceEvent.TaskSucceeded _,
                    InstanceEvent.TaskFailed _,
                    InstanceEvent.InputsFetched _,
                    InstanceEvent.RetryDue _ -> SYSTEM;
        };
    }
}
