package dev.parley.event;

import dev.parley.db.BatchInsert;
import dev.parley.event.EventSubscriptions.SubscriptionLevel;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import io.quarkus.arc.All;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the events that have subscribers ({@link EventSubscriptions}) in the transaction of the change that they
 * describe. Stream rows are locked in id order until the commit, so a transaction should append once, at its end.
 */
@Singleton
public final class EventLog {
    /** The channel that notifies all nodes, after the commit, of watched streams that have grown. */
    static final String CHANNEL = "parley_event";

    /** Retention of events that were delivered, and so the period in which webhooks can be replayed. */
    static final Duration KEPT = Duration.ofDays(30);

    /** Streams per notification. A payload is limited to 8,000 bytes, and a stream takes two ids. */
    private static final int NOTIFIED_AT_ONCE = 100;

    private static final String INSERT = """
            INSERT INTO event (organization_id, id, stream_id, sequence, conversation_id, workflow_instance_id, type, at,
                data, expires_at, trace_context)
            SELECT * FROM unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::bigint[], ?::uuid[], ?::uuid[], ?::text[],
                ?::timestamptz[], ?::text[], ?::timestamptz[], ?::text[])
            """;

    /** PostgreSQL serialises the commits of transactions that notify, so only watched streams cause a notification. */
    private static final String INSERT_AND_NOTIFY =
            "WITH stored AS (" + INSERT + ") SELECT pg_notify(?, streams) FROM unnest(?::text[]) AS n (streams)";

    private final EventSubscriptions subscriptions;
    private final List<EventListener> listeners;
    private final Clock clock;

    public EventLog(EventSubscriptions subscriptions, @All List<EventListener> listeners, Clock clock) {
        this.subscriptions = subscriptions;
        this.listeners = listeners;
        this.clock = clock;
    }

    /** A stream within its organization. Its order is the lock order. */
    public record StreamKey(OrganizationId organization, UUID stream) implements Comparable<StreamKey> {
        private static final Comparator<StreamKey> ORDER = Comparator.comparing(
                        (StreamKey key) -> key.organization.value())
                .thenComparing(StreamKey::stream);

        @Override
        public int compareTo(StreamKey other) {
            return ORDER.compare(this, other);
        }
    }

    private record SubscribedEvent(NewEvent event, StreamKey key, SubscriptionLevel level) {}

    /**
     * Whether an event would be recorded; asked before its data is built. Runs no statement on the caller's connection.
     */
    public boolean hasSubscribers(
            OrganizationId organization,
            @Nullable ConversationId conversation,
            @Nullable WorkflowInstanceId instance,
            EventType type) {
        return subscriptions.level(organization, conversation, instance, type) != SubscriptionLevel.NO;
    }

    /**
     * Whether the event's stream may have live subscribers on any node. Runs no statement on the caller's connection.
     */
    public boolean isWatched(
            OrganizationId organization,
            @Nullable ConversationId conversation,
            @Nullable WorkflowInstanceId instance,
            EventType type) {
        return subscriptions.isWatched(organization, conversation, instance, type);
    }

    /** Stores the events that have subscribers and calls the listeners, before the commit. */
    public List<Event> append(Connection tx, List<NewEvent> events) throws SQLException {
        List<SubscribedEvent> subscribed = new ArrayList<>();
        for (NewEvent event : events) {
            SubscriptionLevel level =
                    subscriptions.level(event.organization(), event.conversation(), event.instance(), event.type());
            if (level != SubscriptionLevel.NO) {
                subscribed.add(new SubscribedEvent(event, new StreamKey(event.organization(), event.stream()), level));
            }
        }
        if (subscribed.isEmpty()) {
            return List.of();
        }
        NavigableMap<StreamKey, Long> counts = new TreeMap<>();
        subscribed.forEach(one -> counts.merge(one.key, 1L, Long::sum));
        Map<StreamKey, Long> next = count(tx, counts);
        List<Event> stored = new ArrayList<>();
        for (SubscribedEvent one : subscribed) {
            long sequence = Objects.requireNonNull(next.get(one.key));
            next.put(one.key, sequence + 1);
            NewEvent event = one.event;
            stored.add(new Event(
                    EventId.next(),
                    one.key.stream,
                    sequence,
                    event.organization(),
                    event.conversation(),
                    event.instance(),
                    event.type(),
                    event.at(),
                    event.data(),
                    event.trace()));
        }
        insert(tx, stored, subscribed.stream().map(SubscribedEvent::level).toList(), watched(subscribed));
        for (EventListener listener : listeners) {
            listener.appended(tx, stored);
        }
        return stored;
    }

