package dev.parley.workflow.instance.run;

import dev.parley.conversation.ConversationActivityRecorder;
import dev.parley.db.BatchInsert;
import dev.parley.db.Database;
import dev.parley.event.EventType;
import dev.parley.event.NewEvent;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.TicketId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.message.MessageEvents;
import dev.parley.message.MessageRows;
import dev.parley.message.MessageType;
import dev.parley.message.NewMessage;
import dev.parley.message.NoticeCode;
import dev.parley.message.StorableText;
import dev.parley.workflow.instance.core.event.Effect;
import dev.parley.workflow.instance.core.state.InstanceError;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.SubWorkflowStore;
import dev.parley.workflow.ticket.TicketService;
import dev.parley.workflow.ticket.core.TicketEnd;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Writes what an engine stores together with instance changes: companions, tickets, messages and their status in the
 * instance's conversation, and events. Each change is written once, in the transaction that first stores its version.
 */
@Singleton
public final class ChangeSideEffects {
    private static final String SYSTEM = "system";
    private static final int MAX_VALUES_LENGTH = 65_536;

    private final CompanionStore companions;
    private final InstanceTickets tickets;
    private final MessageEvents messageEvents;
    private final StatusEvents instanceEvents;
    private final OutputFiles files;
    private final ConversationActivityRecorder activity;

    public ChangeSideEffects(
            CompanionStore companions,
            InstanceTickets tickets,
            MessageEvents messageEvents,
            StatusEvents instanceEvents,
            OutputFiles files,
            ConversationActivityRecorder activity) {
        this.companions = companions;
        this.tickets = tickets;
        this.messageEvents = messageEvents;
        this.instanceEvents = instanceEvents;
        this.files = files;
        this.activity = activity;
    }

    /**
     * Whether the change has side effects. Most changes only append to the log and need no multi-statement transaction.
     */
    public boolean has(InstanceChange change) {
        return change.companion() != null
                || change.header().conversation() != null
                || isEndOfSubWorkflow(change)
                || opensOrClosesTicket(change)
                || instanceEvents.wants(change);
    }

    private static boolean isEndOfSubWorkflow(InstanceChange change) {
        return change.header().parent() != null && change.state().status().isTerminal();
    }

    private static boolean opensOrClosesTicket(InstanceChange change) {
        return change.effects().stream()
                .anyMatch(effect -> effect instanceof Effect.OpenTicket || effect instanceof Effect.CloseTicket);
    }

