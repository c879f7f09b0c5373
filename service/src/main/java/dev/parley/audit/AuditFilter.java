package dev.parley.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.db.Database;
import dev.parley.http.BulkAction;
import dev.parley.http.access.DashboardUser;
import dev.parley.http.filter.RequestFilter;
import dev.parley.http.json.StrictJson;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.id.UuidV7;
import dev.parley.organization.user.UserStore;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.Context;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
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
            AuditTargetReader targets,
            CurrentVertxRequest current,
            RequestOrigin requestOrigin,
            Clock clock) {
        this.database = database;
        this.store = database.statements(AuditStore.class);
        this.targets = targets;
        this.current = current;
        this.requestOrigin = requestOrigin;
        this.clock = clock;
    }

    /** The targets of a request by their ids, as they were before it. */
    private record EarlierTargets(Map<String, AuditTarget> byId) {
        Optional<AuditTarget> find(@Nullable String id) {
            return Optional.ofNullable(id).map(text -> byId.get(canonical(text)));
        }
    }

    /**
     * An action by a person, to be logged.
     *
     * @param before the targets before the request: of a bulk action several, of a creation none
     */
    private record CompletedAction(
            AuditAction action, DashboardUser user, EarlierTargets before, AuditStore.AuditOrigin origin) {}

    /** Reads the targets before they are changed or deleted. */
    @ServerRequestFilter(priority = Priorities.USER + 2)
    public void readTargets(ContainerRequestContext request) throws IOException {
        if (request.getMethod().equals("GET") || Context.isOnEventLoopThread()) {
            return;
        }
        Optional<AuditAction> found = AuditAction.of(request.getMethod(), RequestFilter.path(current.getCurrent()));
        if (found.isPresent()) {
            AuditAction action = found.get();
            request.setProperty(
                    BEFORE, new EarlierTargets(read(action, action.organization(), targetIds(action, request))));
        }
    }

    private List<String> targetIds(AuditAction action, ContainerRequestContext request) throws IOException {
        if (action.bulkId().isPresent()) {
            return bulkIds(action.bulkId().get() + "s", body(request));
        }
        if (action.invites()) {
            return invitedIds(action, body(request));
        }
        String target = action.target();
        return target == null ? List.of() : List.of(target);
    }

    /** The body, which the resource reads again. */
    private static JsonNode body(ContainerRequestContext request) throws IOException {
        byte[] body = request.getEntityStream().readAllBytes();
        request.setEntityStream(new ByteArrayInputStream(body));
        return tree(body);
    }

    /** The id of an invited person who was invited before. */
    private List<String> invitedIds(AuditAction action, JsonNode body) {
        return Optional.ofNullable(action.organization())
                .flatMap(OrganizationId::parse)
                .flatMap(organization -> store.member(
                        organization,
                        UserStore.normalized(body.path("email").asText()).replace("\0", "")))
                .map(UserId::text)
                .stream()
                .toList();
    }

    private static List<String> bulkIds(String member, JsonNode body) {
        JsonNode ids = body.path(member);
        return ids.size() > BulkAction.MAX_IDS
                ? List.of()
                : ids.valueStream()
                        .filter(JsonNode::isTextual)
                        .map(JsonNode::asText)
                        .toList();
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
                    action.creates() && body.path("upload").isObject() ? action.startingUpload() : action,
                    DashboardUser.of(http),
                    request.getProperty(BEFORE) instanceof EarlierTargets before
                            ? before
                            : new EarlierTargets(Map.of()),
                    requestOrigin.of(http));
            Runnable write = () -> write(completed, body);
            if (Context.isOnEventLoopThread()) {
                Thread.ofVirtual().name("audit").start(write);
            } else {
                write.run();
            }
        });
    }

    /** Writes one entry, or one for each resource of a bulk action. */
    private void write(CompletedAction completed, JsonNode body) {
        String target = completed.action.target();
        Optional<String> bulkId = completed.action.bulkId();
        if (bulkId.isPresent()) {
            for (JsonNode result : body.path("results")) {
                if (result.path("succeeded").asBoolean()) {
                    write(completed, result.path(bulkId.get()).asText(), null, Optional.empty());
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
        Optional<AuditTarget> before = completed.before.find(target);
        AuditAction action =
                completed.action.invites() && before.isPresent() ? completed.action.invitingAgain() : completed.action;
        Optional<String> named = Optional.ofNullable(action.organization()).or(() -> createdOrganization);
        Optional<OrganizationId> organization = named.flatMap(OrganizationId::parse);
        if (organization.isEmpty()) {
            return;
        }
        Optional<AuditTarget> after = Optional.ofNullable(target)
                .map(id -> read(action, organization.get().text(), List.of(id)).get(canonical(id)));
        List<AuditChange> changes =
                before.isPresent() || action.creates() ? AuditTarget.changes(before, after) : List.of();
        if (action.isFullyCompared() && before.isPresent() && changes.isEmpty()) {
            return;
        }
        var entry = new AuditStore.NewAuditEntry(
                completed.user.id(),
                completed.user.email(),
                action.name(),
                target,
                after.or(() -> before).map(AuditTarget::name).orElse(name),
                changes,
                completed.origin);
        try {
            database.change(_ -> store(organization.get(), action, entry));
        } catch (RuntimeException e) {
            // The change is committed; reporting a failure would be wrong.
            LOG.errorf(
                    "Cannot write the audit entry %s of %s by %s: %s",
                    action.name(), target, completed.user.id(), e.getMessage());
        }
    }

    private void store(OrganizationId organization, AuditAction action, AuditStore.NewAuditEntry entry) {
        Instant now = clock.instant();
        Optional<AuditEntryId> covering = covering(organization, action, entry, now);
        if (covering.isEmpty()) {
            store.insert(organization, AuditEntryId.next(), now, entry);
        } else if (!entry.changes().isEmpty()) {
            List<AuditChange> merged = AuditChange.merge(store.changes(organization, covering.get()), entry.changes());
            store.continueEntry(organization, covering.get(), now, StrictJson.write(merged));
        }
    }

    /** The entry of an earlier save that covers this one. A new name is visible at once, so it has its own entry. */
    private Optional<AuditEntryId> covering(
            OrganizationId organization, AuditAction action, AuditStore.NewAuditEntry entry, Instant now) {
        if (!action.isRepeated()
                || entry.target() == null
                || entry.changes().stream().anyMatch(change -> change.field().equals(AuditTarget.NAME))) {
            return Optional.empty();
        }
        Instant since = now.minus(AuditStore.MAX_COVERED);
        return store.lockLatestChange(organization, entry, since, UuidV7.floor(since.minus(AuditStore.CLOCK_TOLERANCE)))
                .filter(AuditStore.LatestChange::matches)
                .map(AuditStore.LatestChange::id);
    }

    /** The targets as they are now; none too if they cannot be read, because that must not fail the request. */
    private Map<String, AuditTarget> read(AuditAction action, @Nullable String pathId, List<String> ids) {
        Optional<OrganizationId> organization = Optional.ofNullable(pathId).flatMap(OrganizationId::parse);
        if (organization.isEmpty() || ids.isEmpty()) {
            return Map.of();
        }
        try {
            return targets.read(organization.get(), action.name(), ids, action.parent());
        } catch (RuntimeException e) {
            LOG.errorf("Cannot read the targets %s of %s: %s", ids, action.name(), e.getMessage());
            return Map.of();
        }
    }

    /** An id as the API writes it, because a path may have dashes or capitals. */
    private static String canonical(String id) {
        return UuidV7.parse(id).map(UuidV7::text).orElse(id);
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
