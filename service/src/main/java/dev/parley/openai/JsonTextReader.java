package dev.parley.openai;

import dev.parley.http.json.StrictJson;
import dev.parley.problem.Text;
import java.io.UncheckedIOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a text in a JSON object that arrives in pieces, if it is the value of the first member. */
final class JsonTextReader {
    private final Pattern head;
    private final StringBuilder unread = new StringBuilder();
    private boolean isInside;
    private boolean isEnded;

    /** The first half of a character whose other half is expected; empty for none. */
    private String half = "";

    JsonTextReader(String member) {
        String name = Pattern.quote(StrictJson.write(member));
        // Some models put the object into a fence of Markdown.
        this.head = Pattern.compile("\\s*(?:```\\w*\\s*)?\\{\\s*" + name + "\\s*:\\s*\"");
    }

    /** Returns the next characters of the text, as a message stores them. */
    String add(String piece) {
        unread.append(isEnded ? "" : piece);
        if (!isInside) {
            Matcher start = head.matcher(unread);
            isInside = start.lookingAt();
            unread.delete(0, isInside ? start.end() : 0);
        }
        return isInside && !isEnded ? next() : "";
    }

    private String next() {
        int end = 0;
        while (end < unread.length() && unread.charAt(end) != '"' && end + sizeAt(end) <= unread.length()) {
            end += sizeAt(end);
        }
        isEnded = end < unread.length() && unread.charAt(end) == '"';
        String decoded;
        try {
            decoded = StrictJson.readTrusted('"' + unread.substring(0, end) + '"', String.class);
        } catch (UncheckedIOException _) {
            isEnded = true; // The task rejects it, too.
            return "";
        }
        unread.delete(0, end);
        String text = half + decoded.replace("\0", "");
        boolean isSplit = !text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1));
        half = isSplit ? text.substring(text.length() - 1) : "";
        return Text.paired(text.substring(0, text.length() - half.length()));
    }

    /** The length of the character or the escape at a position. */
    private int sizeAt(int at) {
        if (unread.charAt(at) != '\\') {
            return 1;
        }
        return at + 1 < unread.length() && unread.charAt(at + 1) == 'u' ? 6 : 2;
    }
}
