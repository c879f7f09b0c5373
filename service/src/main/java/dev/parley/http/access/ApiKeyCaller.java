package dev.parley.http.access;

import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The caller of an API request, identified by an API key. Authentication adds it to the request; every store method
 * gets its organization.
 *
 * @param teamId the only team whose conversations the key may see; null for all
 * @param workflowId the only workflow that the key may use; null for all
 * @param messagesPerMinute the organization's limit
 */
public record ApiKeyCaller(
        OrganizationId organization,
        ApiKeyId key,
        @Nullable Integer teamId,
        @Nullable WorkflowId workflowId,
        int messagesPerMinute)
        implements Viewer {
    private static final String ATTRIBUTE = "parley.caller";

    public void attach(RoutingContext request) {
        request.put(ATTRIBUTE, this);
    }

    /** The caller, or empty if the route needs no authentication. */
    public static Optional<ApiKeyCaller> find(RoutingContext request) {
        return Optional.ofNullable(request.get(ATTRIBUTE));
    }

    /** The caller of an authenticated request; authentication has already rejected all others. */
    public static ApiKeyCaller of(RoutingContext request) {
        ApiKeyCaller caller = request.get(ATTRIBUTE);
        if (caller == null) {
            throw new IllegalStateException("no authentication ran for " + request.normalizedPath());
        }
        return caller;
    }

    @Override
    public String createdBy() {
        return "api_key:" + key.text();
    }
}
