package dev.parley.engine.restate.projection;

import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceKey;
import dev.parley.workflow.instance.store.StoredInstance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The callers of this node that wait until an instance is finished or PAUSED. */
public final class SettledInstances {
    /** The maximum number of instances of one poll, which is one query; the next poll continues after them. */
    private static final int MAX_POLLED = 500;

    private final RestateServices services;
    private final Consumer<StoredInstance> onSettled;
    private final Map<InstanceKey, List<CompletableFuture<StoredInstance>>> waiting = new ConcurrentHashMap<>();
    private Iterator<InstanceKey> unpolled = Collections.emptyIterator();

    public SettledInstances(RestateServices services, Consumer<StoredInstance> onSettled) {
        this.services = services;
        this.onSettled = onSettled;
    }

    /** Completes when the instance is next seen as finished or PAUSED. */
    public CompletableFuture<StoredInstance> next(InstanceKey key) {
        var future = new CompletableFuture<StoredInstance>();
        waiting.compute(key, (_, before) -> {
            List<CompletableFuture<StoredInstance>> all = before == null ? new CopyOnWriteArrayList<>() : before;
            all.add(future);
            return all;
        });
        return future;
    }

    /** Called when the caller stops waiting. */
    public void forget(InstanceKey key, CompletableFuture<StoredInstance> future) {
        future.cancel(false);
        waiting.computeIfPresent(key, (_, all) -> {
            all.removeIf(CompletableFuture::isDone);
            return all.isEmpty() ? null : all;
        });
    }

    /** Called by the handler that stored the change; may be called again. */
    public void settle(StoredInstance instance) {
        complete(instance);
        onSettled.accept(instance);
    }

    private void complete(StoredInstance instance) {
        var key = new InstanceKey(
                instance.header().organization(), instance.header().id());
        List<CompletableFuture<StoredInstance>> found = waiting.remove(key);
        if (found != null) {
            found.forEach(future -> future.complete(instance));
        }
    }

    /** Finds instances that a handler on another node has settled. Called by one thread. */
    public void poll() {
        if (!unpolled.hasNext()) {
            unpolled = waiting.keySet().iterator();
        }
        List<InstanceKey> keys = new ArrayList<>();
        while (unpolled.hasNext() && keys.size() < MAX_POLLED) {
            keys.add(unpolled.next());
        }
        services.projected().statuses(keys).forEach((key, status) -> {
            if (status != InstanceStatus.RUNNING) {
                services.reader().find(key.organization(), key.id()).ifPresent(this::complete);
            }
        });
    }
}
