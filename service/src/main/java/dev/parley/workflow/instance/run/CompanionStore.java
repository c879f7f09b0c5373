package dev.parley.workflow.instance.run;

import dev.parley.db.Database;
import dev.parley.event.NewEvent;
import dev.parley.http.IdempotencyKeys;
import dev.parley.message.MessageEvents;
import dev.parley.message.MessageStatus;
import dev.parley.message.run.ProcessingStore;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.view.InstanceViews;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Applies companions in the transaction that stores their change. */
@Singleton
public final class CompanionStore {
    private final MessageEvents events;
    private final InstanceViews views;

    public CompanionStore(MessageEvents events, InstanceViews views) {
        this.events = events;
        this.views = views;
    }

    /** Applies the companion and returns the events to append; an exception rolls back the change. */
    List<NewEvent> apply(Handle handle, Companion companion, StoredInstance after) {
        return switch (companion) {
            case Companion.DeliverMessage delivery -> deliver(handle, delivery, after);
            case Companion.ClaimIdempotencyKey claim -> {
                claim(handle, claim, after);
                yield List.of();
            }
        };
    }

    private List<NewEvent> deliver(Handle handle, Companion.DeliverMessage delivery, StoredInstance after) {
        var instance = after.header().id();
        try {
            MessageStatus before = ProcessingStore.deliverTo(
                            handle.getConnection(),
                            delivery.organization(),
                            delivery.conversation(),
                            delivery.message(),
                            instance)
                    .orElseThrow(() -> ApiProblem.of(ProblemKind.ALREADY_DONE, "The message was already delivered."));
            var delivered = new MessageEvents.ChangedMessage(
                    delivery.organization(),
                    delivery.conversation(),
                    delivery.message(),
                    instance,
                    delivery.isPublished() || before == MessageStatus.PROCESSING);
            return events.updated(handle.getConnection(), List.of(delivered));
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    private void claim(Handle handle, Companion.ClaimIdempotencyKey requested, StoredInstance after) {
        if (!IdempotencyKeys.insert(handle, requested.claim())) {
            throw IdempotencyKeys.inProgress();
        }
        IdempotencyKeys.store(handle, requested.claim(), views.response(after, requested.status()));
    }
}
