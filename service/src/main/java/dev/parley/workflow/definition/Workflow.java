package dev.parley.workflow.definition;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.id.WorkflowId;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A workflow in a list; the dashboard calls it an agent. */
@Schema(name = "Workflow")
public record Workflow(
        @Schema(examples = "0192f0c1a2b37c4d8e5f60718293a4b5")
        WorkflowId id,

        @Schema(description = "The draft's name", examples = "Invoice approval")
        String name,

        @Schema(description = "The draft's description") String description,

        @Schema(description = "Whether the draft was valid when it was saved")
        boolean valid,

        @Schema(description = "The newest published version; null if there is none") @Nullable
        Integer publishedVersion,

        @Schema(description = "Whether the draft differs from the newest published version")
        boolean unpublishedChanges,

        @Schema(examples = "user:0192f0c1a2b37c4d8e5f60718293a4b5")
        String createdBy,

        Instant createdAt,
        Instant updatedAt,

        @Schema(description = "Who saved the draft last", examples = "user:0192f0c1a2b37c4d8e5f60718293a4b5")
        String updatedBy,

        @JsonIgnore int revision,

        @Schema(description = "Time of archiving; an archived workflow starts no instances", nullable = true) @Nullable
        Instant archivedAt) {}
