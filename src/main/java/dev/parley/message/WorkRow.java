package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.id.MessageId;
import dev.parley.id.NodeId;
import dev.parley.message.ProcessingStore.Work;
import java.util.Optional;

/**
 * What a lane knows of its conversation's work row, which other nodes write to as well: they may store messages under
 * ids that are older than what the lane has read, since each node has its own clock.
 */
final class WorkRow {
    private final ProcessingStore store;
    private final ConversationRef conversation;
    private final NodeId owner;
    private boolean read;
    private int version;

    WorkRow(ProcessingStore store, ConversationRef conversation, NodeId owner) {
        this.store = store;
        this.conversation = conversation;
        this.owner = owner;
    }

    /** Where a new lane must begin, so that what comes does not overtake what waited before; empty afterwards. */
    synchronized Optional<MessageId> first() {
        return read ? Optional.empty() : readAgain();
    }

    /**
     * Where the lane must go back to when the row has another version than before: a client may have had an older
     * message acknowledged before it sent what the lane has just read.
     */
    synchronized Optional<MessageId> changed(int now) {
        return now == version ? Optional.empty() : readAgain();
    }

    private Optional<MessageId> readAgain() {
        Optional<Work> work = store.work(owner, conversation);
        read = true;
        version = work.map(Work::version).orElse(0);
        return work.map(Work::from);
    }
}
