package dev.parley.message;

import dev.parley.problem.Text;

/** Makes texts of models, tools and people storable as messages. */
public final class StorableText {
    private StorableText() {}

    /**
     * The text without characters that PostgreSQL and JSON do not support, truncated to a message's limit, and never
     * empty.
     */
    public static String storable(String text) {
        String clean = text.chars().allMatch(StorableText::isPlain) ? text : cleaned(text);
        return clean.isEmpty() ? "(empty)" : Text.ellipsis(clean, MessageService.MAX_CONTENT_BYTES / 4);
    }

    private static boolean isPlain(int unit) {
        return unit != 0 && !Character.isSurrogate((char) unit);
    }

    private static String cleaned(String text) {
        return text.codePoints()
                .filter(c -> c != 0)
                .map(c -> c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
