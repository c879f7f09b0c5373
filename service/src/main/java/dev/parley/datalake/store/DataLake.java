package dev.parley.datalake.store;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.parley.http.RequestValidator;
import dev.parley.id.DataLakeId;
import dev.parley.problem.ViolationCode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A table of the organization.
 *
 * @param rows 0 while PENDING
 * @param columns empty while PENDING
 * @param s3Uri null if it was uploaded
 * @param s3Objects null while PENDING, and if it was uploaded
 * @param readAt null while PENDING, and if it was uploaded and not replaced since
 * @param sheet null if no sheet was chosen
 */
@Schema(name = "DataLake")
public record DataLake(
        @Schema(description = "data_lake_id of an input parameter")
        DataLakeId id,

        @Schema(examples = "Orders 2029") String name,

        @Schema(description = "The format of the upload", examples = "csv")
        Format format,

        DataLakeStatus status,

        @Schema(examples = "1000000") long rows,

        List<Column> columns,

        @Schema(
                description = "The source: an object or, with a trailing slash, all objects under a prefix",
                examples = "s3://acme-data/orders/2029/")
        @Nullable
        String s3Uri,

        @Schema(description = "Number of the objects", examples = "12") @Nullable
        Integer s3Objects,

        @Schema(nullable = true, description = "When the objects were last read, or the rows replaced by a file")
        @Nullable
        Instant readAt,

        @Schema(description = "The sheet of a workbook that was chosen for the import") @Nullable
        String sheet,

        @Schema(description = "What the import left out or could not decide, for people")
        List<String> notes,

        String createdBy,
        Instant createdAt) {
    static final String NOTE = "Why the column is text although values of it look like another type; null otherwise";
    static final String CHOSEN = "The type that was chosen for the import; null if the values decided";

    public DataLake {
        columns = List.copyOf(columns);
        notes = List.copyOf(notes);
    }

    /** The next import of the same source, whatever columns it has. */
    public DataLakeStore.Replacement replacedWith(ImportOptions options) {
        return new DataLakeStore.Replacement(format, options, true);
    }

    /** A column: its name in the file and the engine's name of its type. */
    @Schema(name = "DataLakeColumn")
    public record Column(
            @Schema(examples = "amount") String name,

            @Schema(examples = "DOUBLE") String type,

            @Schema(description = NOTE) @Nullable String note,

            @Schema(description = CHOSEN) @Nullable String chosen) {}

    /** Whether it can be read. */
    @Schema(name = "DataLakeStatus")
    public enum DataLakeStatus {
        /** Its file has not been imported yet. */
        PENDING,
        READY
    }

    /** The supported formats. */
    @Schema(name = "DataLakeFormat")
    public enum Format {
        CSV("text/csv"),
        JSONL("application/x-ndjson"),
        PARQUET("application/vnd.apache.parquet"),
        XLSX("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");

        private final String contentType;

        Format(String contentType) {
            this.contentType = contentType;
        }

        /** The content type of the upload. */
        public String contentType() {
            return contentType;
        }

        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The format in a request's body; an unknown one is a violation. */
        public static Optional<Format> of(@Nullable String text, RequestValidator validator) {
            Optional<Format> format =
                    Stream.of(values()).filter(each -> each.text().equals(text)).findFirst();
            validator.require(
                    text == null || format.isPresent(),
                    ViolationCode.NOT_ONE_OF,
                    "/format",
                    "'/format' must be csv, jsonl, parquet or xlsx.",
                    Map.of("allowed", List.of("csv", "jsonl", "parquet", "xlsx")));
            return format;
        }
    }
}
