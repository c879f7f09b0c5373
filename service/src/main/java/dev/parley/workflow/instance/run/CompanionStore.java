package dev.parley.workflow.instance.run;

import dev.parley.conversation.ConversationActivityRecorder;
import dev.parley.db.Database;
import dev.parley.event.NewEvent;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.message.MessageEvents;
import dev.parley.message.MessageRows;
import dev.parley.message.MessageStatus;
import dev.parley.message.MessageType;
import dev.parley.message.NewMessage;
import dev.parley.message.run.ProcessingStore;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.instance.store.Companion;
import dev.parley.workflow.instance.store.InstanceChange;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.instance.view.InstanceViews;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** Applies companions in the transaction that stores their change. */
@Singleton
public final class CompanionStore {
    private final MessageEvents events;
    private final InstanceViews views;
    private final ConversationActivityRecorder activity;

    public CompanionStore(MessageEvents events, InstanceViews views, ConversationActivityRecorder activity) {
        this.events = events;
        this.views = views;
        this.activity = activity;
    }

    /** What the start of an instance requires of its conversation. */
    interface ConversationTurnStore {
        /** Locks the conversation, so that its messages are stored one after another (docs/decisions/0120). */
        @SqlUpdate("""
                UPDATE conversation SET newest_message = GREATEST(newest_message, :message)
                WHERE organization_id = :organization AND id = :conversation""")
        void moveNewest(OrganizationId organization, ConversationId conversation, MessageId message);

        /** Whether the conversation has a message that is not earlier, or an unfinished instance besides this one. */
        @SqlQuery("""
                SELECT EXISTS (
                    SELECT FROM message
                    WHERE organization_id = :organization AND conversation_id = :conversation AND id >= :message)
                OR EXISTS (
                    SELECT FROM workflow_instance
                    WHERE organization_id = :organization AND conversation_id = :conversation
                      AND conversation_id IS NOT NULL AND status IN ('RUNNING', 'PAUSED') AND id <> :instance)""")
        boolean isContinued(
                OrganizationId organization,
                ConversationId conversation,
                MessageId message,
                WorkflowInstanceId instance);
    }

    /** Locks the conversations of messages that the changes store, in the order of all statements that lock several. */
    void lockConversations(Handle handle, List<InstanceChange> changes) {
        var turns = handle.attach(ConversationTurnStore.class);
        changes.stream()
                .map(InstanceChange::companion)
                .filter(Companion.StoreMessage.class::isInstance)
                .map(Companion.StoreMessage.class::cast)
                .sorted(Comparator.comparing(one -> one.conversation().value()))
                .forEach(one -> turns.moveNewest(one.organization(), one.conversation(), one.message()));
    }

    /**
     * Applies the companion, whose conversation is locked, and returns the events to append; an exception rolls back the
     * change.
     */
    List<NewEvent> apply(Handle handle, Companion companion, StoredInstance after) {
        return switch (companion) {
            case Companion.DeliverMessage delivery -> deliver(handle, delivery, after);
            case Companion.ClaimIdempotencyKey requested -> {
                claim(handle, requested.claim(), views.response(after, requested.status()));
                yield List.of();
            }
            case Companion.StoreMessage message -> store(handle, message, after);
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
                    delivery.isPublished() || before == MessageStatus.PROCESSING,
                    after.header().trace());
            return events.updated(handle.getConnection(), List.of(delivered));
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }

    private static void claim(Handle handle, IdempotencyKeys.Claim claim, StoredResponse answer) {
        if (!IdempotencyKeys.insert(handle, claim)) {
            throw IdempotencyKeys.inProgress();
        }
        IdempotencyKeys.store(handle, claim, answer);
    }

    private List<NewEvent> store(Handle handle, Companion.StoreMessage given, StoredInstance after) {
        if (given.claim() != null) {
            claim(handle, given.claim(), new StoredResponse(200, null, StrictJson.write(given.address())));
        }
        var turns = handle.attach(ConversationTurnStore.class);
        var instance = after.header().id();
        if (turns.isContinued(given.organization(), given.conversation(), given.message(), instance)) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "Another message has continued the conversation.");
        }
        var message = NewMessage.serviceText(
                        given.organization(),
                        given.conversation(),
                        MessageType.USER_INPUT,
                        given.content(),
                        instance,
                        null,
                        given.createdBy())
                .withId(given.message());
        try {
            MessageRows.insert(handle.getConnection(), List.of(message));
            Database.afterCommit(() -> activity.add(given.organization(), given.conversation(), given.message()));
            return events.created(handle.getConnection(), List.of(message));
        } catch (SQLException e) {
            throw Database.translate(e);
        }
    }
}
