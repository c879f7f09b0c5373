package dev.parley.engine.local;

import dev.parley.id.NodeId;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import org.jspecify.annotations.Nullable;

/**
 * A change and the node that writes it.
 *
 * @param writer the node whose lease fences the write
 * @param owner the node that runs the instance afterwards; null for none
 * @param rowChanges whether the instance's row changes too, or only the log grows
 */
record OwnedChange(
        InstanceChange change, NodeId writer, @Nullable NodeId owner, boolean rowChanges) {
    InstanceHeader header() {
        return change.header();
    }

    InstanceState state() {
        return change.state();
    }

    OwnedInstance after() {
        return new OwnedInstance(change.after(), owner);
    }
}
