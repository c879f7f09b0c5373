package dev.parley.media;

import dev.parley.Settings;
import dev.parley.blob.BlobStore;
import dev.parley.blob.SignedUpload;
import dev.parley.blob.UploadGrant;
import dev.parley.http.Caller;
import dev.parley.http.Checks;
import dev.parley.http.Idempotency;
import dev.parley.http.Idempotency.Answer;
import dev.parley.http.StrictJson;
import dev.parley.problem.Fault;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
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
import java.time.Instant;
import java.util.Map;
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

/** Media of the developer API (specification 4.4; DECISIONS 7). */
@Path("/developer/api/media")
@RunOnVirtualThread
@Tag(name = "Media")
public final class MediaResource {
    private static final String ROUTE = "POST /media/presigned-url";
    private static final int MAX_NAME = 1_024;

    private final Uploads uploads;
    private final MediaStore store;
    private final BlobStore blobs;
    private final Downloads downloads;
    private final Idempotency idempotency;
    private final Settings settings;

    public MediaResource(
            Uploads uploads,
            MediaStore store,
            BlobStore blobs,
            Downloads downloads,
            Idempotency idempotency,
            Settings settings) {
        this.uploads = uploads;
        this.store = store;
        this.blobs = blobs;
        this.downloads = downloads;
        this.idempotency = idempotency;
        this.settings = settings;
    }

    /** A wish to upload a file. */
    @Schema(
            name = "PresignedUrlRequest",
            requiredProperties = {"filename", "content_type"})
    public record Request(
            @Schema(examples = "invoice.pdf") @Nullable String filename,

            @Schema(
                    description = "audio/*, image/* (not SVG), video/mp4, video/webm, video/quicktime, application/pdf,"
                            + " XLSX or text/csv.",
                    examples = "application/pdf")
            @Nullable
            String contentType,

            @Schema(description = "In bytes; binds the URL to exactly this size.", minimum = "1", examples = "52301")
            @Nullable
            Long size) {}

    /**
     * Where to upload it.
     *
     * @param headers that the PUT must carry
     * @param filename as it is stored; POST /messages takes it
     */
    @Schema(name = "PresignedUrl")
    public record PresignedUrl(
            @Schema(description = "Lives 15 minutes and writes once.")
            String uploadUrl,

            @Schema(examples = "PUT") String method,

            @Schema(
                    type = SchemaType.OBJECT,
                    description = "Headers that the upload must carry.",
                    additionalProperties = String.class)
            Map<String, String> headers,

            @Schema(description = "The name for POST /messages.", examples = "20300131_120000_invoice.pdf")
            String filename,

            @Schema(description = "S3-style URI, for file_urls of a trigger.")
            String fileUrl,

            Instant expiresAt,
            long maxBytes) {}

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
            content = @Content(schema = @Schema(implementation = PresignedUrl.class)))
    @APIResponse(responseCode = "400", description = "A field is wrong, or files of this type are not supported")
    @APIResponse(responseCode = "413", description = "The declared size is above the limit")
    public Response presignedUrl(
            @Context RoutingContext http,
            @HeaderParam(Idempotency.HEADER) @Nullable String idempotencyKey,
            @Nullable Request body) {
        Caller caller = Caller.of(http);
        Request request = body == null ? new Request(null, null, null) : body;
        var claim = Idempotency.claim(caller.organization(), ROUTE, idempotencyKey, request);
        Optional<Answer> stored = claim.flatMap(idempotency::stored);
        if (stored.isPresent()) {
            return stored.get().replay();
        }
        var checks = new Checks();
        String name = checks.text(request.filename, "/filename", 1, MAX_NAME);
        if (request.contentType == null) {
            checks.add(Fault.missing("/content_type"));
        }
        checks.done();
        Upload upload =
                uploads.prepare(caller, name, request.contentType == null ? "" : request.contentType, request.size);
        String answer = StrictJson.write(sign(upload, http.request()));
        return idempotency.once(claim, handle -> {
            store.insert(handle, upload);
            return new Answer(201, null, answer);
        });
    }

    private PresignedUrl sign(Upload upload, HttpServerRequest request) {
        Instant expires = upload.createdAt().plus(Uploads.URL_LIFE);
        var grant = new UploadGrant(upload.key(), upload.contentType(), upload.size(), uploads.maxBytes(), expires);
        SignedUpload signed = blobs.sign(grant, PublicAddress.of(settings, request));
        return new PresignedUrl(
                signed.url(),
                "PUT",
                signed.headers(),
                upload.filename(),
                "s3://" + blobs.bucket() + "/" + upload.key(),
                expires,
                uploads.maxBytes());
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
        return downloads.answer(FileView.of(Caller.of(http)), http.request(), true);
    }

    @HEAD
    @Path("/files/{path:.+}")
    @Produces(MediaType.WILDCARD)
    @Operation(hidden = true)
    public Response head(@Context RoutingContext http, @PathParam("path") String path) {
        return downloads.answer(FileView.of(Caller.of(http)), http.request(), false);
    }
}
