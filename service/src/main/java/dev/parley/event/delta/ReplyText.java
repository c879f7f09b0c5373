package dev.parley.event.delta;

import dev.parley.llm.ReplyListener;
import dev.parley.problem.Text;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Publishes the text of a reply while the model writes it. Closed without {@link #complete}, the text becomes void. */
public final class ReplyText implements ReplyListener, AutoCloseable {
    private final LiveTexts texts;
    private final Supplier<LiveText> factory;

    /** Created with its first piece, so that its id has the time at which the text began. */
    private @Nullable LiveText created;

    /** The first half of a character whose other half is expected; empty for none. */
    private String half = "";

    private boolean begun;
    private boolean full;

    ReplyText(LiveTexts texts, Supplier<LiveText> factory) {
        this.texts = texts;
        this.factory = factory;
    }

    private LiveText text() {
        LiveText text = created;
        if (text == null) {
            text = factory.get();
            created = text;
        }
        return text;
    }

    /** The id of the text, and of the message that it becomes. */
    public UUID id() {
        return text().id();
    }

    /** Passes on the characters that a message can have, as in the stored reply. */
    @Override
    public void onText(String piece) {
        String whole = half + piece.replace("\0", "");
        boolean isSplit = !whole.isEmpty() && Character.isHighSurrogate(whole.charAt(whole.length() - 1));
        half = isSplit ? whole.substring(whole.length() - 1) : "";
        publish(Text.paired(whole.substring(0, whole.length() - half.length())));
    }

    private void publish(String piece) {
        if (piece.isEmpty() || full) {
            return;
        }
        LiveText text = text();
        if (text.append(piece)) {
            texts.grown(text, !begun);
            begun = true;
        } else {
            full = true; // A later piece would leave a gap.
        }
    }

    @Override
    public void onReset() {
        half = "";
        full = false;
        LiveText text = created;
        if (text != null && !text.isEmpty()) {
            text.reset();
            texts.grown(text, false);
        }
    }

    /** The text is whole; the stored reply follows. */
    public void complete() {
        publish(Text.paired(half));
        half = "";
        end(true);
    }

    private void end(boolean isComplete) {
        LiveText text = text();
        text.end(isComplete);
        if (begun) {
            texts.ended(text);
        }
    }

    @Override
    public void close() {
        LiveText text = created;
        if (text != null && !text.isEnded()) {
            onReset();
            end(false);
        }
    }
}
