package dev.parley.problem;

/** Texts and their surrogate pairs, which no truncation splits. */
public final class Text {
    private static final int REPLACEMENT = 0xFFFD;

    private Text() {}

    /** The text with replacement characters for unpaired surrogates. */
    public static String paired(String text) {
        return text.codePoints().noneMatch(Text::isSurrogate)
                ? text
                : text.codePoints()
                        .map(point -> isSurrogate(point) ? REPLACEMENT : point)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    private static boolean isSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }

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
