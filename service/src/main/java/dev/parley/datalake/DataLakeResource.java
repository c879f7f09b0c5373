package dev.parley.datalake;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.datalake.read.LakePage;
import dev.parley.datalake.read.LakePageParameters;
import dev.parley.datalake.read.LakeReader;
import dev.parley.datalake.read.LakeStatistics;
import dev.parley.datalake.store.DataLake;
import dev.parley.datalake.store.DataLakeStore;
import dev.parley.datalake.store.ImportOptions;
import dev.parley.datalake.store.TablePreview;
import dev.parley.db.Database;
import dev.parley.document.DocumentException;
import dev.parley.document.ReaderLimits;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Name;
import dev.parley.http.constraint.Text;
import dev.parley.http.filter.RequestFilter;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.ViolationCode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The data lakes of an organization. Members read them; owners and admins create and delete them. */
@Path("/dashboard/api/organizations/{orgId}/data-lakes")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Data lakes")
@Access(MEMBER)
public final class DataLakeResource {
    private static final int MAX_NAME_LENGTH = 200;
    private static final int MAX_URI_LENGTH = 1_100;
    private static final ReaderLimits READ_LIMITS = ReaderLimits.ofRequest(Duration.ofSeconds(25));

    private final DataLakeStore store;
    private final DataLakeImporter lakes;
    private final S3LakeSource sources;
    private final LakeReader reader;
    private final Clock clock;

    public DataLakeResource(
            Database database, DataLakeImporter lakes, S3LakeSource sources, LakeReader reader, Clock clock) {
        this.store = database.statements(DataLakeStore.class);
        this.lakes = lakes;
        this.sources = sources;
        this.reader = reader;
        this.clock = clock;
    }

    /** A request to create a table. */
    @FurtherChecks
    @Schema(name = "NewDataLake")
    public record NewDataLake(
            @NotNull @Name(max = MAX_NAME_LENGTH) @Schema(examples = "Orders 2029")
            String name,

            @NotNull @Schema(enumeration = {"csv", "jsonl", "parquet", "xlsx"})
            String format,

            @Min(1) @Schema(description = "Of the upload, in bytes; binds the URL to exactly this size.") @Nullable
            Long size,

            @Schema(description = "S3-style URI of a file that the service already stores; nothing is uploaded then.")
            @Nullable
            String fileUrl,

            @Text(min = 1, max = MAX_URI_LENGTH)
            @Schema(
                    description = "An object in S3 (s3://bucket/key) or, with a trailing slash, all objects under a "
                            + "prefix, at most 1,000 with the same columns; within a prefix that the organization may "
                            + "read. Nothing is uploaded then.",
                    examples = "s3://acme-data/orders/2029/")
            @Nullable
            String s3Uri,

            @Text(min = 1, max = ImportOptions.MAX_SHEET_LENGTH)
            @Schema(
                    description = ImportOptions.SHEET + ". Only with file_url or s3_uri; an upload is given it at the"
                            + " import.")
            @Nullable
            String sheet,

            @Schema(
                    type = SchemaType.OBJECT,
                    additionalProperties = String.class,
                    description = ImportOptions.TYPES + " Only with file_url or s3_uri; an upload is given them at the"
                            + " import.")
            @Nullable
            Map<String, String> types) {
        private DataLake.Format checkedFormat(ImportOptions options) {
            var validator = RequestValidator.of(this);
            Optional<DataLake.Format> known = DataLake.Format.of(format, validator);
            boolean isUpload = fileUrl == null && s3Uri == null;
            validator.require(
                    size == null || isUpload,
                    ViolationCode.NOT_ALLOWED,
                    "/size",
                    "'/size' is allowed only for an upload.");
            validator.require(
                    fileUrl == null || s3Uri == null,
                    ViolationCode.NOT_ALLOWED,
                    "/s3_uri",
                    "'/s3_uri' and '/file_url' cannot both be given.");
            validator.require(
                    !isUpload || options.isDefault(),
                    ViolationCode.NOT_ALLOWED,
                    sheet == null ? "/types" : "/sheet",
                    "'/sheet' and '/types' are given at the import of an upload.");
            known.ifPresent(of -> options.validate(of, validator));
            validator.done();
            return known.orElseThrow();
        }
    }

    /** The body of PATCH, which is checked after the id in the path. */
    @FurtherChecks
    @Schema(name = "DataLakeChange")
    public record DataLakeChange(
            @NotNull @Name(max = MAX_NAME_LENGTH) @Schema(examples = "Orders 2029")
            String name) {}

