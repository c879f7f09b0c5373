package dev.parley.media;

import static dev.parley.http.access.Access.Caller.KEY;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.access.Access;
import dev.parley.http.access.Viewer;
import dev.parley.http.json.StrictJson;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Uploads and downloads, for API keys and for dashboard users. Each nested class mounts the routes of one API. */
@RunOnVirtualThread
public abstract class MediaResource {
    private static final String DOWNLOAD_TEXT =
            "The path is `file.path` in the message's metadata. Range requests are supported.";
    private static final String ROUTE = "POST /media/presigned-url";

    private final UploadService uploads;
    private final FileDownloads downloads;
    private final IdempotencyKeys idempotency;

    MediaResource(UploadService uploads, FileDownloads downloads, IdempotencyKeys idempotency) {
        this.uploads = uploads;
        this.downloads = downloads;
        this.idempotency = idempotency;
    }

    @POST
    @Path("/presigned-url")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "createUploadUrl",
            summary = "Create an upload URL",
            description = "PUT the file to the returned URL with the given headers, then use its name in a "
                    + "message or a ticket answer.")
    @APIResponse(
            responseCode = "201",
            description = "The URL",
            content = @Content(schema = @Schema(implementation = UploadService.PresignedUrl.class)))
    @APIResponse(responseCode = "400", description = "A field is invalid, or files of this type are not supported")
    @APIResponse(responseCode = "413", description = "The declared size is above the limit")
    public Response presignedUrl(@Context RoutingContext http, UploadService.PresignRequest request) {
        Viewer viewer = Viewer.of(http);
        var claim = IdempotencyKeys.claim(viewer, http, ROUTE, request);
        Optional<StoredResponse> stored = claim.flatMap(idempotency::stored);
        if (stored.isPresent()) {
            return stored.get().replay();
        }
        Upload upload = uploads.prepare(FileScope.of(viewer), viewer.createdBy(), request);
        return idempotency.once(
                viewer,
                claim,
                _ -> new StoredResponse(
                        201, null, StrictJson.write(uploads.sign(uploads.insert(upload), http.request()))));
    }

    /** The responses of downloads other than the whole file. */
    @APIResponse(
            responseCode = "206",
            description = "The requested range",
            content = @Content(mediaType = "*/*", schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @APIResponse(responseCode = "304", description = "The file matches If-None-Match")
    @APIResponse(responseCode = "416", description = "The range is outside the file")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface FileDownloadResponses {}

    @HEAD
    @Path("/files/{path:.+}")
    @Produces(MediaType.WILDCARD)
    @Operation(hidden = true)
    public Response head(@Context RoutingContext http) {
        return downloads.serve(FileScope.of(Viewer.of(http)), http.request(), false);
    }

    Response download(RoutingContext http) {
        return downloads.serve(FileScope.of(Viewer.of(http)), http.request(), true);
    }

    /** Routes of the developer API. */
    @Path("/developer/api/media")
    @RunOnVirtualThread
    @Tag(name = "Media")
    @Access(KEY)
    public static final class DeveloperMediaResource extends MediaResource {
        public DeveloperMediaResource(UploadService uploads, FileDownloads downloads, IdempotencyKeys idempotency) {
            super(uploads, downloads, idempotency);
        }

        @GET
        @Path("/files/{path:.+}")
        @Produces(MediaType.WILDCARD)
        @Operation(summary = "Download a file", description = DOWNLOAD_TEXT)
        @FileDownloadResponses
        @Parameter(
                name = "Range",
                in = ParameterIn.HEADER,
                description = "One range of bytes",
                schema = @Schema(type = SchemaType.STRING))
        @APIResponse(
                responseCode = "200",
                description = "The file, as an attachment",
                headers = {
                    @Header(name = "ETag", schema = @Schema(type = SchemaType.STRING)),
                    @Header(name = "Content-Disposition", schema = @Schema(type = SchemaType.STRING))
                },
                content = @Content(mediaType = "*/*", schema = @Schema(type = SchemaType.STRING, format = "binary")))
        public Response file(@Context RoutingContext http, @PathParam("path") String path) {
            return download(http);
        }
    }

    /** Routes of the dashboard's API. */
    @Path("/dashboard/api/organizations/{orgId}/media")
    @RunOnVirtualThread
    @Tag(name = "Media")
    @Access(MEMBER)
    public static final class DashboardMediaResource extends MediaResource {
        public DashboardMediaResource(UploadService uploads, FileDownloads downloads, IdempotencyKeys idempotency) {
            super(uploads, downloads, idempotency);
        }

        @GET
        @Path("/files/{path:.+}")
        @Produces(MediaType.WILDCARD)
        @Operation(summary = "Download a file", description = DOWNLOAD_TEXT)
        @FileDownloadResponses
        @APIResponse(
                responseCode = "200",
                description = "The file, as an attachment",
                content = @Content(mediaType = "*/*", schema = @Schema(type = SchemaType.STRING, format = "binary")))
        public Response file(@Context RoutingContext http, @PathParam("path") String path) {
            return download(http);
        }
    }
}
