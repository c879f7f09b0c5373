package dev.parley.message;

import dev.parley.problem.Text;

/** Makes texts of models, tools and people storable. */
public final class StorableText {
    /** The limit of a message. */
    public static final int MAX_BYTES = 256 * 1024;

    private StorableText() {}

    /**
     * The text of a message without characters that PostgreSQL and JSON do not support, truncated to a message's limit,
     * and never empty.
     */
    public static String storable(String text) {
        String clean = Text.paired(text.replace("\0", ""));
        return clean.isEmpty() ? "(empty)" : Text.ellipsis(clean, MAX_BYTES / 4);
    }
}
