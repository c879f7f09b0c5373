package dev.parley.organization;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A team; its id counts from 1 per organization. */
@Schema(name = "Team")
public record Team(
        @Schema(examples = "3") int id,
        @Schema(examples = "Accounting") String name,

        @Schema(description = "Number of members") int members,

        Instant createdAt,
        Instant updatedAt,

        @Schema(description = "Who renamed it last; system if nobody did", examples = "system")
        String updatedBy,

        @JsonIgnore int revision) {}