    /** A prefix in S3 that the organization may read. */
    @Schema(name = "S3Prefix")
    public record Prefix(
            @Schema(examples = "s3://acme-data/orders/") String uri) {}

    /** A new table and its upload. */
    @Schema(name = "CreatedDataLake")
    public record CreatedDataLake(
            DataLake dataLake,

            @Schema(nullable = true, description = "null if no upload is needed") @Nullable
            DataLakeUpload upload) {}

    @GET
    @Operation(summary = "List data lakes, newest first")
    public Page<DataLake> list(@BeanParam MemberRequest member, @BeanParam PageRequest page) {
        return page.page(
                store.list(member.organization(), page.after(DataLakeId::parse), page.rows()),
                lake -> lake.id().text());
    }

    @POST
    @Access(ADMIN)
    @Operation(
            summary = "Create a data lake",
            description = "PUT the file to the returned URL, then import it; with file_url or "
                    + "s3_uri it is imported at once.")
    @APIResponse(
            responseCode = "201",
            description = "Created",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = CreatedDataLake.class)))
    public Response create(@BeanParam MemberRequest member, NewDataLake requested) throws InterruptedException {
        OrganizationId organization = member.organization();
        var options = new ImportOptions(requested.sheet, requested.types);
        DataLake.Format format = requested.checkedFormat(options);
        S3Uri s3 = requested.s3Uri == null ? null : sources.check(organization, requested.s3Uri);
        lakes.requireAllowed(requested.size);
        DataLake lake = store.insert(
                organization,
                DataLakeId.next(),
                requested.name,
                format,
                requested.s3Uri,
                member.createdBy(),
                clock.instant());
        CreatedDataLake created;
        if (s3 != null) {
            created = new CreatedDataLake(lakes.importS3(organization, lake, options, s3), null);
        } else if (requested.fileUrl != null) {
            created = new CreatedDataLake(lakes.importFile(organization, lake, options, requested.fileUrl), null);
        } else {
            created = new CreatedDataLake(lake, lakes.sign(organization, lake, requested.size, member.http()));
        }
        return Response.status(Response.Status.CREATED)
                .header(HttpHeaders.LOCATION, RequestFilter.path(member.http()) + "/" + lake.id())
                .entity(created)
                .build();
    }

    @PATCH
    @Path("/{lakeId}")
    @Access(ADMIN)
    @Operation(
            summary = "Rename a data lake",
            description = "Workflows name a data lake by its id, so they keep reading it.")
    @APIResponse(responseCode = "200", description = "Renamed")
    public DataLake rename(@BeanParam MemberRequest member, @PathParam("lakeId") DataLakeId id, DataLakeChange change) {
        RequestValidator.of(change).done();
        return store.rename(member.organization(), id, change.name).orElseThrow(() -> ApiProblem.notFound("data lake"));
    }

    @POST
    @Path("/{lakeId}/import")
    @Access(ADMIN)
    @Operation(
            summary = "Import the uploaded file",
            description = "Responds when the table can be read. If the file is not such a "
                    + "table, the response is 400 and the data lake is deleted.")
    @APIResponse(responseCode = "200", description = "Imported")
    @APIResponse(responseCode = "409", description = "Nothing has been uploaded, or the data lake is already imported")
    public DataLake importUpload(
            @BeanParam MemberRequest member, @PathParam("lakeId") DataLakeId id, @Nullable ImportOptions requested)
            throws InterruptedException {
        DataLake lake = pending(member, id);
        return lakes.importUpload(member.organization(), lake, valid(requested, lake));
    }

    private DataLake pending(MemberRequest member, DataLakeId id) {
        DataLake lake = lakes.find(member.organization(), id);
        if (lake.status() == DataLake.DataLakeStatus.READY) {
            throw ApiProblem.of(ProblemKind.ALREADY_DONE, "The data lake is already imported.");
        }
        return lake;
    }

    private static ImportOptions valid(@Nullable ImportOptions requested, DataLake lake) {
        ImportOptions options = requested == null ? ImportOptions.DEFAULT : requested;
        var validator = RequestValidator.of(options);
        options.validate(lake.format(), validator);
        validator.done();
        return options;
    }

    @POST
    @Path("/{lakeId}/preview")
    @Access(ADMIN)
    @Operation(
            summary = "Preview the import of the uploaded file",
            description = "Shows the columns with the types that the import would give them, some"
                    + " values, and why columns are text. Nothing is changed; the import takes the same options.")
    @APIResponse(responseCode = "200", description = "The table as it would be imported")
    @APIResponse(responseCode = "409", description = "Nothing has been uploaded, or the data lake is already imported")
    public TablePreview preview(
            @BeanParam MemberRequest member, @PathParam("lakeId") DataLakeId id, @Nullable ImportOptions requested)
            throws InterruptedException {
        DataLake lake = pending(member, id);
        return lakes.previewUpload(member.organization(), lake, valid(requested, lake));
    }

    @POST
    @Path("/{lakeId}/refresh")
    @Access(ADMIN)
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Refresh a data lake from S3",
            description = "Responds when the new rows can be read; until then, and after a "
                    + "failure, the old ones remain.")
    @APIResponse(responseCode = "200", description = "Refreshed")
    @APIResponse(responseCode = "409", description = "The data lake has no S3 source, or is being refreshed")
    public DataLake refresh(@BeanParam MemberRequest member, @PathParam("lakeId") DataLakeId id)
            throws InterruptedException {
        return lakes.refresh(member.organization(), lakes.find(member.organization(), id));
    }

    @GET
    @Path("/s3-prefixes")
    @Access(ADMIN)
    @Operation(
            operationId = "listS3Prefixes",
            summary = "List the S3 prefixes that data lakes may read",
            description = "The operator's settings define them.")
    public Page<Prefix> prefixes(@BeanParam MemberRequest member) {
        return new Page<>(
                sources.allowed(member.organization()).stream().map(Prefix::new).toList(), null);
    }

    @GET
    @Path("/{lakeId}")
    @Operation(summary = "Read a data lake's columns")
    public DataLake get(@BeanParam MemberRequest member, @PathParam("lakeId") DataLakeId id) {
        return lakes.find(member.organization(), id);
    }

    @GET
    @Path("/{lakeId}/rows")
    @Operation(
            summary = "Read a page of a data lake's rows",
            description = "In the order of the file, or sorted by a column with nulls last. Of sorted rows, only the "
                    + "first 5,000 can be read.")
    @APIResponse(responseCode = "200", description = "The rows")
    @APIResponse(responseCode = "409", description = "The data lake is not imported yet, or reading it took too long")
    public LakeReader.PageOfRows rows(
            @BeanParam MemberRequest member,
            @PathParam("lakeId") DataLakeId id,
            @BeanParam LakePageParameters parameters)
            throws InterruptedException {
        DataLake lake = lakes.find(member.organization(), id);
        LakePage page = parameters.page(lake);
        requireReady(lake);
        try {
            return reader.page(member.organization(), lake, page, READ_LIMITS);
        } catch (DocumentException e) {
            throw unreadable(e);
        }
    }

    @GET
    @Path("/{lakeId}/statistics")
    @Operation(
            summary = "Read statistics of a data lake's columns",
            description = "Computed from all rows at each request.")
    @APIResponse(responseCode = "200", description = "The statistics")
    @APIResponse(responseCode = "409", description = "The data lake is not imported yet, or reading it took too long")
    public LakeStatistics statistics(@BeanParam MemberRequest member, @PathParam("lakeId") DataLakeId id)
            throws InterruptedException {
        DataLake lake = lakes.find(member.organization(), id);
        requireReady(lake);
        try {
            List<Map<String, @Nullable Object>> read = reader.statistics(member.organization(), lake, READ_LIMITS);
            List<LakeStatistics.ColumnStatistics> columns = new ArrayList<>();
            for (int i = 0; i < Math.min(read.size(), lake.columns().size()); i++) {
                columns.add(LakeStatistics.ColumnStatistics.of(lake.columns().get(i), read.get(i)));
            }
            return new LakeStatistics(columns);
        } catch (DocumentException e) {
            throw unreadable(e);
        }
    }

    private static void requireReady(DataLake lake) {
        if (lake.status() != DataLake.DataLakeStatus.READY) {
            throw ApiProblem.of(ProblemKind.WRONG_STATUS, "The data lake is not imported yet.");
        }
    }

    private static ApiProblem unreadable(DocumentException e) {
        return e.isTransient()
                ? ApiProblem.unavailable(e.detail(), Duration.ofSeconds(5))
                : ApiProblem.of(ProblemKind.CONFLICT, e.detail());
    }

    @DELETE
    @Path("/{lakeId}")
    @Access(ADMIN)
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Delete a data lake",
            description = "Rejected while the published version of a workflow reads it. Drafts "
                    + "and earlier versions do not count: their tasks fail from then on.")
    @APIResponse(responseCode = "204", description = "Deleted")
    @APIResponse(responseCode = "409", description = "Published workflows read it; the detail names them")
    public void delete(@BeanParam MemberRequest member, @PathParam("lakeId") DataLakeId id) {
        if (!lakes.delete(member.organization(), id)) {
            throw ApiProblem.notFound("data lake");
        }
    }
}
