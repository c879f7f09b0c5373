package dev.parley.message;

import dev.parley.problem.Text;

/** Makes texts of models, tools and people storable. */
public final class StorableText {
    /** The limit of a message. */
    public static final int MAX_BYTES = 256 * 1024;

    private static final int REPLACEMENT = 0xFFFD;

    private StorableText() {}

    /**
     * The text of a message without characters that PostgreSQL and JSON do not support, truncated to a message's limit,
     * and never empty.
     */
    public static String storable(String text) {
        String clean = paired(text.replace("\0", ""));
        return clean.isEmpty() ? "(empty)" : Text.ellipsis(clean, MAX_BYTES / 4);
    }

    /** The text with replacement characters for unpaired surrogates. */
    public static String paired(String text) {
        return text.codePoints().noneMatch(StorableText::isSurrogate)
                ? text
                : text.codePoints()
                        .map(point -> isSurrogate(point) ? REPLACEMENT : point)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    private static boolean isSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
