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
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The audit log in the dashboard: read-only, for owners and admins. */
@Path("/dashboard/api/organizations/{orgId}/audit-log")
@RunOnVirtualThread
@Tag(name = "Audit log")
public final class AuditResource {
    private static final int MAX_TARGET_LENGTH = 300;
    private static final String CSV = "text/csv";

    private final AuditLog log;
    private final AuditExport export;
    private final OrganizationAccess access;

    AuditResource(AuditLog log, AuditExport export, OrganizationAccess access) {
        this.log = log;
        this.export = export;
        this.access = access;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Read the audit log",
            description =
                    "Changes with user, action, target, changed fields, time and address, newest first. Saves of one "
                            + "draft by one person within an hour share an entry.")
    public Page<AuditEntry> list(
            @PathParam("orgId") String orgId,
            @Parameter(description = "Only actions of this person") @QueryParam("user_id") @Nullable String userId,
            @Parameter(description = "Only this action, such as api-keys.create, or all of a kind, such as api-keys")
                    @QueryParam("action")
                    @Nullable
                    String action,
            @Parameter(description = "The target's id, or part of its name in any case") @QueryParam("target") @Nullable
                    String target,
            @Parameter(description = "From this time on, RFC 3339; also entries that cover a later save")
                    @QueryParam("since")
                    @Nullable
                    String since,
            @Parameter(description = "Before this time, RFC 3339") @QueryParam("until") @Nullable String until,
            @Parameter(
                            description = "Whether actions that only use something, such as sending a message or trying"
                                    + " a tool, are left out",
                            schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
                    @QueryParam("changes_only")
                    @Nullable
                    String changesOnly,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        AuditStore.AuditQuery filter = filter(userId, action, target, since, until, changesOnly);
        int max = Page.limit(limit);
        return Page.of(log.list(id, filter, Page.after(after, AuditEntryId::parse), max + 1), max, entry -> entry.id()
                .text());
    }

    @GET
    @Path("/export")
    @Produces(CSV)
    @Operation(
            summary = "Export the audit log",
            description = "The newest " + AuditExport.MAX_ENTRIES + " entries that match the filters, as CSV in UTF-8. "
                    + "Values that a spreadsheet would take for a formula begin with an apostrophe.")
    @APIResponse(
            responseCode = "200",
            description = "The entries, newest first",
            headers = @Header(name = "Content-Disposition", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(mediaType = CSV, schema = @Schema(type = SchemaType.STRING)))
    public Response export(
            @PathParam("orgId") String orgId,
            @Parameter(description = "Only actions of this person") @QueryParam("user_id") @Nullable String userId,
            @Parameter(description = "Only this action, such as api-keys.create, or all of a kind, such as api-keys")
                    @QueryParam("action")
                    @Nullable
                    String action,
            @Parameter(description = "The target's id, or part of its name in any case") @QueryParam("target") @Nullable
                    String target,
            @Parameter(description = "From this time on, RFC 3339; also entries that cover a later save")
                    @QueryParam("since")
                    @Nullable
                    String since,
            @Parameter(description = "Before this time, RFC 3339") @QueryParam("until") @Nullable String until,
            @Parameter(
                            description = "Whether actions that only use something, such as sending a message or trying"
                                    + " a tool, are left out",
                            schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
                    @QueryParam("changes_only")
                    @Nullable
                    String changesOnly,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        AuditStore.AuditQuery filter = filter(userId, action, target, since, until, changesOnly);
        return Response.ok(export.stream(id, filter), CSV + ";charset=UTF-8")
                .header("Content-Disposition", "attachment; filename=\"audit-log.csv\"")
                .build();
    }

    private static AuditStore.AuditQuery filter(
            @Nullable String userId,
            @Nullable String action,
            @Nullable String target,
            @Nullable String since,
            @Nullable String until,
            @Nullable String changesOnly) {
        var validator = new RequestValidator();
        validator.requireParameter(
                target == null || (target.length() <= MAX_TARGET_LENGTH && target.indexOf('\0') < 0),
                "target",
                "'target' must have at most " + MAX_TARGET_LENGTH + " characters, without NUL.");
        validator.requireParameter(
                action == null || action.indexOf('\0') < 0, "action", "'action' must not contain NUL.");
        var filter = new AuditStore.AuditQuery(
                validator.parameterId(userId, "user_id", UserId::parse),
                Optional.ofNullable(action),
                Optional.ofNullable(target).map(String::strip),
                validator.parameterTime(since, "since"),
                validator.parameterTime(until, "until"),
                validator.parameterFlag(changesOnly, "changes_only"));
        validator.done();
        return filter;
    }
}
