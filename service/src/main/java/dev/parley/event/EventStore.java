package dev.parley.event;

import dev.parley.event.EventLog.StreamKey;
import dev.parley.id.EventId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapper;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The tables {@code event} and {@code event_stream}, which {@link EventLog} writes. */
@RegisterColumnMapper(EventTypeMapper.class)
public interface EventStore {
    String COLUMNS = " " + """
            id, stream_id AS stream, sequence, organization_id AS organization, conversation_id AS conversation,
            workflow_instance_id AS instance, type, at, data, trace_context AS trace
            """;

    @SqlQuery("SELECT" + COLUMNS + "FROM event WHERE organization_id = :organization AND id = :id")
    Optional<Event> find(OrganizationId organization, EventId id);

    /** At most 100 events after a sequence, oldest first, of about 256,000 characters. */
    @SqlQuery("SELECT" + COLUMNS + """
            FROM (
                SELECT e.*, sum(length(data)) OVER (ORDER BY sequence) - length(data) AS before FROM (
                    SELECT * FROM event
                    WHERE organization_id = :organization AND stream_id = :stream AND sequence > :sequence <condition>
                    ORDER BY sequence LIMIT 100
                ) e
            ) f WHERE before < 262144 ORDER BY sequence""")
    List<Event> after(
            @BindMethods StreamKey key, long sequence, @Nullable WorkflowInstanceId instance, @Define String condition);

    /** The sequence of an event of the stream; 0, which precedes all kept events, if the event was deleted. */
    @SqlQuery("""
            SELECT coalesce((SELECT sequence FROM event
                WHERE organization_id = :organization AND id = :id AND stream_id = :stream), 0)""")
    long sequence(@BindMethods StreamKey key, EventId id);

    /** The last committed sequence. */
    @SqlQuery("""
            SELECT coalesce((SELECT last_sequence FROM event_stream
                WHERE organization_id = :organization AND id = :stream), 0)""")
    long last(@BindMethods StreamKey key);

    /** Deletes up to 2,000 expired events, so that every statement is short. */
    @SqlUpdate("""
            DELETE FROM event WHERE (organization_id, id) IN (
                SELECT organization_id, id FROM event WHERE expires_at < :now ORDER BY expires_at LIMIT 2000)""")
    int deleteExpired(Instant now);
}
