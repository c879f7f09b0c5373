package dev.parley.workflow.instance.api;

import dev.parley.db.Database;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.Claim;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.run.Engine;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.view.InstanceViews;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts an instance and waits for it. An idempotency key is claimed in the start's transaction with a response that
 * the instance is running; the final response replaces it. If the node dies in between, a repeated request still
 * returns the instance's address.
 */
@Singleton
public final class SyncTrigger {
    private final InstanceService instances;
    private final InstanceViews views;
    private final Engine engine;
    private final Database database;
    private final IdempotencyKeys idempotency;

    /** Claims whose requests this node is still answering. */
    private final Set<String> inFlight = ConcurrentHashMap.newKeySet();

    public SyncTrigger(
            InstanceService instances,
            InstanceViews views,
            Engine engine,
            Database database,
            IdempotencyKeys idempotency) {
        this.instances = instances;
        this.views = views;
        this.engine = engine;
        this.database = database;
        this.idempotency = idempotency;
    }

    /** Starts an instance together with a companion, which may be null. */
    @FunctionalInterface
    interface InstanceStart {
        CompletableFuture<Engine.StartedInstance> with(@Nullable Companion companion);
    }

    /** Same as {@link #run(InstanceStart, Function, int, Optional, Runnable)}, for a trigger of an API key. */
    Response run(InstanceService.Trigger trigger, int waitSeconds, Optional<Claim> claim, Runnable started)
            throws InterruptedException {
        return run(
                companion -> instances.start(trigger, companion), InstanceViews::address, waitSeconds, claim, started);
    }

    /**
     * Starts an instance and responds when it settles.
     *
     * @param address where the caller can read the instance later
     * @param started called when the instance is stored and the request's data is no longer needed
     */
    Response run(
            InstanceStart start,
            Function<StoredInstance, String> address,
            int waitSeconds,
            Optional<Claim> claim,
            Runnable started)
            throws InterruptedException {
        if (claim.isEmpty()) {
            Engine.StartedInstance instance = InstanceService.join(start.with(null));
            started.run();
            return answer(instance, waitSeconds, address.apply(instance.instance()))
                    .response();
        }
        Claim requestedClaim = claim.get();
        String name = requestedClaim.organization().text() + requestedClaim.route() + ' ' + requestedClaim.key();
        if (!inFlight.add(name)) {
            throw IdempotencyKeys.inProgress();
        }
        try {
            Optional<StoredResponse> stored = idempotency.stored(requestedClaim);
            if (stored.isPresent()) {
                return stored.get().replay();
            }
            Engine.StartedInstance instance =
                    InstanceService.join(start.with(new Companion.ClaimIdempotencyKey(requestedClaim, 202)));
            started.run();
            StoredResponse answer = answer(instance, waitSeconds, address.apply(instance.instance()));
            if (answer.status() != 202 || waitSeconds > 0) {
                keep(requestedClaim, answer);
            }
            return answer.response();
        } finally {
            inFlight.remove(name);
        }
    }

    /** Responds to a change that claimed the key, and stores the instance's current state as the key's response. */
    Response changed(Claim claim, StoredInstance after) {
        StoredResponse answer = views.response(after, 200, InstanceViews.address(after));
        keep(claim, answer);
        return answer.response();
    }

    private void keep(Claim claim, StoredResponse answer) {
        database.change(handle -> IdempotencyKeys.store(handle, claim, answer));
    }

    /**
     * Waits up to the requested time and returns the instance's state.
     *
     * @param address where the caller can read the instance later, included while it is running
     */
    StoredResponse answer(Engine.StartedInstance started, int waitSeconds, String address) throws InterruptedException {
        StoredInstance instance = await(started, waitSeconds);
        return views.response(instance, instance.state().status() == InstanceStatus.RUNNING ? 202 : 200, address);
    }

    private StoredInstance await(Engine.StartedInstance started, int waitSeconds) throws InterruptedException {
        InstanceHeader header = started.instance().header();
        if (waitSeconds == 0 && !started.settled().isDone()) {
            return started.instance();
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
        try {
            return started.settled().get(waitSeconds, TimeUnit.SECONDS);
        } catch (TimeoutException _) {
            return engine.find(header.organization(), header.id()).orElse(started.instance());
        } catch (ExecutionException | CompletionException _) {
            // This node lost the instance; the database shows its state on any node.
            Duration remaining = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            return engine.awaitSettled(header.organization(), header.id(), remaining)
                    .orElse(started.instance());
        }
    }

    /** The list without nulls, which validation has already rejected. */
    static List<String> present(@Nullable List<@Nullable String> values) {
        return values == null
                ? List.of()
                : values.stream().map(Objects::requireNonNull).toList();
    }

    static Map<String, @Nullable Object> present(@Nullable Map<String, @Nullable Object> values) {
        return values == null ? Map.of() : values;
    }
}
