package dev.parley.budget.usage;

import static dev.parley.http.access.Access.Caller.MEMBER;

import dev.parley.db.Database;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.core.CsvRow;
import dev.parley.organization.MemberRequest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Reports what an organization's models used. */
@Path("/dashboard/api/organizations/{orgId}/usage/models")
@RunOnVirtualThread
@Tag(name = "Budgets")
@Access(MEMBER)
public final class ModelUsageResource {
    private static final String CSV = "text/csv";

    /** Begins with a byte order mark, without which Excel reads other letters than ASCII wrongly. */
    private static final String HEADER =
            "\uFEFFkey,name,calls,input_tokens,cached_tokens,output_tokens,reasoning_tokens,cost_micros\r\n";

    private final ModelUsageStore store;
    private final Clock clock;

    ModelUsageResource(Database database, Clock clock) {
        this.store = database.statements(ModelUsageStore.class);
        this.clock = clock;
    }

    /** The usage of models in a range of days. */
    @Schema(name = "ModelUsageReport")
    public record ModelUsageReport(
            @Schema(description = "The first day, in UTC", examples = "2030-01-01")
            String from,

            @Schema(description = "The last day", examples = "2030-01-31")
            String to,

            @Schema(description = "Those with the highest cost first, days in their order; at most 10,000")
            List<ModelUsageRow> items) {}

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "readModelUsage",
            summary = "Read the usage of models",
            description = "Calls, tokens and cost by model, workflow, API key or day, with a delay of some seconds.")
    public ModelUsageReport read(@BeanParam MemberRequest member, @BeanParam UsageParameters parameters) {
        var validator = new RequestValidator();
        UsageParameters.UsageRange range =
                parameters.range(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC), validator);
        UsageGrouping grouping = parameters.grouping(validator);
        validator.done();
        return new ModelUsageReport(
                range.from().toString(),
                range.to().toString(),
                store.sums(
                        member.organization(), range.from(), range.to(), grouping.key, grouping.name, grouping.order));
    }

    @GET
    @Path("/export")
    @Produces(CSV)
    @Operation(
            operationId = "exportModelUsage",
            summary = "Export the usage of models",
            description = "The same as CSV in UTF-8. Values that a spreadsheet would take for a formula begin with an"
                    + " apostrophe.")
    @APIResponse(
            responseCode = "200",
            description = "The usage",
            headers = @Header(name = "Content-Disposition", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(mediaType = CSV, schema = @Schema(type = SchemaType.STRING)))
    public Response export(@BeanParam MemberRequest member, @BeanParam UsageParameters parameters) {
        ModelUsageReport report = read(member, parameters);
        return Response.ok(
                        report.items.stream().map(ModelUsageResource::line).collect(Collectors.joining("", HEADER, "")),
                        CSV + ";charset=UTF-8")
                .header(
                        "Content-Disposition",
                        "attachment; filename=\"usage-" + report.from + "-" + report.to + ".csv\"")
                .build();
    }

    private static String line(ModelUsageRow row) {
        return CsvRow.of(Stream.of(
                row.key() == null ? "" : row.key(),
                row.name() == null ? "" : row.name(),
                Long.toString(row.calls()),
                Long.toString(row.inputTokens()),
                Long.toString(row.cachedTokens()),
                Long.toString(row.outputTokens()),
                Long.toString(row.reasoningTokens()),
                Long.toString(row.costMicros())));
    }
}
