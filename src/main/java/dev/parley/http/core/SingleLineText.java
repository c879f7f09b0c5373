package dev.parley.http.core;

import java.util.regex.Pattern;

/**
 * Text that shows as one line and leaves what stands beside it alone, as names must: they are read in lists, logs,
 * subjects of mails and prompts. It has no control characters, no breaks of lines, and none of the characters that turn
 * the direction of what follows; marks of direction, which names written from the right may need, are no such.
 */
public final class SingleLineText {
    /** What it does not have, as the inside of a character class of Java's and ECMAScript's regular expressions. */
    public static final String EXCLUDED = "\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069";

    private static final Pattern ANY_EXCLUDED = Pattern.compile("[" + EXCLUDED + "]");

    private SingleLineText() {}

    public static boolean is(String text) {
        return !ANY_EXCLUDED.matcher(text).find();
    }

    /** The text with a space for each character that it must not have. */
    public static String of(String text) {
        return ANY_EXCLUDED.matcher(text).replaceAll(" ");
    }

    /** The text without the characters that it must not have. */
    public static String within(String text) {
        return ANY_EXCLUDED.matcher(text).replaceAll("");
    }
}
