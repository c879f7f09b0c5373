package dev.parley.webhook;

import dev.parley.id.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * What a lane has to do next, as it was read at one moment.
 *
 * @param owner the id under which this node held the lane
 * @param url empty when nothing is to be sent there any more
 * @param isCallback whether the target is a conversation's callback, and no endpoint
 * @param gone whether it is empty since the receiver answered 410
 * @param ownSecrets those of the endpoint; empty where the organization's sign
 * @param lastSequence of the lane
 * @param pending its first deliveries, in order
 */
record DeliveryBatch(
        DeliveryQueue lane,
        NodeId owner,
        Optional<String> url,
        boolean isCallback,
        boolean gone,
        List<SigningSecret> ownSecrets,
        long lastSequence,
        List<PendingDelivery> pending) {
    DeliveryBatch {
        ownSecrets = List.copyOf(ownSecrets);
        pending = List.copyOf(pending);
    }

    /** Whether nothing waits behind what was read. */
    boolean isAll() {
        return pending.isEmpty() || pending.getLast().sequence() >= lastSequence;
    }

    /** Whether it is one delivery that somebody asked for again, beside the order of the others. */
    boolean isReplay(PendingDelivery delivery) {
        return lane.id().equals(delivery.id().value());
    }
}
