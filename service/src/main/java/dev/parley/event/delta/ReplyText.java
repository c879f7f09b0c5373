package dev.parley.event.delta;

import dev.parley.llm.ReplyListener;
import java.util.stream.IntStream;

/** Publishes the text of a reply while the model writes it. Closed without {@link #complete}, the text becomes void. */
public final class ReplyText implements ReplyListener, AutoCloseable {
    private static final int REPLACEMENT = 0xFFFD;

    private final LiveTexts texts;
    private final LiveText text;

    /** The first half of a character whose other half is expected; empty for none. */
    private String half = "";

    private boolean begun;
    private boolean full;

    ReplyText(LiveTexts texts, LiveText text) {
        this.texts = texts;
        this.text = text;
    }

    @Override
    public void onText(String piece) {
        String whole = half + piece;
        boolean isSplit = !whole.isEmpty() && Character.isHighSurrogate(whole.charAt(whole.length() - 1));
        half = isSplit ? whole.substring(whole.length() - 1) : "";
        publish(storable(whole.substring(0, whole.length() - half.length())));
    }

    private void publish(String piece) {
        if (piece.isEmpty() || full) {
            return;
        }
        if (text.append(piece)) {
            texts.grown(text, !begun);
            begun = true;
        } else {
            full = true; // A later piece would leave a gap.
        }
    }

    /** The characters that a message can have, as in the stored reply. */
    private static String storable(String text) {
        return text.chars().noneMatch(one -> one == 0 || Character.isSurrogate((char) one))
                ? text
                : text.codePoints()
                        .flatMap(point -> point == 0
                                ? IntStream.empty()
                                : IntStream.of(Character.getType(point) == Character.SURROGATE ? REPLACEMENT : point))
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    @Override
    public void onReset() {
        half = "";
        full = false;
        if (!text.isEmpty()) {
            text.reset();
            texts.grown(text, false);
        }
    }

    /** The text is whole; the stored reply follows. */
    public void complete() {
        if (!half.isEmpty()) {
            half = "";
            publish(Character.toString(REPLACEMENT));
        }
        end(true);
    }

    private void end(boolean isComplete) {
        text.end(isComplete);
        if (begun) {
            texts.ended(text);
        }
    }

    @Override
    public void close() {
        if (!text.isEnded()) {
            onReset();
            end(false);
        }
    }
}
