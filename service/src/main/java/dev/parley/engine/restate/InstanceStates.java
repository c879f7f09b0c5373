package dev.parley.engine.restate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.engine.restate.EngineMessages.ChangeRecord;
import dev.parley.engine.restate.EngineMessages.FindMessage;
import dev.parley.engine.restate.EngineMessages.FoundState;
import dev.parley.engine.restate.ObjectState.PendingChange;
import dev.parley.engine.restate.projection.ProjectedInstances;
import dev.parley.workflow.instance.core.state.InstanceState;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceJson;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.StoredInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The states of instances that this node has in memory. A handler's object says which version it needs; a node that
 * lacks it asks Restate for the changes since the version that it has. Such a read is not part of the handler's
 * journal: a version has one state, wherever it is read.
 */
final class InstanceStates {
    private static final Duration KEPT_FOR = Duration.ofMinutes(1);

    /** As JSON; a state in memory is several times as large. */
    private static final long MAX_BYTES = 8 << 20;

    /** The objects of a state that is nearly empty. */
    private static final int MIN_BYTES = 2 << 10;

    private final RestateClient client;
    private final InstanceHeaders headers;
    private final ProjectedInstances projected;
    private final Cache<InstanceKey, ObjectState> cache = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .<InstanceKey, ObjectState>weigher((_, state) ->
                    MIN_BYTES + state.head().stateBytes() + state.head().changeBytes())
            .expireAfterWrite(KEPT_FOR)
            .build();

    InstanceStates(RestateClient client, InstanceHeaders headers, ProjectedInstances projected) {
        this.client = client;
        this.headers = headers;
        this.projected = projected;
    }

    /** Called with each state that a handler on this node stores. */
    void remember(ObjectState state) {
        InstanceHeader header = state.instance().header();
        var key = new InstanceKey(header.organization(), header.id());
        if (state.instance().state().status().isTerminal()) {
            cache.invalidate(key);
        } else {
            cache.put(key, state);
        }
    }

    /** The state in memory, which another node may have changed since. */
    @Nullable
    StoredInstance known(InstanceKey key) {
        ObjectState state = cache.getIfPresent(key);
        return state == null ? null : state.instance();
    }

    /** The state to which a head belongs. */
    ObjectState at(InstanceKey key, StateHead head) {
        ObjectState known = cache.getIfPresent(key);
        if (known != null
                && known.head().version() == head.version()
                && known.head().digest() == head.digest()) {
            return known;
        }
        Optional<ObjectState> since = known == null || known.head().version() >= head.version()
                ? Optional.empty()
                : since(key, known, head.version()).filter(state -> state.head().digest() == head.digest());
        return since.or(() -> whole(key, head.version()))
                .map(found -> new ObjectState(found.instance(), head, unprojected(found.pending(), head)))
                .orElseGet(() -> ended(key, head));
    }

    /** The latest state; empty if the instance has ended or never was. */
    Optional<StoredInstance> latest(InstanceKey key) {
        ObjectState known = cache.getIfPresent(key);
        Optional<ObjectState> since = known == null ? Optional.empty() : since(key, known, Integer.MAX_VALUE);
        Optional<ObjectState> found = since.or(() -> whole(key, Integer.MAX_VALUE));
        found.ifPresent(state -> cache.asMap().merge(key, state, InstanceStates::newer));
        return found.map(ObjectState::instance);
    }

    private static ObjectState newer(ObjectState one, ObjectState other) {
        return one.head().version() >= other.head().version() ? one : other;
    }

    /** A state from a known one; empty if it does not lead there. */
    private Optional<ObjectState> since(InstanceKey key, ObjectState known, int version) {
        int from = known.head().version();
        Optional<FoundState> answer = client.find(key, new FindMessage(version, from));
        if (answer.isEmpty()) {
            return Optional.empty();
        }
        FoundState found = answer.get();
        if (found.state() != null) {
            return Optional.of(read(key, found));
        }
        ObjectState state = add(known, found);
        boolean isLatest = state.head().version() == found.head().version();
        return isLatest && state.head().digest() != found.head().digest() ? Optional.empty() : Optional.of(state);
    }

    private Optional<ObjectState> whole(InstanceKey key, int version) {
        return client.find(key, new FindMessage(version, 0)).map(found -> read(key, found));
    }

    private ObjectState read(InstanceKey key, FoundState found) {
        InstanceHeader header = headers.of(key);
        InstanceState state = InstanceJson.readState(String.valueOf(found.state()), headers.plan(header));
        StateHead head = found.head();
        StateHead start = StateHead.projected(state.version(), head.projectedAt());
        ObjectState whole = add(new ObjectState(new StoredInstance(header, state), start, List.of()), found);
        return whole.head().version() == head.version()
                ? new ObjectState(whole.instance(), head, unprojected(whole.pending(), head))
                : whole;
    }

    private static ObjectState add(ObjectState before, FoundState found) {
        InstanceState state = before.instance().state();
        StateHead head = before.head();
        List<PendingChange> pending = new ArrayList<>(before.pending());
        for (ChangeRecord stored : found.changes()) {
            PendingChange change = PendingChange.of(stored);
            state = change.delta().applyTo(state);
            head = head.with(state.version(), change.json());
            pending.add(change);
        }
        return new ObjectState(new StoredInstance(before.instance().header(), state), head, pending);
    }

    private static List<PendingChange> unprojected(List<PendingChange> changes, StateHead head) {
        return changes.stream()
                .filter(change -> change.delta().version() > head.projected())
                .toList();
    }

    /** The handler that ended the instance is repeated after it has cleared the object. */
    private ObjectState ended(InstanceKey key, StateHead head) {
        InstanceHeader header = headers.of(key);
        InstanceState state = projected
                .at(header, headers.plan(header), head.version())
                .orElseThrow(
                        () -> new IllegalStateException("instance " + key.id() + " has no version " + head.version()));
        return new ObjectState(new StoredInstance(header, state), head, List.of());
    }
}
