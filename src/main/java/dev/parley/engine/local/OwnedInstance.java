package dev.parley.engine.local;

import dev.parley.id.NodeId;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.StoredInstance;
import org.jspecify.annotations.Nullable;

/**
 * An instance and its owner.
 *
 * @param owner the node that runs it; null for none
 * @param checkpoint the version of the complete state in the row; the log has the later changes
 */
record OwnedInstance(StoredInstance instance, @Nullable NodeId owner, int checkpoint) {
    InstanceHeader header() {
        return instance.header();
    }

    InstanceState state() {
        return instance.state();
    }
}
