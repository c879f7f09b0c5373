package dev.parley.datalake.read;

import dev.parley.datalake.store.DataLake;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The statistics of a table's columns. */
@Schema(name = "DataLakeStatistics")
public record LakeStatistics(
        @Schema(description = "In the order of the columns") List<ColumnStatistics> columns) {
    public LakeStatistics {
        columns = List.copyOf(columns);
    }

    /** The statistics of a column. */
    @Schema(name = "DataLakeColumnStatistics")
    public record ColumnStatistics(
            @Schema(examples = "amount") String name,

            @Schema(examples = "DOUBLE") String type,

            @Schema(description = "The number of rows without a value")
            long nulls,

            @Schema(description = "The number of different values; approximate beyond 100,000 rows")
            long distinct,

            @Schema(description = "The smallest value as text, at most 100 characters; null for lists and objects")
            @Nullable
            String min,

            @Schema(description = "The largest value, likewise") @Nullable
            String max,

            @Schema(description = "The average as text; null for columns without numbers") @Nullable
            String mean,

            @Schema(
                    description = "At most three values that several rows have, the most frequent first; none beyond"
                            + " 100,000 rows, and none for lists and objects")
            List<FrequentValue> frequent) {
        public static ColumnStatistics of(DataLake.Column column, Map<String, @Nullable Object> read) {
            return new ColumnStatistics(
                    column.name(),
                    column.type(),
                    read.get("nulls") instanceof Number nulls ? nulls.longValue() : 0,
                    read.get("distinct") instanceof Number distinct ? distinct.longValue() : 0,
                    read.get("min") instanceof String min ? min : null,
                    read.get("max") instanceof String max ? max : null,
                    read.get("mean") instanceof String mean ? mean : null,
                    read.get("frequent") instanceof List<?> values ? FrequentValue.of(values) : List.of());
        }
    }

    /** A value that several rows have. */
    @Schema(name = "DataLakeFrequentValue")
    public record FrequentValue(
            @Schema(description = "As text, at most 100 characters")
            String value,

            @Schema(description = "The number of rows with it")
            long count) {
        static List<FrequentValue> of(List<?> values) {
            return values.stream().map(each -> of((Map<?, ?>) each)).toList();
        }

        private static FrequentValue of(Map<?, ?> read) {
            return new FrequentValue(
                    String.valueOf(read.get("value")),
                    read.get("count") instanceof Number count ? count.longValue() : 0);
        }
    }
}
