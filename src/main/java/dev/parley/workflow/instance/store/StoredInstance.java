package dev.parley.workflow.instance.store;

import dev.parley.id.NodeId;
import dev.parley.workflow.instance.core.InstanceState;
import org.jspecify.annotations.Nullable;

/**
 * An instance as it stands in the database.
 *
 * @param node the node that runs it; null unless it is RUNNING
 */
public record StoredInstance(
        InstanceHeader header,
        InstanceState state,
        @Nullable NodeId node) {}
