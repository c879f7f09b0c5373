package dev.parley.engine.restate;

import dev.parley.engine.restate.EngineMessages.ChangeRecord;
import dev.parley.engine.restate.EngineMessages.FindMessage;
import dev.parley.engine.restate.EngineMessages.FoundState;
import dev.parley.workflow.attempt.TaskAttempt;
import dev.parley.workflow.instance.core.state.InstanceDelta;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.InstanceJson;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.restate.sdk.ObjectContext;
import dev.restate.sdk.SharedObjectContext;
import dev.restate.sdk.common.StateKey;
import dev.restate.serde.Serde;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An instance as its object stores it: a head, a complete state as of the checkpoint, and each later change under a key
 * of its own. A handler reads the head only; its node has the rest in memory ({@link InstanceStates}), so the cost of
 * an event does not depend on the size of the instance.
 *
 * @param pending the changes that PostgreSQL does not have yet
 */
record ObjectState(StoredInstance instance, StateHead head, List<PendingChange> pending) {
    private static final StateKey<byte[]> HEAD = StateKey.of("head", Serde.RAW);

    ObjectState {
        pending = List.copyOf(pending);
    }

    /** A change of an instance with its JSON. */
    record PendingChange(
            String event,
            String actor,
            InstanceDelta delta,
            String json,
            @Nullable TaskAttempt attempt) {
        static PendingChange of(InstanceChange change) {
            return new PendingChange(
                    change.event(),
                    change.actor(),
                    change.delta(),
                    InstanceJson.write(change.delta()),
                    change.attempt());
        }

        static PendingChange of(ChangeRecord stored) {
            return new PendingChange(
                    stored.event(),
                    stored.actor(),
                    InstanceJson.readDelta(stored.delta()),
                    stored.delta(),
                    stored.attempt());
        }

        /** @param latest the instance after this change or a later one */
        InstanceChange change(StoredInstance latest) {
            return new InstanceChange(
                    latest.header(), false, event, actor, latest.state(), delta, List.of(), attempt, null);
        }

        /** Once it is projected, PostgreSQL alone keeps the attempt. */
        ChangeRecord stored(boolean projected) {
            return new ChangeRecord(event, actor, json, projected ? null : attempt);
        }
    }

    private static StateKey<byte[]> stateKey(int version) {
        return StateKey.of("state." + version, Serde.RAW);
    }

    private static StateKey<byte[]> changeKey(int version) {
        return StateKey.of("change." + version, Serde.RAW);
    }

    /** The head of an object; empty if it has no instance, or one that has ended. */
    static Optional<StateHead> head(SharedObjectContext ctx) {
        return ctx.get(HEAD).map(bytes -> EngineMessages.read(StateHead.class, bytes));
    }

    /** An instance that has just been projected for the first time. */
    static ObjectState started(StoredInstance instance) {
        int version = instance.state().version();
        return new ObjectState(
                instance, StateHead.projected(version, instance.state().updatedAt()), List.of());
    }

    ObjectState with(InstanceChange change) {
        PendingChange added = PendingChange.of(change);
        List<PendingChange> all = new ArrayList<>(pending);
        all.add(added);
        return new ObjectState(change.after(), head.with(change.state().version(), added.json), all);
    }

    boolean isProjectionDue() {
        return head.isProjectionDue(
                instance.state().updatedAt(),
                pending.stream().mapToInt(change -> change.json.length()).sum());
    }

    /** All changes that PostgreSQL does not have, with the complete one at the end. */
    List<InstanceChange> unprojected(InstanceChange last) {
        List<InstanceChange> all = new ArrayList<>();
        for (PendingChange one : pending.subList(0, pending.size() - 1)) {
            all.add(one.change(last.after()));
        }
        all.add(last);
        return all;
    }

    ObjectState projected() {
        return new ObjectState(instance, head.projected(instance.state().updatedAt()), List.of());
    }

    /**
     * Stores what is new since an earlier state. PostgreSQL alone keeps an instance that has ended.
     *
     * @param added the changes since then
     */
    ObjectState store(ObjectContext ctx, List<PendingChange> added) {
        if (instance.state().status().isTerminal()) {
            if (head.isStored()) {
                ctx.clearAll();
            }
            return this;
        }
        if (head.isStored()) {
            for (PendingChange change : added) {
                int version = change.delta.version();
                ctx.set(
                        changeKey(version),
                        EngineMessages.write(ChangeRecord.class, change.stored(version <= head.projected())));
            }
        }
        StateHead stored = head.isCheckpointDue() ? checkpoint(ctx) : head;
        ctx.set(HEAD, EngineMessages.write(StateHead.class, stored));
        return new ObjectState(instance, stored, pending);
    }

    private StateHead checkpoint(ObjectContext ctx) {
        byte[] state = EngineMessages.bytes(InstanceJson.write(instance.state()));
        ctx.set(stateKey(head.version()), state);
        if (head.older() != head.checkpoint()) {
            ctx.clear(stateKey(head.older()));
            for (int version = head.older() + 1; version <= head.checkpoint(); version++) {
                ctx.clear(changeKey(version));
            }
        }
        return head.checkpointed(state.length);
    }

    /** What a node needs to have a version of an instance; empty if the object has none. */
    static Optional<FoundState> find(SharedObjectContext ctx, FindMessage wanted) {
        Optional<StateHead> found = head(ctx);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        StateHead head = found.get();
        int version = Math.min(wanted.version(), head.version());
        int base = head.checkpoint() <= version ? head.checkpoint() : head.older();
        boolean isKnown = wanted.known() >= base && wanted.known() <= version;
        byte[] state = isKnown ? null : ctx.get(stateKey(base)).orElse(null);
        boolean isOutdated = !isKnown && state == null;
        List<ChangeRecord> changes = new ArrayList<>();
        for (int next = (isKnown ? wanted.known() : base) + 1; next <= version && !isOutdated; next++) {
            byte[] change = ctx.get(changeKey(next)).orElse(null);
            isOutdated = change == null;
            if (change != null) {
                changes.add(EngineMessages.read(ChangeRecord.class, change));
            }
        }
        return Optional.of(
                new FoundState(head, state == null ? null : EngineMessages.text(state), changes, isOutdated));
    }
}
