package dev.parley.media;

import dev.parley.http.ApiKeyCaller;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.IdempotencyKeys.StoredResponse;
import dev.parley.http.StrictJson;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
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
import org.jspecify.annotations.Nullable;

/** Media of the developer API. */
@Path("/developer/api/media")
@RunOnVirtualThread
@Tag(name = "Media")
public final class MediaResource {
    private static final String ROUTE = "POST /media/presigned-url";

    private final UploadUrls urls;
    private final MediaStore store;
    private final FileDownloads downloads;
    private final IdempotencyKeys idempotency;

    public MediaResource(UploadUrls urls, MediaStore store, FileDownloads downloads, IdempotencyKeys idempotency) {
        this.urls = urls;
        this.store = store;
        this.downloads = downloads;
        this.idempotency = idempotency;
    }

    @POST
    @Path("/presigned-url")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Get a URL to upload a file to",
            description = "PUT the file there with the given headers, then name it in POST /messages.")
    @APIResponse(
            responseCode = "201",
            description = "The URL",
            content = @Content(schema = @Schema(implementation = UploadUrls.PresignedUrl.class)))
    @APIResponse(responseCode = "400", description = "A field is wrong, or files of this type are not supported")
    @APIResponse(responseCode = "413", description = "The declared size is above the limit")
    public Response presignedUrl(
            @Context RoutingContext http,
            @HeaderParam(IdempotencyKeys.HEADER) @Nullable String idempotencyKey,
            UploadUrls.@Nullable PresignRequest body) {
        ApiKeyCaller caller = ApiKeyCaller.of(http);
        UploadUrls.PresignRequest request = body == null ? UploadUrls.PresignRequest.NONE : body;
        var claim = IdempotencyKeys.claim(caller, ROUTE, idempotencyKey, request);
        Optional<StoredResponse> stored = claim.flatMap(idempotency::stored);
        if (stored.isPresent()) {
            return stored.get().replay();
        }
        Upload upload = urls.prepare(FileScope.of(caller), caller.createdBy(), request);
        return idempotency.once(claim, handle -> {
            Upload named = store.insert(handle, upload);
            return new StoredResponse(201, null, StrictJson.write(urls.sign(named, http.request())));
        });
    }

    @GET
    @Path("/files/{path:.+}")
    @Produces(MediaType.WILDCARD)
    @Operation(
            summary = "Download a file",
            description = "Of a message: the path stands in its metadata, file.path. Ranges are answered.")
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
    @APIResponse(
            responseCode = "206",
            description = "The part that Range asks for",
            content = @Content(mediaType = "*/*", schema = @Schema(type = SchemaType.STRING, format = "binary")))
    @APIResponse(responseCode = "304", description = "The file is the one of If-None-Match")
    @APIResponse(responseCode = "416", description = "The file has no such part")
    public Response file(@Context RoutingContext http, @PathParam("path") String path) {
        return downloads.answer(FileScope.of(ApiKeyCaller.of(http)), http.request(), true);
    }

    @HEAD
    @Path("/files/{path:.+}")
    @Produces(MediaType.WILDCARD)
    @Operation(hidden = true)
    public Response head(@Context RoutingContext http, @PathParam("path") String path) {
        return downloads.answer(FileScope.of(ApiKeyCaller.of(http)), http.request(), false);
    }
}
