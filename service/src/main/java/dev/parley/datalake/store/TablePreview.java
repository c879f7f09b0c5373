package dev.parley.datalake.store;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A table as its file would be imported. */
@Schema(name = "DataLakePreview")
public record TablePreview(
        long rows,
        List<PreviewColumn> columns,

        @Schema(description = "Of a workbook: the sheet that is read, and then the other visible ones, at most 200")
        @Nullable
        List<String> sheets,

        @Schema(description = "What a person should know, such as rows above the header") @Nullable
        List<String> notes) {
    public TablePreview {
        columns = List.copyOf(columns);
        sheets = sheets == null ? List.of() : List.copyOf(sheets);
        notes = notes == null ? List.of() : List.copyOf(notes);
    }

    /** A column with its first different values. */
    @Schema(name = "DataLakePreviewColumn")
    public record PreviewColumn(
            @Schema(examples = "amount") String name,

            @Schema(examples = "DOUBLE") String type,

            @Schema(description = DataLake.NOTE) @Nullable String note,

            @Schema(description = DataLake.CHOSEN) @Nullable String chosen,

            @Schema(description = "At most three, as the file writes them; none for parquet") @Nullable
            List<String> samples) {
        public PreviewColumn {
            samples = samples == null ? List.of() : List.copyOf(samples);
        }
    }
}
