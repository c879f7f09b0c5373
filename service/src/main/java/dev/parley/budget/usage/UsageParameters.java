package dev.parley.budget.usage;

import dev.parley.http.RequestValidator;
import dev.parley.problem.ViolationCode;
import jakarta.ws.rs.QueryParam;
import java.time.DateTimeException;
import java.time.LocalDate;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jspecify.annotations.Nullable;

/** The query parameters of a report of usage. */
public record UsageParameters(
        @Parameter(
                description = "The first day, in UTC; default 29 days before `to`",
                schema = @Schema(type = SchemaType.STRING, format = "date"))
        @QueryParam("from")
        @Nullable
        String from,

        @Parameter(
                description = "The last day; default today",
                schema = @Schema(type = SchemaType.STRING, format = "date"))
        @QueryParam("to")
        @Nullable
        String to,

        @Parameter(
                schema =
                        @Schema(
                                enumeration = {"model", "workflow", "api_key", "day"},
                                defaultValue = "model"))
        @QueryParam("group_by")
        @Nullable
        String groupBy) {
    private static final int DEFAULT_DAYS = 30;
    private static final int MAX_DAYS = 366;

    /** Days, both included. */
    record UsageRange(LocalDate from, LocalDate to) {}

    UsageRange range(LocalDate today, RequestValidator validator) {
        LocalDate last = day(to, "to", today, validator);
        LocalDate first = day(from, "from", last.minusDays(DEFAULT_DAYS - 1), validator);
        validator.requireParameter(
                !first.isAfter(last) && first.isAfter(last.minusDays(MAX_DAYS)),
                ViolationCode.OUT_OF_RANGE,
                "from",
                "'from' must be at most " + (MAX_DAYS - 1) + " days before 'to', and not after it.");
        return new UsageRange(first, last);
    }

    UsageGrouping grouping(RequestValidator validator) {
        return validator.parameterEnum(groupBy, "group_by", UsageGrouping.class).orElse(UsageGrouping.MODEL);
    }

    private static LocalDate day(@Nullable String text, String name, LocalDate absent, RequestValidator validator) {
        if (text == null) {
            return absent;
        }
        try {
            LocalDate day = LocalDate.parse(text);
            if (day.getYear() > 2000 && day.getYear() < 9000) {
                return day;
            }
        } catch (DateTimeException _) {
            // Reported below.
        }
        validator.requireParameter(
                false, ViolationCode.INVALID_FORMAT, name, "'" + name + "' must be a day such as 2026-01-31.");
        return absent;
    }
}
