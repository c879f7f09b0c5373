package dev.parley.audit;

import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.AuditEntryId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The audit log in the dashboard: read-only, for owners and admins. */
@Path("/dashboard/api/organizations/{orgId}/audit-log")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Audit log")
public final class AuditResource {
    private final AuditStore store;
    private final OrganizationAccess access;

    AuditResource(AuditStore store, OrganizationAccess access) {
        this.store = store;
        this.access = access;
    }

    @GET
    @Operation(
            summary = "Read the audit log",
            description = "Changes with user, action, time and address, newest first.")
    public Page<AuditEntry> list(
            @PathParam("orgId") String orgId,
            @Parameter(description = "Only actions of this person") @QueryParam("user_id") @Nullable String userId,
            @Parameter(description = "Only this action, such as api-keys.create") @QueryParam("action") @Nullable
                    String action,
            @Parameter(description = "From this time on, RFC 3339") @QueryParam("since") @Nullable String since,
            @Parameter(description = "Before this time, RFC 3339") @QueryParam("until") @Nullable String until,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        var checks = new RequestValidator();
        var filter = new AuditStore.AuditQuery(
                checks.parameterId(userId, "user_id", UserId::parse),
                Optional.ofNullable(action),
                checks.parameterTime(since, "since"),
                checks.parameterTime(until, "until"));
        checks.done();
        int max = Page.limit(limit);
        return Page.of(store.list(id, filter, Page.after(after, AuditEntryId::parse), max + 1), max, entry -> entry.id()
                .text());
    }
}
