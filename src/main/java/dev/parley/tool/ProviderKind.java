package dev.parley.tool;

import java.util.Locale;

/** Where a provider's tools come from. */
public enum ProviderKind {
    /** The service itself: every organization has it, and nobody changes it. */
    BUILTIN,
    /** A server of the Model Context Protocol. */
    MCP,
    /** A web API, by its OpenAPI 3 description. */
    OPENAPI;

    /** As it stands in the API and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static ProviderKind of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
