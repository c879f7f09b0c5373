package dev.parley.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.http.DashboardUser;
import dev.parley.http.RequestFilter;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.Context;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Logs every change made through the dashboard's API in the organization's audit log, before the response is sent. It
 * is a filter rather than code in each feature, so that no feature can omit it; the cost is that a node that dies
 * between a change and its response leaves the change unlogged.
 */
@Provider
public final class AuditFilter implements ContainerResponseFilter {
    private static final Logger LOG = Logger.getLogger(AuditFilter.class);
    private final AuditStore store;
    private final CurrentVertxRequest current;
    private final RequestOrigin requestOrigin;

    public AuditFilter(AuditStore store, CurrentVertxRequest current, RequestOrigin requestOrigin) {
        this.store = store;
        this.current = current;
        this.requestOrigin = requestOrigin;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getStatus() >= 400 || request.getMethod().equals("GET")) {
            return;
        }
        RoutingContext http = current.getCurrent();
        AuditAction.of(request.getMethod(), RequestFilter.path(http)).ifPresent(action -> {
            boolean idIsInResponse = action.target() == null && response.hasEntity();
            add(http, DashboardUser.of(http), action, idIsInResponse ? createdId(response.getEntity()) : null);
        });
    }

    private void add(RoutingContext http, DashboardUser person, AuditAction action, @Nullable String createdId) {
        String named = action.organization() == null ? createdId : action.organization();
        Optional<OrganizationId> organization = Optional.ofNullable(named).flatMap(OrganizationId::parse);
        String target = action.target() == null ? createdId : action.target();
        AuditStore.AuditOrigin origin = requestOrigin.of(http);
        organization.ifPresent(found -> {
            Runnable write = () -> write(found, person, action, target, origin);
            if (Context.isOnEventLoopThread()) {
                Thread.ofVirtual().name("audit").start(write);
            } else {
                write.run();
            }
        });
    }

    private void write(
            OrganizationId organization,
            DashboardUser person,
            AuditAction action,
            @Nullable String target,
            AuditStore.AuditOrigin origin) {
        try {
            store.add(organization, person, action.name(), target, origin);
        } catch (RuntimeException e) {
            // The change is committed; reporting a failure would be wrong.
            LOG.errorf(
                    "Cannot write the audit entry %s of %s by %s: %s",
                    action.name(), target, person.id(), e.getMessage());
        }
    }

    /** The id of the resource in the response, or of its member that contains the resource. */
    private static @Nullable String createdId(@Nullable Object entity) {
        JsonNode response = tree(entity);
        String id = id(response);
        Iterator<JsonNode> members = response.isObject() ? response.elements() : Collections.emptyIterator();
        while (id == null && members.hasNext()) {
            id = id(members.next());
        }
        return id;
    }

    private static JsonNode tree(@Nullable Object entity) {
        try {
            return switch (entity) {
                case null -> MissingNode.getInstance();
                case String written -> StrictJson.mapper().readTree(written);
                case byte[] written -> StrictJson.mapper().readTree(written);
                default -> StrictJson.mapper().valueToTree(entity);
            };
        } catch (IOException _) {
            return MissingNode.getInstance();
        }
    }

    private static @Nullable String id(JsonNode node) {
        JsonNode id = node.path("id");
        return id.isValueNode() && !id.isNull() ? id.asText() : null;
    }
}
