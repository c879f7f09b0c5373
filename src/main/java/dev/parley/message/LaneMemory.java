package dev.parley.message;

import org.jspecify.annotations.Nullable;

/**
 * What a handler keeps from one message of a conversation to the next, so that a burst is not read again for each. It
 * is dropped when the conversation comes to rest, or when what the handler answered was not stored.
 */
public final class LaneMemory {
    private @Nullable Object kept;

    /** What was kept, if it is of this kind. */
    public <T> @Nullable T get(Class<T> kind) {
        return kind.isInstance(kept) ? kind.cast(kept) : null;
    }

    public void keep(Object value) {
        kept = value;
    }

    void clear() {
        kept = null;
    }
}
