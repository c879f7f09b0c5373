package dev.parley.event;

import dev.parley.http.json.Rfc3339;
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
 * @param trace the context of the span that caused it; null without tracing
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
        String data,
        @Nullable String trace) {
    /** The payload of webhooks and live streams: {@code {type, timestamp, data}}, with the sequence in data. */
    public String payload() {
        var json = new StringBuilder(data.length() + 128);
        appendPayload(json);
        return json.toString();
    }

    /** Appends the payload as one line, which the format of event streams asks for. */
    public void appendPayload(StringBuilder json) {
        String line = data.replace('\r', ' ').replace('\n', ' ');
        json.append("{\"type\":\"").append(type.text());
        json.append("\",\"timestamp\":\"").append(Rfc3339.text(at));
        json.append("\",\"data\":").append(line, 0, line.length() - 1);
        json.append(line.length() > 2 ? "," : "").append("\"sequence\":").append(sequence);
        json.append("}}");
    }
}
