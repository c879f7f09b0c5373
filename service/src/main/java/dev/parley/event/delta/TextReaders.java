package dev.parley.event.delta;

import dev.parley.event.EventLog.StreamKey;

/** Port: the readers of texts on this node. */
public interface TextReaders {
    /** Whether a stream has readers on this node. */
    boolean hasReaders(StreamKey stream);

    /** Called when a text has grown, was reset or has ended; must not block. */
    void onChange(LiveText text);
}