    /**
     * Stores an event for one receiver, of a stream that is neither a conversation nor an instance. The caller queues
     * its delivery: no listener is called.
     */
    public Event appendForReceiver(Connection tx, OrganizationId organization, UUID stream, EventType type, String data)
            throws SQLException {
        var key = new StreamKey(organization, stream);
        long sequence =
                Objects.requireNonNull(count(tx, new TreeMap<>(Map.of(key, 1L))).get(key));
        var event = new Event(
                EventId.next(), stream, sequence, organization, null, null, type, clock.instant(), data, null);
        insert(tx, List.of(event), List.of(SubscriptionLevel.DELIVERED), List.of());
        return event;
    }

    /** Locks the streams and advances their counters; returns the first new sequence of each. */
    private static Map<StreamKey, Long> count(Connection tx, NavigableMap<StreamKey, Long> counts) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement("""
                INSERT INTO event_stream AS s (organization_id, id, last_sequence)
                SELECT * FROM unnest(?::uuid[], ?::uuid[], ?::bigint[])
                ON CONFLICT (organization_id, id) DO UPDATE SET last_sequence = s.last_sequence + EXCLUDED.last_sequence
                RETURNING organization_id, id, last_sequence
                """)) {
            List<StreamKey> keys = List.copyOf(counts.keySet());
            new BatchInsert<>(statement, 1, keys)
                    .ids(StreamKey::organization)
                    .uuids(StreamKey::stream)
                    .longs(counts::get);
            Map<StreamKey, Long> next = new HashMap<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    var key = new StreamKey(
                            new OrganizationId(rows.getObject(1, UUID.class)), rows.getObject(2, UUID.class));
                    next.put(key, rows.getLong(3) - Objects.requireNonNull(counts.get(key)) + 1);
                }
            }
            return next;
        }
    }

    private void insert(Connection tx, List<Event> events, List<SubscriptionLevel> levels, List<StreamKey> watched)
            throws SQLException {
        Instant now = clock.instant();
        try (PreparedStatement statement = tx.prepareStatement(watched.isEmpty() ? INSERT : INSERT_AND_NOTIFY)) {
            new BatchInsert<>(statement, 1, events)
                    .ids(Event::organization)
                    .ids(Event::id)
                    .uuids(Event::stream)
                    .longs(Event::sequence)
                    .ids(Event::conversation)
                    .ids(Event::instance)
                    .texts(event -> event.type().text())
                    .times(Event::at)
                    .texts(Event::data);
            new BatchInsert<>(statement, 10, levels).times(level -> now.plus(retention(level)));
            new BatchInsert<>(statement, 11, events).texts(Event::trace);
            if (!watched.isEmpty()) {
                statement.setString(12, CHANNEL);
                new BatchInsert<>(statement, 13, notifications(watched)).texts(text -> text);
            }
            statement.execute();
        }
    }

    /** The streams whose live subscribers must be notified. */
    private List<StreamKey> watched(List<SubscribedEvent> subscribed) {
        return subscribed.stream()
                .filter(one -> one.level == SubscriptionLevel.WATCHED || isWatched(one.event))
                .map(SubscribedEvent::key)
                .distinct()
                .toList();
    }

    private boolean isWatched(NewEvent event) {
        return isWatched(event.organization(), event.conversation(), event.instance(), event.type());
    }

    private static Duration retention(SubscriptionLevel level) {
        return level == SubscriptionLevel.DELIVERED ? KEPT : EventSubscriptions.WATCHED;
    }

    /** Encodes the streams for {@link EventNotifications}. */
    private static List<String> notifications(List<StreamKey> keys) {
        List<String> payloads = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += NOTIFIED_AT_ONCE) {
            payloads.add(keys.subList(from, Math.min(keys.size(), from + NOTIFIED_AT_ONCE)).stream()
                    .map(key -> key.organization.text() + dev.parley.id.UuidV7.text(key.stream))
                    .collect(Collectors.joining(",")));
        }
        return payloads;
    }
}
