package dev.parley.llm.openai;

import dev.parley.llm.ReplyListener;
import dev.parley.llm.dialect.ReasoningFilter;

/** Passes the text of one reply to its listener, over all attempts. */
final class PassedText implements AutoCloseable {
    private final ReplyListener listener;
    private final StringBuilder text = new StringBuilder();
    private ReasoningFilter filter = new ReasoningFilter();
    private boolean isClosed;

    PassedText(ReplyListener listener) {
        this.listener = listener;
    }

    synchronized void add(String piece) {
        if (!isClosed && !listener.equals(ReplyListener.NONE)) {
            pass(filter.add(piece));
        }
    }

    /** Called before an attempt. */
    synchronized void reset() {
        filter = new ReasoningFilter();
        if (!text.isEmpty()) {
            text.setLength(0);
            listener.onReset();
        }
    }

    /** Passes on what the whole text has more, or all of it if the pieces turn out to have had reasoning. */
    synchronized void complete(String whole) {
        if (!whole.startsWith(text.toString())) {
            reset();
        }
        pass(whole.substring(text.length()));
    }

    private void pass(String piece) {
        if (!piece.isEmpty()) {
            text.append(piece);
            listener.onText(piece);
        }
    }

    /** A cancelled call may still be reading. */
    @Override
    public synchronized void close() {
        isClosed = true;
    }
}
