package dev.parley.webhook;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jdbi.v3.core.mapper.Nested;

/** An endpoint with its latest deliveries. */
public record WebhookEndpointDetails(
        @JsonUnwrapped @Nested WebhookEndpoint endpoint,
        @Nested EndpointActivity activity) {}
