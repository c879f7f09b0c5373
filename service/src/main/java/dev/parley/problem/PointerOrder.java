package dev.parley.problem;

import java.util.Comparator;

/** Orders JSON Pointers segment by segment, array indexes numerically. */
final class PointerOrder implements Comparator<String> {
    static final PointerOrder INSTANCE = new PointerOrder();

    private PointerOrder() {}

    @Override
    public int compare(String left, String right) {
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
