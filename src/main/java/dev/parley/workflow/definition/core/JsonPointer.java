package dev.parley.workflow.definition.core;

import org.jspecify.annotations.Nullable;

/**
 * An RFC 6901 JSON Pointer that is written out only when a fault names it, so that walking a large document without
 * fault costs no text.
 */
public final class JsonPointer {
    /** The whole document: {@code ""}. */
    public static final JsonPointer ROOT = new JsonPointer(null, "");

    private final @Nullable JsonPointer parent;
    private final Object segment;

    private JsonPointer(@Nullable JsonPointer parent, Object segment) {
        this.parent = parent;
        this.segment = segment;
    }

    public JsonPointer to(String member) {
        return new JsonPointer(this, member);
    }

    public JsonPointer to(int index) {
        return new JsonPointer(this, index);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        write(text);
        return text.toString();
    }

    /** Recurses as deep as the document is nested, which its readers bound. */
    private void write(StringBuilder text) {
        if (parent == null) {
            return;
        }
        parent.write(text);
        text.append('/').append(segment.toString().replace("~", "~0").replace("/", "~1"));
    }
}
