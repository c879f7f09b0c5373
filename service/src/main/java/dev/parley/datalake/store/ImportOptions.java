package dev.parley.datalake.store;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.document.TableOptions;
import dev.parley.http.RequestValidator;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Text;
import dev.parley.problem.ViolationCode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What a person decides about the import of a file instead of the service. */
@FurtherChecks
@Schema(name = "DataLakeImportOptions")
public record ImportOptions(
        @Text(min = 1, max = MAX_SHEET_LENGTH) @Schema(description = SHEET, examples = "Orders") @Nullable
        String sheet,

        @Schema(
                type = SchemaType.OBJECT,
                additionalProperties = String.class,
                description = TYPES,
                examples = "{\"amount\": \"number_comma\", \"postcode\": \"text\"}")
        @Nullable
        Map<String, String> types) {
    public static final String SHEET = "The sheet of a workbook (xlsx); by default the first visible one";
    public static final String TYPES =
            "Types of columns by name, for csv, jsonl and xlsx: text, number, number_comma (a decimal"
                    + " comma), boolean, date (the year first), date_day_first, date_month_first or timestamp. Other columns get"
                    + " the type that keeps all their values exactly, or else text. A value that is not of its column's type is"
                    + " refused with its place.";
    public static final String SHEET_AGAIN =
            "The sheet of a workbook (xlsx); by default the one that was chosen for the last import, or else the first"
                    + " visible one";
    public static final String TYPES_AGAIN = TYPES
            + " If this field is missing, the types that were chosen for the last import are used again; {} chooses"
            + " none. A parquet file has types of its own.";
    public static final int MAX_SHEET_LENGTH = 200;
    private static final int MAX_TYPES = 1_000;

    private static final Set<String> NAMES = Set.of(
            "text", "number", "number_comma", "boolean", "date", "date_day_first", "date_month_first", "timestamp");

    public static final ImportOptions DEFAULT = new ImportOptions(null, null);

    /** The options of the table's last import, for the next one. */
    public static ImportOptions of(DataLake lake) {
        Map<String, String> types = new HashMap<>();
        lake.columns().forEach(column -> {
            if (column.chosen() != null) {
                types.put(column.name(), column.chosen());
            }
        });
        return new ImportOptions(lake.sheet(), types);
    }

    /** These options, with those of the table's last import where the request has none and the format allows them. */
    public ImportOptions withDefaultsOf(DataLake lake, DataLake.Format format) {
        ImportOptions last = of(lake);
        return new ImportOptions(
                sheet == null && format == DataLake.Format.XLSX ? last.sheet : sheet,
                types == null && format != DataLake.Format.PARQUET ? last.types : types);
    }

    public @JsonIgnore boolean isDefault() {
        return sheet == null && (types == null || types.isEmpty());
    }

    /** Checks what the format allows. */
    public void validate(DataLake.Format format, RequestValidator validator) {
        validator.require(
                sheet == null || format == DataLake.Format.XLSX,
                ViolationCode.NOT_ALLOWED,
                "/sheet",
                "'/sheet' is allowed only for xlsx.");
        if (types == null || types.isEmpty()) {
            return;
        }
        validator.require(
                format != DataLake.Format.PARQUET,
                ViolationCode.NOT_ALLOWED,
                "/types",
                "'/types' is not allowed for parquet, which has types.");
        validator.require(
                types.size() <= MAX_TYPES,
                ViolationCode.TOO_MANY,
                "/types",
                "'/types' has at most " + MAX_TYPES + " columns.",
                Map.of("max", MAX_TYPES));
        validator.require(
                types.values().stream().allMatch(type -> type != null && NAMES.contains(type)),
                ViolationCode.NOT_ONE_OF,
                "/types",
                "The values of '/types' must be text, number, number_comma, boolean, date, date_day_first,"
                        + " date_month_first or timestamp.");
    }

    TableOptions table() {
        return new TableOptions(false, sheet == null ? "" : sheet, types == null ? Map.of() : types);
    }
}