    /** Writes the side effects of changes stored by the same transaction. An exception rolls back the changes. */
    public void write(Handle handle, List<InstanceChange> stored) {
        try {
            companions.lockConversations(handle, stored);
            writeMessageStatus(handle.getConnection(), stored);
            List<NewEvent> events = new ArrayList<>();
            for (InstanceChange change : stored) {
                List<NewEvent> own = new ArrayList<>();
                if (change.companion() != null) {
                    own.addAll(companions.apply(handle, change.companion(), change.after()));
                }
                write(handle, change, own);
                own.addAll(instanceEvents.of(handle, change));
                own.forEach(event -> events.add(event.inTrace(change.header().trace())));
            }
            instanceEvents.append(handle.getConnection(), events);
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    /**
     * Whether a subscription began while changes without side effects were being stored; {@link #publish} must follow.
     */
    public boolean areWanted(List<InstanceChange> changes) {
        return changes.stream().anyMatch(instanceEvents::wants);
    }

    /** Publishes the events of changes stored by an earlier transaction. */
    public void publish(Handle handle, List<InstanceChange> stored) {
        List<NewEvent> events = new ArrayList<>();
        stored.forEach(change -> instanceEvents
                .of(handle, change)
                .forEach(event -> events.add(event.inTrace(change.header().trace()))));
        try {
            instanceEvents.append(handle.getConnection(), events);
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    private void write(Handle handle, InstanceChange change, List<NewEvent> events) {
        InstanceHeader header = change.header();
        List<NewMessage> messages = new ArrayList<>();
        Map<TicketId, EventType> changed = new LinkedHashMap<>();
        for (Effect effect : change.effects()) {
            switch (effect) {
                case Effect.OpenTicket open -> {
                    TicketService.Opened opened = tickets.open(header, change.state(), open);
                    opened.replaced().ifPresent(old -> changed.putIfAbsent(old, EventType.TICKET_UPDATED));
                    changed.put(opened.id(), EventType.TICKET_CREATED);
                    tell(
                            messages,
                            header,
                            MessageType.SYSTEM,
                            "Waiting for a person: " + open.title(),
                            opened.id(),
                            SYSTEM,
                            NoticeCode.TICKET_OPENED.metadata(Map.of("title", open.title())));
                }
                case Effect.CloseTicket close -> {
                    Optional<TicketId> closed = tickets.close(header, change.state(), close);
                    closed.ifPresent(ticket -> changed.put(ticket, EventType.TICKET_UPDATED));
                    closed.filter(_ -> close.end() == TicketEnd.COMPLETED && close.answer() != null)
                            .ifPresent(ticket -> tell(
                                    messages,
                                    header,
                                    MessageType.HUMAN_RESPONSE,
                                    text(Objects.requireNonNull(close.answer())),
                                    ticket,
                                    close.by(),
                                    values(close.answer())));
                }
                case Effect.AskUser ask -> ask(messages, header, change.state(), ask);
                case Effect.InstanceFinished finished -> {
                    tellEnd(messages, header, change.state(), finished.status());
                    if (header.parent() != null) {
                        SubWorkflowStore.ended(
                                handle, header, header.parent(), change.state().updatedAt());
                    }
                }
                case Effect.StartTask _,
                        Effect.FetchInputs _,
                        Effect.StopTask _,
                        Effect.ScheduleRetry _,
                        Effect.StatusChanged _ -> {
                    // Nothing to store.
                }
            }
        }
        // One event for each ticket, after all of its changes, so that it shows the final state.
        changed.forEach((ticket, type) -> tickets.event(header, ticket, type).ifPresent(events::add));
        insert(handle, messages.stream().map(messageEvents::outgoing).toList(), events);
    }

    private void tellEnd(List<NewMessage> messages, InstanceHeader header, InstanceState state, InstanceStatus status) {
        if (status == InstanceStatus.COMPLETED) {
            Map<String, @Nullable Object> output = state.output() == null ? Map.of() : state.output();
            ConversationId conversation = header.conversation();
            List<NewMessage> ofFiles = conversation == null ? List.of() : files.messages(header, conversation, output);
            if (output.size() > ofFiles.size() || ofFiles.isEmpty()) {
                tell(messages, header, MessageType.AGENT_RESPONSE, text(output), null, header.agent(), null);
            }
            messages.addAll(ofFiles);
            return;
        }
        InstanceError error = state.error();
        String reason = error == null ? "" : " " + error.error() + ": " + error.detail();
        NoticeCode code =
                switch (status) {
                    case FAILED -> NoticeCode.INSTANCE_FAILED;
                    case CANCELLED -> NoticeCode.INSTANCE_CANCELLED;
                    default -> NoticeCode.INSTANCE_TERMINATED;
                };
        tell(
                messages,
                header,
                MessageType.SYSTEM,
                "The workflow is " + status + "." + reason,
                null,
                SYSTEM,
                code.metadata(error == null ? Map.of() : Map.of("error", error.error(), "detail", error.detail())));
    }

    private static void ask(List<NewMessage> messages, InstanceHeader header, InstanceState state, Effect.AskUser ask) {
        ConversationId conversation = header.conversation();
        if (conversation != null) {
            messages.add(NewMessage.serviceText(
                            header.organization(),
                            conversation,
                            MessageType.INPUT_REQUEST,
                            StorableText.storable(ask.prompt()),
                            header.id(),
                            null,
                            header.agent())
                    .withMetadata(
                            InputRequest.metadata(state.plan().task(state.plan().number(ask.task())), ask)));
        }
    }

    private static void tell(
            List<NewMessage> messages,
            InstanceHeader header,
            MessageType type,
            String text,
            @Nullable TicketId ticket,
            String by,
            @Nullable String metadata) {
        ConversationId conversation = header.conversation();
        if (conversation != null) {
            var message = NewMessage.serviceText(
                    header.organization(), conversation, type, StorableText.storable(text), header.id(), ticket, by);
            messages.add(metadata == null ? message : message.withMetadata(metadata));
        }
    }

    /** The metadata of an answer: its values, unless they are far longer than a form's. */
    private static @Nullable String values(Map<String, @Nullable Object> answer) {
        String json = StrictJson.write(Map.of("values", answer));
        return json.length() > MAX_VALUES_LENGTH ? null : json;
    }

    /** Values as text for people: a single value without its name, several with their names. */
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

    private void insert(Handle handle, List<NewMessage> messages, List<NewEvent> events) {
        if (messages.isEmpty()) {
            return;
        }
        Connection connection = handle.getConnection();
        try {
            List<NewMessage> ordered = MessageRows.afterNewest(connection, messages);
            MessageRows.insert(connection, ordered);
            events.addAll(messageEvents.created(connection, ordered));
            Database.afterCommit(
                    () -> ordered.forEach(one -> activity.add(one.organization(), one.conversation(), one.id())));
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    /** Updates the status that the messages of a conversation show for their instance. */
    private static void writeMessageStatus(Connection connection, List<InstanceChange> stored) throws SQLException {
        Map<WorkflowInstanceId, InstanceChange> latest = new HashMap<>();
        for (InstanceChange change : stored) {
            if (change.header().conversation() != null && !change.steps().isEmpty()) {
                latest.put(change.header().id(), change);
            }
        }
        if (latest.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement("""
                INSERT INTO message_instance_status (organization_id, workflow_instance_id, status, updated_at)
                SELECT * FROM unnest(?::uuid[], ?::uuid[], ?::text[], ?::timestamptz[])
                ON CONFLICT (organization_id, workflow_instance_id) DO UPDATE SET
                    status = EXCLUDED.status, updated_at = EXCLUDED.updated_at
                """)) {
            new BatchInsert<>(statement, 1, List.copyOf(latest.values()))
                    .ids(row -> row.header().organization())
                    .ids(row -> row.header().id())
                    .texts(row -> row.state().status().name())
                    .times(row -> row.state().updatedAt());
            statement.executeUpdate();
        }
    }
}
