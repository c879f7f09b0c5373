package dev.parley.workflow.definition.core;

import org.jspecify.annotations.Nullable;

/**
 * An RFC 6901 JSON Pointer that is written out only when a fault names it, so that walking a large document without
 * fault costs no text.
 */
public final class Pointer {
    /** The whole document: {@code ""}. */
    public static final Pointer ROOT = new Pointer(null, "");

    private final @Nullable Pointer parent;
    private final Object segment;

    private Pointer(@Nullable Pointer parent, Object segment) {
        this.parent = parent;
        this.segment = segment;
    }

    public Pointer to(String member) {
        return new Pointer(this, member);
    }

    public Pointer to(int index) {
        return new Pointer(this, index);
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
