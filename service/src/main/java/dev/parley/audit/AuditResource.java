package dev.parley.audit;

import static dev.parley.http.access.Access.Caller.ADMIN;

import dev.parley.audit.AuditEntry.ListedAuditEntry;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.access.Access;
import dev.parley.id.AuditEntryId;
import dev.parley.organization.MemberRequest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The audit log in the dashboard: read-only, for owners and admins. */
@Path("/dashboard/api/organizations/{orgId}/audit-log")
@RunOnVirtualThread
@Tag(name = "Audit log")
@Access(ADMIN)
public final class AuditResource {
    private static final String CSV = "text/csv";

    private final AuditLog log;
    private final AuditExport export;

    AuditResource(AuditLog log, AuditExport export) {
        this.log = log;
        this.export = export;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "listAuditEntries",
            summary = "Read the audit log",
            description =
                    "Changes with user, action, target, changed fields, time and address, newest first. Saves of one "
                            + "draft by one person within an hour share an entry.")
    public Page<ListedAuditEntry> list(
            @BeanParam MemberRequest member, @BeanParam AuditFilterParameters parameters, @BeanParam PageRequest page) {
        return page.page(
                log.list(member.organization(), parameters.filter(), page.after(AuditEntryId::parse), page.rows()),
                listed -> listed.entry().id().text());
    }

    @GET
    @Path("/export")
    @Produces(CSV)
    @Operation(
            operationId = "exportAuditLog",
            summary = "Export the audit log",
            description = "The newest " + AuditExport.MAX_ENTRIES + " entries that match the filters, as CSV in UTF-8. "
                    + "Values that a spreadsheet would take for a formula begin with an apostrophe.")
    @APIResponse(
            responseCode = "200",
            description = "The entries, newest first",
            headers = @Header(name = "Content-Disposition", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(mediaType = CSV, schema = @Schema(type = SchemaType.STRING)))
    public Response export(@BeanParam MemberRequest member, @BeanParam AuditFilterParameters parameters) {
        return Response.ok(export.stream(member.organization(), parameters.filter()), CSV + ";charset=UTF-8")
                .header("Content-Disposition", "attachment; filename=\"audit-log.csv\"")
                .build();
    }
}
