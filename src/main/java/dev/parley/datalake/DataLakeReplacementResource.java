package dev.parley.datalake;

import dev.parley.http.DashboardUser;
import dev.parley.http.RequestValidator;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Replaces the rows of an uploaded data lake, which keeps its id. */
@Path("/dashboard/api/organizations/{orgId}/data-lakes/{lakeId}/replace")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Data lakes")
public final class DataLakeReplacementResource {
    private final DataLakeStore store;
    private final DataLakeImporter lakes;
    private final DataLakeUploads uploads;
    private final OrganizationAccess access;

    public DataLakeReplacementResource(
            DataLakeStore store, DataLakeImporter lakes, DataLakeUploads uploads, OrganizationAccess access) {
        this.store = store;
        this.lakes = lakes;
        this.uploads = uploads;
        this.access = access;
    }

    /** The file to upload. */
    @Schema(
            name = "DataLakeReplacementFile",
            requiredProperties = {"format"})
    public record ReplacementFile(
            @Schema(enumeration = {"csv", "jsonl", "parquet", "xlsx"}) @Nullable
            String format,

            @Schema(description = "In bytes; binds the URL to exactly this size.", minimum = "1") @Nullable
            Long size) {}

    /** How the uploaded file replaces the rows. */
    @Schema(
            name = "DataLakeReplacement",
            requiredProperties = {"format"})
    public record ReplacementRequest(
            @Schema(enumeration = {"csv", "jsonl", "parquet", "xlsx"}) @Nullable
            String format,

            @Schema(
                    description =
                            "Whether to replace the rows even if columns that published workflows read are missing "
                                    + "or have another type; false by default")
            @Nullable
            Boolean allowBreaking,

            @Schema(description = ImportOptions.SHEET_AGAIN, minLength = 1, maxLength = ImportOptions.MAX_SHEET_LENGTH)
            @Nullable
            String sheet,

            @Schema(
                    type = SchemaType.OBJECT,
                    additionalProperties = String.class,
                    description = ImportOptions.TYPES_AGAIN)
            @Nullable
            Map<String, String> types) {
        /** The format and the options, after their check; those of the last import where the request has none. */
        private DataLakeStore.Replacement valid(DataLake lake) {
            var validator = new RequestValidator();
            Optional<DataLake.Format> known = DataLakeUploads.format(format, validator);
            var options = new ImportOptions(sheet, types);
            known.ifPresent(of -> options.validate(of, validator));
            validator.done();
            DataLake.Format of = known.orElseThrow();
            return new DataLakeStore.Replacement(
                    of, options.withDefaultsOf(lake, of), Boolean.TRUE.equals(allowBreaking));
        }
    }

    @POST
    @Path("/upload")
    @Operation(
            summary = "Get a URL for a file that replaces a data lake",
            description = "Owners and admins. PUT the file to the URL, then replace the rows.")
    @APIResponse(responseCode = "200", description = "The URL")
    @APIResponse(responseCode = "409", description = "The data lake is read from S3, or is not imported yet")
    public DataLakeUpload upload(
            @PathParam("orgId") String orgId,
            @PathParam("lakeId") String id,
            ReplacementFile file,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        DataLake lake = find(organization, id);
        var validator = new RequestValidator();
        Optional<DataLake.Format> format = DataLakeUploads.format(file.format(), validator);
        DataLakeUploads.checkSize(file.size(), validator);
        validator.done();
        uploads.requireAllowed(file.size());
        return uploads.sign(lakes.grantReplacement(organization, lake, format.orElseThrow(), file.size()), request);
    }

    @POST
    @Operation(
            summary = "Replace the rows of a data lake by the uploaded file",
            description = "Owners and admins. Responds when the new rows can be read; until then, and after a "
                    + "failure, the old ones remain. The id stays, so workflows read the new rows.")
    @APIResponse(responseCode = "200", description = "Replaced")
    @APIResponse(
            responseCode = "409",
            description = "Nothing has been uploaded, the data lake is read from S3, or columns are missing that "
                    + "published workflows read; the detail names them")
    public DataLake replace(
            @PathParam("orgId") String orgId,
            @PathParam("lakeId") String id,
            ReplacementRequest requested,
            @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        DataLake lake = find(organization, id);
        return lakes.replace(organization, lake, requested.valid(lake));
    }

    @POST
    @Path("/preview")
    @Operation(
            summary = "Preview the uploaded file that would replace a data lake",
            description = "Owners and admins. Shows the columns with the types that they would get, some values, and"
                    + " why columns are text. Nothing is changed; `allow_breaking` is not used.")
    @APIResponse(responseCode = "200", description = "The table as it would be imported")
    @APIResponse(responseCode = "409", description = "Nothing has been uploaded, or the data lake is read from S3")
    public TablePreview preview(
            @PathParam("orgId") String orgId,
            @PathParam("lakeId") String id,
            ReplacementRequest requested,
            @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        DataLake lake = find(organization, id);
        DataLakeStore.Replacement valid = requested.valid(lake);
        return lakes.previewReplacement(organization, lake, valid.format(), valid.options());
    }

    private DataLake find(OrganizationId organization, String id) {
        return store.find(organization, RequestValidator.pathId(id, "data lake", DataLakeId::parse))
                .orElseThrow(() -> ApiProblem.notFound("data lake"))
                .lake();
    }
}
