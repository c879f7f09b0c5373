package dev.parley.problem;

/** Truncates texts, never between the two halves of a surrogate pair. */
public final class Text {
    private Text() {}

    /** The beginning of a text, of at most this length. */
    public static String truncate(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        boolean splitsPair = length > 0
                && Character.isHighSurrogate(text.charAt(length - 1))
                && Character.isLowSurrogate(text.charAt(length));
        return text.substring(0, splitsPair ? length - 1 : length);
    }

    /** The same with a mark behind the beginning if the text is longer. The mark is not counted. */
    public static String truncate(String text, int length, String mark) {
        return text.length() <= length ? text : truncate(text, length) + mark;
    }

    /** The text, of at most this length with the ellipsis that stands for the rest. */
    public static String ellipsis(String text, int length) {
        return text.length() <= length ? text : truncate(text, length - 1) + "…";
    }
}
