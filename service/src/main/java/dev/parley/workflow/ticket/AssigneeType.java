package dev.parley.workflow.ticket;

import com.fasterxml.jackson.annotation.JsonValue;

/** Whom a ticket is assigned to. */
enum AssigneeType {
    USER("User"),
    TEAM("Team");

    private final String text;

    AssigneeType(String text) {
        this.text = text;
    }

    @JsonValue
    String text() {
        return text;
    }
}
