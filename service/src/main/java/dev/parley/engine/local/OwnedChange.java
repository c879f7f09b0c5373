package dev.parley.engine.local;

import dev.parley.id.NodeId;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceReader.OwnedInstance;
import dev.parley.workflow.instance.store.InstanceRows;
import dev.parley.workflow.instance.store.InstanceRows.StoredChange;
import java.util.Objects;

/**
 * A change and the node that writes it.
 *
 * @param writer the node whose lease fences the write
 * @param rowChanges whether the instance's row changes too, or only the log grows
 * @param checkpoint the version of the complete state in the row afterwards
 */
record OwnedChange(StoredChange row, NodeId writer, boolean rowChanges, int checkpoint) {
    /** The first change of an instance. */
    static OwnedChange start(InstanceChange change, NodeId writer) {
        NodeId owner = change.state().isUnderWay() ? writer : null;
        return new OwnedChange(StoredChange.of(change, owner, change.firstState()), writer, true, 0);
    }

    /** A change of an instance by a node. */
    static OwnedChange of(OwnedInstance before, InstanceChange change, NodeId writer) {
        InstanceState after = change.state();
        NodeId owner = before.owner() == null ? writer : before.owner();
        // Kept while paused by request until its last task has ended, so that a recovering node finds it.
        NodeId next = after.isUnderWay() ? owner : null;
        boolean isOwner = writer.equals(before.owner());
        // The owner's sweep sees the changes of other nodes in the row.
        boolean isCheckpointDue = isCheckpointDue(before, after);
        boolean rowChanges = isCheckpointDue
                || !change.steps().isEmpty()
                || !isOwner
                || !writer.equals(next)
                || !Objects.equals(before.state().nextWake(), after.nextWake());
        boolean writesState = isCheckpointDue || (rowChanges && !mayOmitState(before, after, isOwner));
        return new OwnedChange(
                StoredChange.of(change, next, writesState ? after : null),
                writer,
                rowChanges,
                writesState ? after.version() : before.checkpoint());
    }

    /** The distance of checkpoints grows with the state, so that their total size grows only linearly. */
    private static boolean isCheckpointDue(OwnedInstance before, InstanceState after) {
        int distance = Math.max(InstanceRows.CHECKPOINT_EVERY, after.tasks().begunItems() / 2);
        return after.version() - before.checkpoint() >= distance;
    }

    /** A large state is not written with every change of the row, unless another node's sweep has to see it. */
    private static boolean mayOmitState(OwnedInstance before, InstanceState after, boolean isOwner) {
        boolean isLarge = after.tasks().begunItems() > InstanceRows.CHECKPOINT_EVERY;
        boolean ownedElsewhere = before.owner() != null && !isOwner;
        return isLarge && !ownedElsewhere && !after.status().isTerminal();
    }

    InstanceChange change() {
        return row.change();
    }

    InstanceHeader header() {
        return row.header();
    }

    OwnedInstance after() {
        return new OwnedInstance(change().after(), row.owner(), checkpoint);
    }
}
