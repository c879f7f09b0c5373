package dev.parley.reader.render;

import com.openhtmltopdf.extend.FSTextBreaker;
import com.openhtmltopdf.layout.UrlAwareLineBreakIterator;
import java.text.BreakIterator;
import java.util.Locale;

/**
 * Where a line may break: between words, and inside a long word such as a URL. Without breaks of its own, a long word
 * makes the layout break the words beside it as well.
 */
final class LineBreaks implements FSTextBreaker {
    private static final int LONG = 30;
    private static final int UNBROKEN_START = 12;
    private static final int UNBROKEN_END = 4;

    /** The Thai rules are the general ones with a dictionary of Thai words. */
    private final FSTextBreaker words = new UrlAwareLineBreakIterator(BreakIterator.getLineInstance(Locale.of("th")));

    private final BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
    private int start;
    private int end;
    private int position;

    @Override
    public void setText(String text) {
        words.setText(text);
        characters.setText(text);
        start = 0;
        end = 0;
        position = 0;
    }

    @Override
    public int next() {
        if (position == end) {
            start = end;
            end = words.next();
            if (end <= start) {
                end = start;
                return BreakIterator.DONE;
            }
        }
        position = end - start > LONG ? inside() : end;
        return position;
    }

    private int inside() {
        int from = Math.max(position, start + UNBROKEN_START - 1);
        int next = characters.following(from);
        return next == BreakIterator.DONE || next > end - UNBROKEN_END ? end : next;
    }
}
