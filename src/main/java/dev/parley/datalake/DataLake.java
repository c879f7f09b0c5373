package dev.parley.datalake;

import dev.parley.id.DataLakeId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A table of the organization.
 *
 * @param rows 0 while it is PENDING
 * @param columns empty while it is PENDING
 */
@Schema(name = "DataLake")
public record DataLake(
        @Schema(description = "data_lake_id of an input parameter")
        DataLakeId id,

        @Schema(examples = "Orders 2029") String name,

        @Schema(description = "What was uploaded", examples = "csv")
        Format format,

        Status status,

        @Schema(examples = "1000000") long rows,

        List<Column> columns,
        String createdBy,
        Instant createdAt) {
    public DataLake {
        columns = List.copyOf(columns);
    }

    /** A column, by its name in the file and the engine's name of its type. */
    @Schema(name = "DataLakeColumn")
    public record Column(
            @Schema(examples = "amount") String name,

            @Schema(examples = "DOUBLE") String type) {}

    /** Whether it can be read. */
    @Schema(name = "DataLakeStatus")
    public enum Status {
        /** Its file was not imported yet. */
        PENDING,
        READY
    }

    /** What can be uploaded. */
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

        /** Of the upload. */
        public String contentType() {
            return contentType;
        }

        @com.fasterxml.jackson.annotation.JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Optional<Format> of(String text) {
            for (Format format : values()) {
                if (format.text().equals(text)) {
                    return Optional.of(format);
                }
            }
            return Optional.empty();
        }
    }
}
