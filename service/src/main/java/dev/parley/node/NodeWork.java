package dev.parley.node;

import dev.parley.id.NodeId;
import org.jdbi.v3.core.Handle;

/** Work whose rows name the node that owns it, and that another node adopts when that node dies. */
public interface NodeWork {
    /**
     * Transfers the rows of a fenced node to another, within the transaction that fences it. The old node can no longer
     * write its work in progress.
     */
    void adopt(Handle handle, NodeId from, NodeId to);

    /** Called after the commit of {@link #adopt}: starts the adopted work. */
    void adopted();

    /** Drops the in-memory state of an id under which this process was fenced, because another node owns those rows. */
    void abandon(NodeId fencedNode);
}
