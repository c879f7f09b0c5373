package dev.parley.webhook;

import dev.parley.id.OrganizationId;
import java.net.URI;
import java.util.Locale;

/**
 * The unit of concurrency limits: an organization's deliveries to one origin.
 *
 * @param origin scheme, host and port of the URL
 */
record DeliveryReceiver(OrganizationId organization, String origin) {
    /** The origin of a URL that the egress rules allow. */
    static String origin(String url) {
        URI uri = URI.create(url);
        return (uri.getScheme() + "://" + uri.getRawAuthority()).toLowerCase(Locale.ROOT);
    }
}
