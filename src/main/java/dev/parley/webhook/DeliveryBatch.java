package dev.parley.webhook;

import dev.parley.id.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * The next deliveries of a queue, read in one snapshot.
 *
 * @param owner the id under which this node owned the queue
 * @param url empty if nothing is to be sent there any more
 * @param isCallback whether the target is a conversation's callback rather than an endpoint
 * @param receiverGone whether the url is empty because the receiver returned 410
 * @param ownSecrets those of the endpoint; empty if the organization's are used
 * @param lastSequence of the queue
 * @param pending its first deliveries, in order
 */
record DeliveryBatch(
        DeliveryQueue queue,
        NodeId owner,
        Optional<String> url,
        boolean isCallback,
        boolean receiverGone,
        List<SigningSecret> ownSecrets,
        long lastSequence,
        List<PendingDelivery> pending) {
    DeliveryBatch {
        ownSecrets = List.copyOf(ownSecrets);
        pending = List.copyOf(pending);
    }

    /** Whether nothing is queued behind this batch. */
    boolean isAll() {
        return pending.isEmpty() || pending.getLast().sequence() >= lastSequence;
    }

    /** Whether it is a replay, which is outside of the order of the others. */
    boolean isReplay(PendingDelivery delivery) {
        return queue.id().equals(delivery.id().value());
    }
}
