package dev.parley.workflow.instance.api;

import dev.parley.event.Event;
import dev.parley.event.EventType;
import dev.parley.event.sse.SseBroker.SseStream;
import dev.parley.event.sse.SseBroker.StreamGuard;
import dev.parley.http.json.StrictJson;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.store.StoredInstance;
import jakarta.inject.Singleton;

/** The live stream of an instance: it ends with the event of a terminal status. */
@Singleton
public final class LiveInstances {
    private final InstanceReader reader;

    public LiveInstances(InstanceReader reader) {
        this.reader = reader;
    }

    SseStream subject(StoredInstance instance, StreamGuard guard) {
        InstanceHeader header = instance.header();
        return SseStream.ofInstance(
                header.organization(),
                header.conversation(),
                header.id(),
                LiveInstances::endsIt,
                () -> isOver(header),
                guard);
    }

    /** Reads the database, in which the end is visible as soon as its event. */
    private boolean isOver(InstanceHeader header) {
        return reader.find(header.organization(), header.id())
                .filter(found -> !found.state().status().isTerminal())
                .isEmpty();
    }

    private static boolean endsIt(Event event) {
        return event.type() == EventType.INSTANCE_STATUS_CHANGED
                && InstanceStatus.valueOf(String.valueOf(
                                StrictJson.readObject(event.data()).get("status")))
                        .isTerminal();
    }
}
