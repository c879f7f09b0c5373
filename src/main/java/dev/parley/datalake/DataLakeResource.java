package dev.parley.datalake;

import dev.parley.datalake.core.RowFilter;
import dev.parley.document.DocumentException;
import dev.parley.document.ReaderLimits;
import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RawJson;
import dev.parley.http.RequestFilter;
import dev.parley.http.RequestValidator;
import dev.parley.http.core.SingleLineText;
import dev.parley.id.DataLakeId;
import dev.parley.id.OrganizationId;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
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
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The data lakes of an organization. Members read them; owners and admins create and delete them. */
@Path("/dashboard/api/organizations/{orgId}/data-lakes")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Data lakes")
public final class DataLakeResource {
    private static final int MAX_NAME_LENGTH = 200;
    private static final int MAX_SEARCH_LENGTH = 200;
    private static final int MAX_URI_LENGTH = 1_100;
    private static final ReaderLimits READ_LIMITS = ReaderLimits.ofRequest(Duration.ofSeconds(25));

    private final DataLakeStore store;
    private final DataLakeImporter lakes;
    private final S3LakeSource sources;
    private final LakeReader reader;
    private final DataLakeUploads uploads;
    private final OrganizationAccess access;

    public DataLakeResource(
            DataLakeStore store,
            DataLakeImporter lakes,
            S3LakeSource sources,
            LakeReader reader,
            DataLakeUploads uploads,
            OrganizationAccess access) {
        this.store = store;
        this.lakes = lakes;
        this.sources = sources;
        this.reader = reader;
        this.uploads = uploads;
        this.access = access;
    }

    /** A request to create a table. */
    @Schema(
            name = "NewDataLake",
            requiredProperties = {"name", "format"})
    public record NewDataLake(
            @Schema(
                    minLength = 1,
                    maxLength = MAX_NAME_LENGTH,
                    pattern = SingleLineText.PATTERN,
                    examples = "Orders 2029")
            @Nullable
            String name,

            @Schema(enumeration = {"csv", "jsonl", "parquet", "xlsx"}) @Nullable
            String format,

            @Schema(description = "Of the upload, in bytes; binds the URL to exactly this size.", minimum = "1")
            @Nullable
            Long size,

            @Schema(description = "S3-style URI of a file that the service already stores; nothing is uploaded then.")
            @Nullable
            String fileUrl,

            @Schema(
                    description = "An object in S3 (s3://bucket/key) or, with a trailing slash, all objects under a "
                            + "prefix, at most 1,000 with the same columns; within a prefix that the organization may "
                            + "read. Nothing is uploaded then.",
                    minLength = 1,
                    maxLength = MAX_URI_LENGTH,
                    examples = "s3://acme-data/orders/2029/")
            @Nullable
            String s3Uri,

            @Schema(
                    description = ImportOptions.SHEET + ". Only with file_url or s3_uri; an upload is given it at the"
                            + " import.",
                    minLength = 1,
                    maxLength = ImportOptions.MAX_SHEET_LENGTH)
            @Nullable
            String sheet,

            @Schema(
                    type = SchemaType.OBJECT,
                    additionalProperties = String.class,
                    description = ImportOptions.TYPES + " Only with file_url or s3_uri; an upload is given them at the"
                            + " import.")
            @Nullable
            Map<String, String> types) {}

