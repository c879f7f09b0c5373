package dev.parley.tool.source;

import java.util.Locale;

/** The source of a provider's tools. */
public enum ProviderKind {
    /** The service itself: every organization has this provider, and it cannot be changed. */
    BUILTIN,
    /** A server of the Model Context Protocol. */
    MCP,
    /** A web API described by OpenAPI 3. */
    OPENAPI,
    /** The organization's published workflows, which cannot be changed as a provider. */
    WORKFLOW;

    /** The text in the API and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static ProviderKind of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
