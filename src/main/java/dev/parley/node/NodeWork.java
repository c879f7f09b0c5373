package dev.parley.node;

import dev.parley.id.NodeId;
import org.jdbi.v3.core.Handle;

/** Work whose rows name the node that does it, and that another node takes over when that one dies. */
public interface NodeWork {
    /**
     * Gives the rows of a fenced node to another, within the transaction that fences it. What the old node has in
     * flight can no longer be written.
     */
    void adopt(Handle handle, NodeId from, NodeId to);

    /** Takes up what {@link #adopt} brought, after its commit. */
    void adopted();

    /** Drops what is in memory of an id under which this process was fenced: those rows are another's. */
    void forget(NodeId was);
}