    /** The body of PATCH. */
    @Schema(name = "DataLakeChange", requiredProperties = "name")
    public record DataLakeChange(
            @Schema(
                    minLength = 1,
                    maxLength = MAX_NAME_LENGTH,
                    pattern = SingleLineText.PATTERN,
                    examples = "Orders 2029")
            @Nullable
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

    /** A page of a table's rows. */
    @Schema(name = "DataLakeRows")
    public record Preview(
            List<String> columns,

            @Schema(type = SchemaType.ARRAY, implementation = RawJson.class)
            List<Map<String, @Nullable Object>> rows,

            @Schema(description = "The number of rows that match the search and the filter", examples = "1000000")
            long total) {}

    @GET
    @Operation(summary = "List data lakes, newest first")
    public Page<DataLake> list(
            @PathParam("orgId") String orgId,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        int max = Page.limit(limit);
        return Page.of(store.list(organization, Page.after(after, DataLakeId::parse), max + 1), max, lake -> lake.id()
                .text());
    }

    @POST
    @Operation(
            summary = "Create a data lake",
            description = "Owners and admins. PUT the file to the returned URL, then import it; with file_url or "
                    + "s3_uri it is imported at once.")
    @APIResponse(
            responseCode = "201",
            description = "Created",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = CreatedDataLake.class)))
    public Response create(@PathParam("orgId") String orgId, NewDataLake requested, @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        var validator = new RequestValidator();
        String name = validator.name(requested.name(), "/name", MAX_NAME_LENGTH);
        Optional<DataLake.Format> format = DataLakeUploads.format(requested.format(), validator);
        Long size = requested.size();
        boolean isUpload = requested.fileUrl() == null && requested.s3Uri() == null;
        DataLakeUploads.checkSize(size, validator);
        validator.require(size == null || isUpload, "/size", "'/size' is allowed only for an upload.");
        validator.require(
                requested.fileUrl() == null || requested.s3Uri() == null,
                "/s3_uri",
                "'/s3_uri' and '/file_url' cannot both be given.");
        if (requested.s3Uri() != null) {
            validator.text(requested.s3Uri(), "/s3_uri", 1, MAX_URI_LENGTH);
        }
        var options = new ImportOptions(requested.sheet(), requested.types());
        validator.require(
                !isUpload || options.isDefault(),
                requested.sheet() == null ? "/types" : "/sheet",
                "'/sheet' and '/types' are given at the import of an upload.");
        format.ifPresent(known -> options.validate(known, validator));
        validator.done();
        S3Uri s3 = requested.s3Uri() == null ? null : sources.check(organization, requested.s3Uri());
        uploads.requireAllowed(size);
        DataLake lake = store.insert(
                organization,
                DataLakeId.next(),
                name,
                format.orElseThrow(),
                requested.s3Uri(),
                DashboardUser.of(request).createdBy());
        CreatedDataLake created;
        if (s3 != null) {
            created = new CreatedDataLake(lakes.importS3(organization, lake, options, s3), null);
        } else if (requested.fileUrl() != null) {
            created = new CreatedDataLake(lakes.importFile(organization, lake, options, requested.fileUrl()), null);
        } else {
            created = new CreatedDataLake(lake, uploads.sign(lakes.grant(organization, lake, size), request));
        }
        return Response.status(Response.Status.CREATED)
                .header(HttpHeaders.LOCATION, RequestFilter.path(request) + "/" + lake.id())
                .entity(created)
                .build();
    }

    @PATCH
    @Path("/{lakeId}")
    @Operation(
            summary = "Rename a data lake",
            description = "Owners and admins. Workflows name a data lake by its id, so they keep reading it.")
    @APIResponse(responseCode = "200", description = "Renamed")
    public DataLake rename(
            @PathParam("orgId") String orgId,
            @PathParam("lakeId") String id,
            DataLakeChange change,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        DataLakeId lake = RequestValidator.pathId(id, "data lake", DataLakeId::parse);
        var validator = new RequestValidator();
        String name = validator.name(change.name(), "/name", MAX_NAME_LENGTH);
        validator.done();
        return store.rename(organization, lake, name).orElseThrow(() -> ApiProblem.notFound("data lake"));
    }

    @POST
    @Path("/{lakeId}/import")
    @Operation(
            summary = "Import the uploaded file",
            description = "Owners and admins. Responds when the table can be read. If the file is not such a "
                    + "table, the response is 400 and the data lake is deleted.")
    @APIResponse(responseCode = "200", description = "Imported")
    @APIResponse(responseCode = "409", description = "Nothing has been uploaded, or the data lake is already imported")
    public DataLake importUpload(
            @PathParam("orgId") String orgId,
            @PathParam("lakeId") String id,
            @Nullable ImportOptions requested,
            @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        DataLake lake = find(organization, id);
        if (lake.status() == DataLake.DataLakeStatus.READY) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "The data lake is already imported.");
        }
        return lakes.importUpload(organization, lake, valid(requested, lake));
    }

    private static ImportOptions valid(@Nullable ImportOptions requested, DataLake lake) {
        ImportOptions options = ImportOptions.orDefault(requested);
        var validator = new RequestValidator();
        options.validate(lake.format(), validator);
        validator.done();
        return options;
    }

    @POST
    @Path("/{lakeId}/preview")
    @Operation(
            summary = "Preview the import of the uploaded file",
            description = "Owners and admins. Shows the columns with the types that the import would give them, some"
                    + " values, and why columns are text. Nothing is changed; the import takes the same options.")
    @APIResponse(responseCode = "200", description = "The table as it would be imported")
    @APIResponse(responseCode = "409", description = "Nothing has been uploaded, or the data lake is already imported")
    public TablePreview preview(
            @PathParam("orgId") String orgId,
            @PathParam("lakeId") String id,
            @Nullable ImportOptions requested,
            @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        DataLake lake = find(organization, id);
        if (lake.status() == DataLake.DataLakeStatus.READY) {
            throw ApiProblem.of(ProblemKind.CONFLICT, "The data lake is already imported.");
        }
        return lakes.previewUpload(organization, lake, valid(requested, lake));
    }

    @POST
    @Path("/{lakeId}/refresh")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Refresh a data lake from S3",
            description = "Owners and admins. Responds when the new rows can be read; until then, and after a "
                    + "failure, the old ones remain.")
    @APIResponse(responseCode = "200", description = "Refreshed")
    @APIResponse(responseCode = "409", description = "The data lake has no S3 source, or is being refreshed")
    public DataLake refresh(
            @PathParam("orgId") String orgId, @PathParam("lakeId") String id, @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        return lakes.refresh(organization, find(organization, id));
    }

    @GET
    @Path("/s3-prefixes")
    @Operation(
            summary = "List the S3 prefixes that data lakes may read",
            description = "Owners and admins. The operator's settings define them.")
    public Page<Prefix> prefixes(@PathParam("orgId") String orgId, @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        return new Page<>(
                sources.allowed(organization).stream().map(Prefix::new).toList(), null);
    }

    @GET
    @Path("/{lakeId}")
    @Operation(summary = "Read a data lake's columns")
    public DataLake get(
            @PathParam("orgId") String orgId, @PathParam("lakeId") String id, @Context RoutingContext request) {
        return find(access.require(DashboardUser.of(request), orgId, Role.MEMBER), id);
    }

    @GET
    @Path("/{lakeId}/rows")
    @Operation(
            summary = "Read a page of a data lake's rows",
            description = "In the order of the file, or sorted by a column with nulls last. Of sorted rows, only the "
                    + "first 5,000 can be read.")
    @APIResponse(responseCode = "200", description = "The rows")
    @APIResponse(responseCode = "409", description = "The data lake is not imported yet, or reading it took too long")
    public Preview rows(
            @PathParam("orgId") String orgId,
            @PathParam("lakeId") String id,
            @Parameter(description = "A part of any value, case-insensitive") @QueryParam("search") @Nullable
                    String search,
            @Parameter(
                            description =
                                    "Rows that match all of these comparisons: a JSON array of objects with the name "
                                            + "of a column, an operator of row filters except 'in', and a text. 'contains' is "
                                            + "case-insensitive here.",
                            schema = @Schema(type = SchemaType.STRING, examples = ColumnFilters.EXAMPLE))
                    @QueryParam("filter")
                    @Nullable
                    String filter,
            @Parameter(description = "The name of a column") @QueryParam("sort") @Nullable String sort,
            @Parameter(
                            schema =
                                    @Schema(
                                            enumeration = {"asc", "desc"},
                                            defaultValue = "asc"))
                    @QueryParam("order")
                    @Nullable
                    String order,
            @Parameter(
                            description = "The number of rows to skip",
                            schema = @Schema(type = SchemaType.INTEGER, minimum = "0", defaultValue = "0"))
                    @QueryParam("offset")
                    @Nullable
                    String offset,
            @QueryParam("limit") @Nullable String limit,
            @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        DataLake lake = find(organization, id);
        LakePage page = page(lake, search, filter, sort, order, offset, limit);
        requireReady(lake);
        try {
            LakeReader.PageOfRows read = reader.page(organization, lake, page, READ_LIMITS);
            return new Preview(read.columns(), read.rows(), read.total());
        } catch (DocumentException e) {
            throw unreadable(e);
        }
    }

    private static LakePage page(
            DataLake lake,
            @Nullable String search,
            @Nullable String filter,
            @Nullable String sort,
            @Nullable String order,
            @Nullable String offset,
            @Nullable String limit) {
        int max = Page.limit(limit);
        int first = offset == null || offset.equals("0") ? 0 : Page.number(offset, "offset", 0, LakePage.MAX_OFFSET);
        var validator = new RequestValidator();
        validator.requireParameter(
                search == null || (search.length() <= MAX_SEARCH_LENGTH && search.indexOf('\0') < 0),
                "search",
                "'search' has at most " + MAX_SEARCH_LENGTH + " characters.");
        validator.requireParameter(
                sort == null
                        || lake.columns().stream()
                                .anyMatch(column -> column.name().equals(sort)),
                "sort",
                "'sort' must be the name of a column.");
        validator.requireParameter(
                order == null || (sort != null && (order.equals("asc") || order.equals("desc"))),
                "order",
                "'order' must be asc or desc, and is allowed only with 'sort'.");
        validator.requireParameter(
                sort == null || first <= LakePage.MAX_SORTED_ROWS - max,
                "offset",
                "Of sorted rows, only the first " + LakePage.MAX_SORTED_ROWS + " can be read.");
        List<RowFilter.Compare> filters = ColumnFilters.read(filter, lake, validator);
        validator.done();
        String text = search == null || search.isBlank() ? null : search.strip();
        return new LakePage(text, filters, sort, "desc".equals(order), first, max);
    }

    @GET
    @Path("/{lakeId}/statistics")
    @Operation(
            summary = "Read statistics of a data lake's columns",
            description = "Computed from all rows at each request.")
    @APIResponse(responseCode = "200", description = "The statistics")
    @APIResponse(responseCode = "409", description = "The data lake is not imported yet, or reading it took too long")
    public LakeStatistics statistics(
            @PathParam("orgId") String orgId, @PathParam("lakeId") String id, @Context RoutingContext request)
            throws InterruptedException {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        DataLake lake = find(organization, id);
        requireReady(lake);
        try {
            List<Map<String, @Nullable Object>> read = reader.statistics(organization, lake, READ_LIMITS);
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
            throw ApiProblem.of(ProblemKind.CONFLICT, "The data lake is not imported yet.");
        }
    }

    private static ApiProblem unreadable(DocumentException e) {
        return e.isTransient()
                ? ApiProblem.unavailable(e.detail(), Duration.ofSeconds(5))
                : ApiProblem.of(ProblemKind.CONFLICT, e.detail());
    }

    @DELETE
    @Path("/{lakeId}")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            summary = "Delete a data lake",
            description = "Owners and admins. Rejected while the published version of a workflow reads it. Drafts "
                    + "and earlier versions do not count: their tasks fail from then on.")
    @APIResponse(responseCode = "204", description = "Deleted")
    @APIResponse(responseCode = "409", description = "Published workflows read it; the detail names them")
    public void delete(
            @PathParam("orgId") String orgId, @PathParam("lakeId") String id, @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        if (!lakes.delete(organization, RequestValidator.pathId(id, "data lake", DataLakeId::parse))) {
            throw ApiProblem.notFound("data lake");
        }
    }

    private DataLake find(OrganizationId organization, String id) {
        return store.find(organization, RequestValidator.pathId(id, "data lake", DataLakeId::parse))
                .orElseThrow(() -> ApiProblem.notFound("data lake"))
                .lake();
    }
}
