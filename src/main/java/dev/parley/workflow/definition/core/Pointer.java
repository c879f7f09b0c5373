package dev.parley.workflow.definition.core;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * An RFC 6901 JSON Pointer that is written out only when a fault names it, so that walking a large document without
 * fault costs no text.
 */
public final class Pointer {
    /** The whole document: {@code ""}. */
    public static final Pointer ROOT = new Pointer(null, "");

    /** Orders written pointers as the document does: segment by segment, array indexes by number. */
    public static final Comparator<String> ORDER = Pointer::compare;

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

    private static int compare(String left, String right) {
        int i = 0;
        int j = 0;
        while (i < left.length() && j < right.length()) {
            int iEnd = end(left, i + 1);
            int jEnd = end(right, j + 1);
            int order = compareSegments(left.substring(i + 1, iEnd), right.substring(j + 1, jEnd));
            if (order != 0) {
                return order;
            }
            i = iEnd;
            j = jEnd;
        }
        return Integer.compare(left.length() - i, right.length() - j);
    }

    private static int end(String text, int from) {
        int slash = text.indexOf('/', from);
        return slash < 0 ? text.length() : slash;
    }

    private static int compareSegments(String left, String right) {
        boolean numbers = isIndex(left) && isIndex(right);
        return numbers && left.length() != right.length()
                ? Integer.compare(left.length(), right.length())
                : left.compareTo(right);
    }

    private static boolean isIndex(String segment) {
        return !segment.isEmpty() && segment.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
