package dev.parley.message;

import java.lang.ref.SoftReference;
import org.jspecify.annotations.Nullable;

/**
 * What a handler keeps from one message of a conversation to the next, so that a lively conversation is not read again
 * for each. It holds as long as this node has the conversation, unless what the handler answered was not stored or the
 * memory is needed for other things.
 */
public final class HandlerCache {
    private @Nullable SoftReference<Object> kept;

    /** What was kept, if it is of this kind and still there. */
    public <T> @Nullable T get(Class<T> kind) {
        Object value = kept == null ? null : kept.get();
        return kind.isInstance(value) ? kind.cast(value) : null;
    }

    public void keep(Object value) {
        kept = new SoftReference<>(value);
    }

    void clear() {
        kept = null;
    }
}
