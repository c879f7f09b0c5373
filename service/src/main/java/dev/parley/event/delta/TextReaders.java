package dev.parley.event.delta;

/** Port: who reads texts on this node. */
public interface TextReaders {
    /** Whether a stream has readers on this node. */
    boolean hasReaders(TextSource.StreamId stream);

    /** Whether a text may have readers on any node. */
    boolean mayBeRead(TextSource source);

    /** Called when a text has grown, was reset or has ended; must not block. */
    void onChange(LiveText text);
}
