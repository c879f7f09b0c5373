package dev.parley.datalake;

import static dev.parley.http.access.Access.Caller.ADMIN;

import dev.parley.datalake.store.DataLake;
import dev.parley.datalake.store.DataLakeStore;
import dev.parley.datalake.store.ImportOptions;
import dev.parley.datalake.store.TablePreview;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Text;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.organization.MemberRequest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
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
@Access(ADMIN)
public final class DataLakeReplacementResource {
    private final DataLakeImporter lakes;

    public DataLakeReplacementResource(DataLakeImporter lakes) {
        this.lakes = lakes;
    }

    /** The file to upload. */
    @FurtherChecks
    @Schema(name = "DataLakeReplacementFile")
    public record ReplacementFile(
            @NotNull @Schema(enumeration = {"csv", "jsonl", "parquet", "xlsx"})
            String format,

            @Min(1) @Schema(description = "In bytes; binds the URL to exactly this size.") @Nullable
            Long size) {}

    /** How the uploaded file replaces the rows. */
    @FurtherChecks
    @Schema(name = "DataLakeReplacement")
    public record ReplacementRequest(
            @NotNull @Schema(enumeration = {"csv", "jsonl", "parquet", "xlsx"})
            String format,

            @Schema(
                    description =
                            "Whether to replace the rows even if columns that published workflows read are missing "
                                    + "or have another type; false by default")
            @Nullable
            Boolean allowBreaking,

            @Text(min = 1, max = ImportOptions.MAX_SHEET_LENGTH)
            @Schema(description = ImportOptions.SHEET_AGAIN)
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
            var validator = RequestValidator.of(this);
            Optional<DataLake.Format> known = DataLake.Format.of(format, validator);
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
            operationId = "createDataLakeReplacementUrl",
            summary = "Get a URL for a file that replaces a data lake",
            description = "PUT the file to the URL, then replace the rows.")
    @APIResponse(responseCode = "200", description = "The URL")
    @APIResponse(responseCode = "409", description = "The data lake is read from S3, or is not imported yet")
    public DataLakeUpload upload(
            @BeanParam MemberRequest member, @PathParam("lakeId") DataLakeId id, ReplacementFile file) {
        DataLake lake = lakes.find(member.organization(), id);
        var validator = RequestValidator.of(file);
        Optional<DataLake.Format> format = DataLake.Format.of(file.format, validator);
        validator.done();
        return lakes.signReplacement(member.organization(), lake, format.orElseThrow(), file.size, member.http());
    }

    @POST
    @Operation(
            summary = "Replace the rows of a data lake by the uploaded file",
            description = "Responds when the new rows can be read; until then, and after a "
                    + "failure, the old ones remain. The id stays, so workflows read the new rows.")
    @APIResponse(responseCode = "200", description = "Replaced")
    @APIResponse(
            responseCode = "409",
            description = "Nothing has been uploaded, the data lake is read from S3, or columns are missing that "
                    + "published workflows read; the detail names them")
    public DataLake replace(
            @BeanParam MemberRequest member, @PathParam("lakeId") DataLakeId id, ReplacementRequest requested)
            throws InterruptedException {
        OrganizationId organization = member.organization();
        DataLake lake = lakes.find(organization, id);
        return lakes.replace(organization, lake, requested.valid(lake));
    }

    @POST
    @Path("/preview")
    @Operation(
            operationId = "previewDataLakeReplacement",
            summary = "Preview the uploaded file that would replace a data lake",
            description = "Shows the columns with the types that they would get, some values, and"
                    + " why columns are text. Nothing is changed; `allow_breaking` is not used.")
    @APIResponse(responseCode = "200", description = "The table as it would be imported")
    @APIResponse(responseCode = "409", description = "Nothing has been uploaded, or the data lake is read from S3")
    public TablePreview preview(
            @BeanParam MemberRequest member, @PathParam("lakeId") DataLakeId id, ReplacementRequest requested)
            throws InterruptedException {
        OrganizationId organization = member.organization();
        DataLake lake = lakes.find(organization, id);
        return lakes.previewReplacement(organization, lake, requested.valid(lake));
    }
}
