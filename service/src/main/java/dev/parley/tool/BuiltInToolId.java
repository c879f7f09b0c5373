package dev.parley.tool;

import java.util.Arrays;
import java.util.Optional;

/**
 * The tools of the built-in provider. Definitions contain their ids, so they never change; ids of organizations' own
 * tools start at {@link #FIRST_OWN_ID}.
 */
public enum BuiltInToolId {
    HTTP_REQUEST(1, "http.request", "HTTP request"),
    EMAIL_SEND(2, "email.send", "Send an email"),
    TIME_WAIT(3, "time.wait", "Wait for a time"),
    EVENT_WAIT(4, "event.wait", "Wait for an event");

    /** The provider's name in definitions. */
    public static final String PROVIDER = "builtin";

    public static final int PROVIDER_ID = 1;

    /** The smallest id of an organization's own provider or tool. */
    public static final int FIRST_OWN_ID = 1000;

    private final int id;
    private final String toolName;
    private final String title;

    BuiltInToolId(int id, String toolName, String title) {
        this.id = id;
        this.toolName = toolName;
        this.title = title;
    }

    public int id() {
        return id;
    }

    /** The name in definitions. */
    public String toolName() {
        return toolName;
    }

    public String title() {
        return title;
    }

    public static Optional<BuiltInToolId> of(int id) {
        return Arrays.stream(values()).filter(one -> one.id == id).findFirst();
    }
}
