package dev.parley.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.http.RequestFilter;
import dev.parley.http.StrictJson;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.Context;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.time.Clock;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Logs every change made through the dashboard's API in the organization's audit log, before the response is sent. It
 * is a filter rather than code in each feature, so that no feature can omit it; the cost is that a node that dies
 * between a change and its response leaves the change unlogged. The target is read before and after the request, so a
 * concurrent change of the same resource may appear in both entries.
 */
@Provider
public final class AuditFilter implements ContainerResponseFilter {
    private static final Logger LOG = Logger.getLogger(AuditFilter.class);

    private static final String BEFORE = AuditFilter.class.getName() + ".before";

    private final Database database;
    private final AuditStore store;
    private final AuditTargetReader targets;
    private final CurrentVertxRequest current;
    private final RequestOrigin requestOrigin;
    private final Clock clock;

    public AuditFilter(
            Database database,
            AuditStore store,
            AuditTargetReader targets,
            CurrentVertxRequest current,
            RequestOrigin requestOrigin,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.targets = targets;
        this.current = current;
        this.requestOrigin = requestOrigin;
        this.clock = clock;
    }

    /**
     * An action by a person, to be logged.
     *
     * @param before the target before the request
     */
    private record CompletedAction(
            AuditAction action, DashboardUser person, Optional<AuditTarget> before, AuditStore.AuditOrigin origin) {}

    /** Reads the target before it is changed or deleted. The resource checks afterwards whether the user may. */
    @ServerRequestFilter(priority = Priorities.USER + 1)
    public void readTarget(ContainerRequestContext request) {
        if (request.getMethod().equals("GET") || Context.isOnEventLoopThread()) {
            return;
        }
        AuditAction.of(request.getMethod(), RequestFilter.path(current.getCurrent()))
                .ifPresent(action -> read(action, action.organization(), action.target())
                        .ifPresent(target -> request.setProperty(BEFORE, target)));
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getStatus() >= 400 || request.getMethod().equals("GET")) {
            return;
        }
        RoutingContext http = current.getCurrent();
        AuditAction.of(request.getMethod(), RequestFilter.path(http)).ifPresent(action -> {
            JsonNode body = action.target() == null && response.hasEntity()
                    ? tree(response.getEntity())
                    : MissingNode.getInstance();
            var completed = new CompletedAction(
                    action,
                    DashboardUser.of(http),
                    Optional.ofNullable((AuditTarget) request.getProperty(BEFORE)),
                    requestOrigin.of(http));
            Runnable write = () -> write(completed, body);
            if (Context.isOnEventLoopThread()) {
                Thread.ofVirtual().name("audit").start(write);
            } else {
                write.run();
            }
        });
    }

    /** Writes one entry, or one for each ticket of a bulk action. */
    private void write(CompletedAction completed, JsonNode body) {
        String target = completed.action.target();
        JsonNode results = body.path("results");
        if (target == null && results.isArray()) {
            for (JsonNode result : results) {
                if (result.path("succeeded").asBoolean()) {
                    write(completed, result.path("ticket_id").asText(), null, Optional.empty());
                }
            }
        } else {
            String id = target == null ? createdId(body) : target;
            // An upload has no id.
            String name =
                    body.path("filename").isTextual() ? body.path("filename").asText() : null;
            write(completed, id, name, Optional.ofNullable(completed.action.organization() == null ? id : null));
        }
    }

    /** @param name the name of a target that cannot be read by its id */
    private void write(
            CompletedAction completed,
            @Nullable String target,
            @Nullable String name,
            Optional<String> createdOrganization) {
        AuditAction action = completed.action;
        Optional<String> named = Optional.ofNullable(action.organization()).or(() -> createdOrganization);
        Optional<OrganizationId> organization = named.flatMap(OrganizationId::parse);
        if (organization.isEmpty()) {
            return;
        }
        Optional<AuditTarget> after = read(action, organization.get().text(), target);
        List<AuditChange> changes = completed.before.isPresent() || action.creates()
                ? AuditTarget.changes(completed.before, after)
                : List.of();
        var entry = new AuditStore.NewAuditEntry(
                completed.person.id(),
                completed.person.email(),
                action.name(),
                target,
                after.or(() -> completed.before).map(AuditTarget::name).orElse(name),
                changes,
                completed.origin);
        try {
            database.change(handle -> covering(handle, organization.get(), action, entry)
                    .ifPresentOrElse(
                            earlier -> store.continueEntry(handle, organization.get(), earlier, changes),
                            () -> store.add(handle, organization.get(), entry)));
        } catch (RuntimeException e) {
            // The change is committed; reporting a failure would be wrong.
            LOG.errorf(
                    "Cannot write the audit entry %s of %s by %s: %s",
                    action.name(), target, completed.person.id(), e.getMessage());
        }
    }

    /** The entry of an earlier save that covers this one. A new name is visible at once, so it has its own entry. */
    private Optional<AuditEntryId> covering(
            Handle handle, OrganizationId organization, AuditAction action, AuditStore.NewAuditEntry entry) {
        String target = entry.target();
        if (!action.isRepeated()
                || target == null
                || entry.changes().stream().anyMatch(change -> change.field().equals(AuditTarget.NAME))) {
            return Optional.empty();
        }
        return store.lockLatestChange(
                handle,
                organization,
                entry.user(),
                entry.action(),
                target,
                clock.instant().minus(AuditStore.MAX_COVERED));
    }

    /** The target as it is now; empty too if it cannot be read, because that must not fail the request. */
    private Optional<AuditTarget> read(AuditAction action, @Nullable String pathId, @Nullable String target) {
        Optional<OrganizationId> organization = Optional.ofNullable(pathId).flatMap(OrganizationId::parse);
        if (organization.isEmpty() || target == null) {
            return Optional.empty();
        }
        try {
            return database.with(
                    handle -> targets.read(handle, organization.get(), action.name(), target, action.parent()));
        } catch (RuntimeException e) {
            LOG.errorf("Cannot read the target %s of %s: %s", target, action.name(), e.getMessage());
            return Optional.empty();
        }
    }

    /** The id of the resource in the response, or of its member that contains the resource. */
    private static @Nullable String createdId(JsonNode response) {
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
