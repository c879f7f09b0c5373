package dev.parley.message;

import java.lang.ref.SoftReference;
import org.jspecify.annotations.Nullable;

/**
 * A handler's cache between messages of one conversation, so that an active conversation is not read again for each
 * message. Valid while this node owns the conversation, unless a result was not stored or the memory is needed.
 */
public final class HandlerCache {
    private @Nullable SoftReference<Object> cached;

    /** The cached value, if present and of this type. */
    public <T> @Nullable T get(Class<T> kind) {
        Object value = cached == null ? null : cached.get();
        return kind.isInstance(value) ? kind.cast(value) : null;
    }

    public void keep(Object value) {
        cached = new SoftReference<>(value);
    }

    public void clear() {
        cached = null;
    }
}
