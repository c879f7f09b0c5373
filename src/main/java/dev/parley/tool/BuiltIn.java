package dev.parley.tool;

import java.util.Arrays;
import java.util.Optional;

/**
 * The tools of the provider that every organization has. Their ids are part of definitions, so they never change; what
 * organizations add is numbered from {@link #FIRST_OWN_ID}.
 */
public enum BuiltIn {
    HTTP_REQUEST(1, "http.request", "HTTP request"),
    EMAIL_SEND(2, "email.send", "Send an e-mail");

    /** How definitions name the provider. */
    public static final String PROVIDER = "builtin";

    public static final int PROVIDER_ID = 1;

    /** The least id of a provider or tool of an organization's own. */
    public static final int FIRST_OWN_ID = 1000;

    private final int id;
    private final String toolName;
    private final String title;

    BuiltIn(int id, String toolName, String title) {
        this.id = id;
        this.toolName = toolName;
        this.title = title;
    }

    public int id() {
        return id;
    }

    /** As definitions name it. */
    public String toolName() {
        return toolName;
    }

    public String title() {
        return title;
    }

    public static Optional<BuiltIn> of(int id) {
        return Arrays.stream(values()).filter(one -> one.id == id).findFirst();
    }
}
