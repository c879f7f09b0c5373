package dev.parley.workflow.definition.core.document;

import org.jspecify.annotations.Nullable;

/**
 * An RFC 6901 JSON Pointer that is rendered only when a violation reports it, so that validating a large valid document
 * builds no strings.
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

    /** Recursion is bounded by the nesting of the document, which its readers limit. */
    private void write(StringBuilder text) {
        if (parent == null) {
            return;
        }
        parent.write(text);
        text.append('/').append(segment.toString().replace("~", "~0").replace("/", "~1"));
    }
}
