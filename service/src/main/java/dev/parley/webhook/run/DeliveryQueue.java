package dev.parley.webhook.run;

import dev.parley.id.OrganizationId;
import dev.parley.work.WorkGroup;
import java.net.URI;
import java.util.Locale;
import java.util.UUID;

/**
 * An ordered queue of deliveries: one stream of events to one target.
 *
 * @param target the endpoint, or the conversation for its callback
 * @param id the stream, or the delivery for a replay
 */
public record DeliveryQueue(OrganizationId organization, UUID target, UUID id) implements Comparable<DeliveryQueue> {
    /** The order in which transactions lock queues. */
    @Override
    public int compareTo(DeliveryQueue other) {
        int byOrganization = organization.value().compareTo(other.organization.value());
        if (byOrganization != 0) {
            return byOrganization;
        }
        int byTarget = target.compareTo(other.target);
        return byTarget != 0 ? byTarget : id.compareTo(other.id);
    }

    /** The unit of concurrency limits: an organization's deliveries to one origin. */
    WorkGroup group(String receiver) {
        return new WorkGroup(organization, receiver);
    }

    /** The receiver of a URL that the egress rules allow: its scheme, host and port. */
    public static String receiver(String url) {
        URI uri = URI.create(url);
        return (uri.getScheme() + "://" + uri.getRawAuthority()).toLowerCase(Locale.ROOT);
    }
}
