package dev.parley.workflow.definition;

import java.time.Instant;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A published, immutable version. */
@Schema(name = "WorkflowVersion")
public record WorkflowVersion(
        @Schema(description = "Counts from 1", examples = "1")
        int version,

        @Schema(examples = "user:0192f0c1a2b37c4d8e5f60718293a4b5")
        String publishedBy,

        Instant publishedAt,

        @Schema(description = "What changed, in the words of the person who published it") @Nullable
        String note,

        @Schema(type = SchemaType.OBJECT, description = "The workflow definition")
        Map<String, @Nullable Object> document) {

    /** A version in a list. */
    @Schema(name = "WorkflowVersionSummary")
    public record Summary(
            int version,
            String publishedBy,
            Instant publishedAt,
            @Nullable String note) {}
}
