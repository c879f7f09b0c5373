package dev.parley.event;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** The event types, with their names in webhooks and live streams. */
public enum EventType {
    MESSAGE_CREATED("message.created"),
    MESSAGE_UPDATED("message.updated"),
    INSTANCE_STATUS_CHANGED("workflow_instance.status_changed"),
    TICKET_CREATED("ticket.created"),
    TICKET_UPDATED("ticket.updated"),
    BUDGET_WARNED("budget.warned"),
    BUDGET_EXCEEDED("budget.exceeded"),
    /** A test that an admin sends to one endpoint. No endpoint subscribes to it. */
    ENDPOINT_PING("webhook_endpoint.ping");

    private final String text;

    EventType(String text) {
        this.text = text;
    }

    @JsonValue
    public String text() {
        return text;
    }

    /** Whether endpoints may list it. */
    public boolean isSubscribable() {
        return this != ENDPOINT_PING;
    }

    public static Optional<EventType> of(String text) {
        return Arrays.stream(values()).filter(type -> type.text.equals(text)).findFirst();
    }
}
