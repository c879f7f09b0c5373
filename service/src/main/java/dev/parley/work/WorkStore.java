package dev.parley.work;

import dev.parley.id.NodeId;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The rows that name the node that owns each key. */
public interface WorkStore<K> {
    /** The keys of a node with work that is due; more than the limit of a group need not be returned. */
    List<OwnedKey<K>> due(NodeId node);

    /** Gives the keys of a dead node to another, within the transaction that fences the dead node. */
    void adopt(Handle handle, NodeId from, NodeId to);
}
