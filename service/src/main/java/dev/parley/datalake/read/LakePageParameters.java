package dev.parley.datalake.read;

import dev.parley.datalake.core.RowFilter;
import dev.parley.datalake.store.DataLake;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.problem.ViolationCode;
import jakarta.ws.rs.QueryParam;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** The query parameters that select a page of a table's rows. */
public record LakePageParameters(
        @Parameter(
                description = "A part of any value, case-insensitive",
                schema = @Schema(type = SchemaType.STRING, maxLength = MAX_SEARCH_LENGTH))
        @QueryParam("search")
        @Nullable
        String search,

        @Parameter(
                description = "Rows that match all of these comparisons: a JSON array of objects with the name "
                        + "of a column, an operator of row filters except 'in', and a text. 'contains' is "
                        + "case-insensitive here.",
                schema = @Schema(type = SchemaType.STRING, examples = ColumnFilters.EXAMPLE))
        @QueryParam("filter")
        @Nullable
        String filter,

        @Parameter(description = "The name of a column") @QueryParam("sort") @Nullable
        String sort,

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
                schema =
                        @Schema(
                                type = SchemaType.INTEGER,
                                minimum = "0",
                                maximum = LakePage.MAX_OFFSET + "",
                                defaultValue = "0"))
        @QueryParam("offset")
        @Nullable
        String offset,

        @QueryParam("limit") @Nullable String limit) {
    private static final int MAX_SEARCH_LENGTH = 200;

    public LakePage page(DataLake lake) {
        int max = Page.limit(limit);
        int first = offset == null || offset.equals("0") ? 0 : Page.number(offset, "offset", 0, LakePage.MAX_OFFSET);
        var validator = new RequestValidator();
        String text = validator.parameterSearch(search, MAX_SEARCH_LENGTH);
        validator.requireParameter(
                sort == null
                        || lake.columns().stream()
                                .anyMatch(column -> column.name().equals(sort)),
                ViolationCode.NOT_FOUND,
                "sort",
                "'sort' must be the name of a column.");
        validator.requireParameter(
                order == null || (sort != null && (order.equals("asc") || order.equals("desc"))),
                ViolationCode.NOT_ONE_OF,
                "order",
                "'order' must be asc or desc, and is allowed only with 'sort'.",
                Map.of("allowed", List.of("asc", "desc")));
        validator.requireParameter(
                sort == null || first <= LakePage.MAX_SORTED_ROWS - max,
                ViolationCode.OUT_OF_RANGE,
                "offset",
                "Of sorted rows, only the first " + LakePage.MAX_SORTED_ROWS + " can be read.");
        List<RowFilter.Compare> filters = ColumnFilters.read(filter, lake, validator);
        validator.done();
        return new LakePage(text.isEmpty() ? null : text, filters, sort, "desc".equals(order), first, max);
    }
}
