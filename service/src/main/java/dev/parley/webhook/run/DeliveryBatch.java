package dev.parley.webhook.run;

import dev.parley.id.NodeId;
import dev.parley.webhook.secret.SigningSecret;
import dev.parley.work.WorkGroup;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The next deliveries of a queue, read in one snapshot.
 *
 * @param owner the id under which this node owned the queue
 * @param receiver shares limits with its other queues
 * @param url empty if nothing is to be sent there any more
 * @param isCallback whether the target is a conversation's callback rather than an endpoint
 * @param receiverGone whether the url is empty because the receiver returned 410
 * @param secrets those of the endpoint, else the organization's
 * @param lastSequence of the queue
 * @param planned the time of the next attempt according to the schedule, if a manual retry made the queue due earlier
 * @param pending its first deliveries, in order
 */
record DeliveryBatch(
        DeliveryQueue queue,
        NodeId owner,
        WorkGroup receiver,
        Optional<String> url,
        boolean isCallback,
        boolean receiverGone,
        List<SigningSecret> secrets,
        long lastSequence,
        Optional<Instant> planned,
        List<PendingDelivery> pending) {
    DeliveryBatch {
        secrets = List.copyOf(secrets);
    }

    DeliveryBatch withSecrets(List<SigningSecret> signing) {
        return new DeliveryBatch(
                queue, owner, receiver, url, isCallback, receiverGone, signing, lastSequence, planned, pending);
    }

    /** Whether nothing is queued behind this batch. */
    boolean isAll() {
        return pending.isEmpty() || pending.getLast().sequence() >= lastSequence;
    }

    /**
     * The planned time of the delivery's next attempt, if this one is a manual retry. Only a delivery that has been tried
     * pauses its queue, so the time never applies to one that follows it.
     */
    Optional<Instant> plannedAfter(PendingDelivery delivery, Instant now) {
        return delivery.tries() == 0 ? Optional.empty() : planned.filter(now::isBefore);
    }

    /** Whether it is a replay, which is outside of the order of the others. */
    boolean isReplay(PendingDelivery delivery) {
        return queue.id().equals(delivery.id().value());
    }
}
