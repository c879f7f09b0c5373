package dev.parley.http.core;

import java.util.regex.Pattern;

/**
 * Text that is displayed on one line and does not affect adjacent text, as required for names: they appear in lists,
 * logs, mail subjects and prompts. It contains no control characters, no line breaks, and no characters that override
 * or embed text direction; direction marks, which right-to-left names may need, are allowed.
 */
public final class SingleLineText {
    /** The excluded characters, as the inside of a character class in Java and ECMAScript regular expressions. */
    public static final String EXCLUDED = "\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069";

    /** Matches such a text, in Java and ECMAScript. */
    public static final String PATTERN = "^[^" + EXCLUDED + "]*$";

    private static final Pattern ANY_EXCLUDED = Pattern.compile("[" + EXCLUDED + "]");

    private SingleLineText() {}

    public static boolean is(String text) {
        return !ANY_EXCLUDED.matcher(text).find();
    }

    /** Replaces each excluded character by a space. */
    public static String of(String text) {
        return ANY_EXCLUDED.matcher(text).replaceAll(" ");
    }

    /** Removes the excluded characters. */
    public static String within(String text) {
        return ANY_EXCLUDED.matcher(text).replaceAll("");
    }
}
