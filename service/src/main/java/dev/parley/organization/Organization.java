package dev.parley.organization;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.parley.id.OrganizationId;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A tenant, as the API shows it. */
@Schema(name = "Organization")
public record Organization(
        @Schema(examples = "0192f0c1a2b37c4d8e5f60718293a4b5")
        OrganizationId id,

        @Schema(examples = "Acme") String name,

        @Schema(
                description = "The caller's role; null for an operator who is not a member",
                enumeration = {"owner", "admin", "member"},
                nullable = true)
        @Nullable
        String role,

        @Schema(description = "The limit set by an operator; null for the installation's default", nullable = true)
        @Nullable
        Integer messagesPerMinute,

        @Schema(description = "The limit that applies", examples = "1000")
        int messageLimit,

        @Schema(description = "The installation's default limit", examples = "1000")
        int defaultMessageLimit,

        @Schema(
                description = "The models that an operator allows: default for the installation's model, the host of a "
                        + "provider for all its models, or host/name for one; null for all models",
                examples = "[\"default\", \"api.openai.com\"]",
                nullable = true)
        @Nullable
        List<String> allowedModels,

        @Schema(description = "The number of members, with invited people who have not joined yet", examples = "12")
        int members,

        Instant createdAt,
        Instant updatedAt,

        @Schema(description = "Who changed the settings last; system if nobody did", examples = "system")
        String updatedBy,

        @JsonIgnore int revision) {}
