package dev.parley.media;

import dev.parley.http.DashboardUser;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Uploads by signed-in members; equivalent to those of the developer API. */
@Path("/dashboard/api/organizations/{orgId}/media/presigned-url")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Dashboard: media")
public final class UploadDashboard {
    private final UploadUrls urls;
    private final MediaStore store;
    private final OrganizationAccess access;

    public UploadDashboard(UploadUrls urls, MediaStore store, OrganizationAccess access) {
        this.urls = urls;
        this.store = store;
        this.access = access;
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Get a URL to upload a file to",
            description = "PUT the file there with the given headers, then use its name in a message or a ticket's "
                    + "answer.")
    @APIResponse(
            responseCode = "201",
            description = "The URL",
            content = @Content(schema = @Schema(implementation = UploadUrls.PresignedUrl.class)))
    @APIResponse(responseCode = "400", description = "A field is wrong, or files of this type are not supported")
    @APIResponse(responseCode = "413", description = "The declared size is above the limit")
    public Response presignedUrl(
            @Context RoutingContext http, @PathParam("orgId") String orgId, UploadUrls.@Nullable PresignRequest body) {
        DashboardUser person = DashboardUser.of(http);
        OrganizationId organization = access.require(person, orgId, Role.MEMBER);
        Upload upload = urls.prepare(
                FileScope.all(organization), person.createdBy(), body == null ? UploadUrls.PresignRequest.NONE : body);
        UploadUrls.PresignedUrl answer = urls.sign(store.insert(upload), http.request());
        return Response.status(Response.Status.CREATED).entity(answer).build();
    }
}
