package dev.parley.event;

import dev.parley.http.Rfc3339;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event of the log.
 *
 * @param id the same for retries and replays
 * @param stream the conversation, or the instance without one, within which {@code sequence} counts from 1 without gaps
 * @param data the API's own object as JSON text, without {@code sequence}
 */
public record Event(
        EventId id,
        UUID stream,
        long sequence,
        OrganizationId organization,
        @Nullable ConversationId conversation,
        @Nullable WorkflowInstanceId instance,
        EventType type,
        Instant at,
        String data) {
    /** The payload of webhooks and live streams: {@code {type, timestamp, data}}, with the sequence in data. */
    public String payload() {
        var json = new StringBuilder(data.length() + 128);
        json.append("{\"type\":\"").append(type.text());
        json.append("\",\"timestamp\":\"").append(Rfc3339.text(at));
        json.append("\",\"data\":").append(data, 0, data.length() - 1);
        json.append(data.length() > 2 ? "," : "").append("\"sequence\":").append(sequence);
        return json.append("}}").toString();
    }
}
