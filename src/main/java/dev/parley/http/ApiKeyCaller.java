package dev.parley.http;

import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who asks by an API key (specification 5). Authentication puts it into the request; every store method gets its
 * organization.
 *
 * @param teamId the key sees only this team's conversations; null sees all
 * @param workflowId the key may use only this workflow; null may use all
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

    /** The same, or empty where nobody had to say who they are. */
    static Optional<ApiKeyCaller> find(RoutingContext request) {
        return Optional.ofNullable(request.get(ATTRIBUTE));
    }

    /** The caller of an authenticated request; authentication has refused all others before. */
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
