package dev.parley.datalake;

import java.time.Instant;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The URL and headers for the upload of a table's file.
 *
 * @param headers that the PUT must carry
 */
@Schema(name = "DataLakeUpload")
public record DataLakeUpload(
        @Schema(description = "Valid for 15 minutes and for one upload.")
        String uploadUrl,

        @Schema(examples = "PUT") String method,

        @Schema(type = SchemaType.OBJECT, additionalProperties = String.class)
        Map<String, String> headers,

        Instant expiresAt,
        long maxBytes) {
    public DataLakeUpload {
        headers = Map.copyOf(headers);
    }
}
