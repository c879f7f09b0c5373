package dev.parley.message.run;

import dev.parley.http.IdempotencyKeys;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.message.NewMessage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A user's message before it is stored. The store assigns its id when it writes it: the later a message gets its id,
 * the less can be stored before it with a greater one.
 */
public final class MessageSubmission {
    private final Optional<NodeId> owner;
    private final Optional<IdempotencyKeys.Claim> claim;
    private volatile NewMessage message;
    private volatile boolean numbered;

    /**
     * @param message its id is replaced by {@link #number}
     * @param owner the node id that holds the conversation, so that the message need not claim it; empty if it must
     * @param claim the idempotency key to claim in the same transaction
     */
    MessageSubmission(NewMessage message, Optional<NodeId> owner, Optional<IdempotencyKeys.Claim> claim) {
        this.message = message;
        this.owner = owner;
        this.claim = claim;
    }

    /** The message, with its final id once it is stored. */
    public NewMessage message() {
        return message;
    }

    Optional<IdempotencyKeys.Claim> claim() {
        return claim;
    }

    /** Whether the conversation must be claimed for the node, whose id may have changed since the submission. */
    boolean claims(NodeId node) {
        return owner.isEmpty() || !owner.get().equals(node);
    }

    void number(MessageId id) {
        message = message.withId(id);
        numbered = true;
    }

    /** The id under which it may be in the database; null before the first attempt to write it. */
    @Nullable
    MessageId id() {
        return numbered ? message.id() : null;
    }
}
