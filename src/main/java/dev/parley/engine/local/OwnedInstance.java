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
 */
record OwnedInstance(StoredInstance instance, @Nullable NodeId owner) {
    InstanceHeader header() {
        return instance.header();
    }

    InstanceState state() {
        return instance.state();
    }
}
