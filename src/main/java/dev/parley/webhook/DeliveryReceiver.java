package dev.parley.webhook;

import dev.parley.id.OrganizationId;
import java.net.URI;
import java.util.Locale;

/**
 * Who shares the places of deliveries under way: an organization's deliveries to one origin.
 *
 * @param origin scheme, host and port of the URL
 */
record DeliveryReceiver(OrganizationId organization, String origin) {
    /** The origin of a URL that the egress rules have passed. */
    static String origin(String url) {
        URI uri = URI.create(url);
        return (uri.getScheme() + "://" + uri.getRawAuthority()).toLowerCase(Locale.ROOT);
    }
}
