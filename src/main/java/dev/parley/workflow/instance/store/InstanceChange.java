package dev.parley.workflow.instance.store;

import dev.parley.event.NewEvent;
import dev.parley.id.NodeId;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.Effect;
import dev.parley.workflow.instance.core.InstanceDelta;
import dev.parley.workflow.instance.core.InstanceState;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * One change of an instance on its way into the database: stored whole, or not at all when another writer was first.
 *
 * @param writer the node that writes, by whose lease the write is fenced
 * @param node the node that runs the instance afterwards; null unless it is RUNNING
 * @param creates whether this is the instance's first change
 * @param rowChanges whether what the instance's row shows changes too, or only the log grows
 * @param event what happened, for the history
 * @param actor who did it, as in {@code created_by}
 * @param steps the steps of status, in order
 * @param attempt the attempt of a task that ended by this; null where none did
 * @param beside what must be stored in the same transaction; null for nothing
 */
public record InstanceChange(
        InstanceHeader header,
        NodeId writer,
        @Nullable NodeId node,
        boolean creates,
        boolean rowChanges,
        String event,
        String actor,
        InstanceState state,
        InstanceDelta delta,
        List<Effect.StatusChanged> steps,
        @Nullable TaskAttempt attempt,
        @Nullable Beside beside) {
    public InstanceChange {
        steps = List.copyOf(steps);
    }

    /** Tickets, messages and the like that a change brings. It throws to undo the change. */
    @FunctionalInterface
    public interface Beside {
        /** Answers the events that tell of it; they are appended together with those of the change itself. */
        List<NewEvent> write(Handle handle, StoredInstance after);
    }

    /** What became of a change. */
    public enum ChangeReceipt {
        STORED,
        /** Another writer stored this version first: load the instance again. */
        CONFLICT,
        /** The writer's work is another node's: nothing of it may be written. */
        FENCED
    }
}
