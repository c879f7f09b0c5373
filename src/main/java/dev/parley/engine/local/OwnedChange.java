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
 * @param checkpoint the version of the complete state in the row afterwards
 */
record OwnedChange(
        InstanceChange change, NodeId writer, @Nullable NodeId owner, boolean rowChanges, int checkpoint) {
    InstanceHeader header() {
        return change.header();
    }

    InstanceState state() {
        return change.state();
    }

    /** Whether the row gets the complete state. */
    boolean writesState() {
        return checkpoint == change.delta().version();
    }

    OwnedInstance after() {
        return new OwnedInstance(change.after(), owner, checkpoint);
    }
}
