package dev.parley.event;

import dev.parley.db.Database;
import dev.parley.event.EventLog.StreamKey;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.MaintenanceJob;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Reads streams in order, in small pages, and deletes expired events. */
@Singleton
public final class EventReader {
    private static final int ROWS = 100;
    private static final int CHARACTERS = 256 * 1024;

    private final Database database;
    private final EventSubscriptions subscriptions;
    private final Clock clock;

    public EventReader(Database database, EventSubscriptions subscriptions, Clock clock) {
        this.database = database;
        this.subscriptions = subscriptions;
        this.clock = clock;
    }

    /** A small page of events after a sequence, oldest first; only those of one instance if it is given. */
    List<Event> after(StreamKey key, @Nullable WorkflowInstanceId instance, long sequence) {
        String ofInstance = instance == null ? "" : "AND workflow_instance_id = :instance";
        return database.with(handle -> {
            Query query = handle.createQuery("""
                    SELECT * FROM (
                        SELECT e.*, sum(length(data)) OVER (ORDER BY sequence) - length(data) AS before FROM (
                            SELECT * FROM event
                            WHERE organization_id = :organization AND stream_id = :stream AND sequence > :sequence
                              %s
                            ORDER BY sequence LIMIT :rows
                        ) e
                    ) f WHERE before < :characters ORDER BY sequence""".formatted(ofInstance));
            if (instance != null) {
                query.bind("instance", instance);
            }
            return query.bind("organization", key.organization())
                    .bind("stream", key.stream())
                    .bind("sequence", sequence)
                    .bind("rows", ROWS)
                    .bind("characters", CHARACTERS)
                    .map((row, _) -> read(row))
                    .list();
        });
    }

    private static Event read(ResultSet row) throws SQLException {
        UUID conversation = row.getObject("conversation_id", UUID.class);
        UUID instance = row.getObject("workflow_instance_id", UUID.class);
        return new Event(
                new EventId(row.getObject("id", UUID.class)),
                row.getObject("stream_id", UUID.class),
                row.getLong("sequence"),
                new OrganizationId(row.getObject("organization_id", UUID.class)),
                conversation == null ? null : new ConversationId(conversation),
                instance == null ? null : new WorkflowInstanceId(instance),
                EventType.of(row.getString("type")).orElseThrow(),
                row.getObject("at", OffsetDateTime.class).toInstant(),
                row.getString("data"));
    }

    /** The sequence of an event of the stream; 0, which precedes all kept events, if the event was deleted. */
    long sequence(StreamKey key, EventId id) {
        return database.with(handle -> handle.createQuery("""
                        SELECT sequence FROM event
                        WHERE organization_id = :organization AND id = :id AND stream_id = :stream""")
                .bind("organization", key.organization())
                .bind("id", id)
                .bind("stream", key.stream())
                .mapTo(Long.class)
                .findOne()
                .orElse(0L));
    }

    /** The last committed sequence. */
    long last(StreamKey key) {
        return database.with(handle -> handle.createQuery("""
                        SELECT last_sequence FROM event_stream
                        WHERE organization_id = :organization AND id = :stream""")
                .bind("organization", key.organization())
                .bind("stream", key.stream())
                .mapTo(Long.class)
                .findOne()
                .orElse(0L));
    }

    @Produces
    @Singleton
    MaintenanceJob forgettingEvents() {
        return new MaintenanceJob("delete expired events", Duration.ofMinutes(10), this::deleteExpired);
    }

    /** Deletes expired events in batches, so that every statement is short. */
    void deleteExpired() {
        Instant now = clock.instant();
        int gone;
        do {
            gone = database.with(handle -> handle.execute("""
                            DELETE FROM event WHERE (organization_id, id) IN (
                                SELECT organization_id, id FROM event WHERE expires_at < ? ORDER BY expires_at
                                LIMIT 2000)
                            """, now));
        } while (gone > 0);
        subscriptions.deleteExpired();
    }
}
