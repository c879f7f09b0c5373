package dev.parley.audit;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A field that an action changed. Values are text and never secrets. */
@Schema(name = "AuditChange")
public record AuditChange(
        @Schema(examples = "role") String field,

        @Schema(description = "Null if the field was not set", examples = "member", nullable = true) @Nullable
        String before,

        @Schema(description = "Null if the field is no longer set", examples = "admin", nullable = true) @Nullable
        String after) {}
