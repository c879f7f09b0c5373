package dev.parley.media;

import dev.parley.http.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The files of an organization, for its signed-in members. */
@Path("/dashboard/api/organizations/{orgId}/media/files")
@Produces(MediaType.WILDCARD)
@RunOnVirtualThread
@Tag(name = "Dashboard: media")
public final class MediaDashboard {
    private final FileDownloads downloads;
    private final OrganizationAccess access;

    public MediaDashboard(FileDownloads downloads, OrganizationAccess access) {
        this.downloads = downloads;
        this.access = access;
    }

    @GET
    @Path("/{path:.+}")
    @Operation(summary = "Download a file", description = "Of a message: the path stands in its metadata, file.path.")
    @APIResponse(
            responseCode = "200",
            description = "The file, as an attachment",
            content = @Content(mediaType = "*/*", schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @APIResponse(
            responseCode = "206",
            description = "The part that Range asks for",
            content = @Content(mediaType = "*/*", schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @APIResponse(responseCode = "304", description = "The file is the one of If-None-Match")
    @APIResponse(responseCode = "416", description = "The file has no such part")
    public Response file(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("path") String path) {
        return answer(http, orgId, true);
    }

    @HEAD
    @Path("/{path:.+}")
    @Operation(hidden = true)
    public Response head(
            @Context RoutingContext http, @PathParam("orgId") String orgId, @PathParam("path") String path) {
        return answer(http, orgId, false);
    }

    private Response answer(RoutingContext http, String orgId, boolean withBody) {
        OrganizationId organization = access.require(DashboardUser.of(http), orgId, Role.MEMBER);
        return downloads.answer(FileScope.all(organization), http.request(), withBody);
    }
}
