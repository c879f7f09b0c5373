package dev.parley.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.math.BigDecimal;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A model of an organization, or the installation's, which every organization has. */
@Schema(name = "Model")
public record OrganizationModel(
        @Schema(examples = "1000") int id,

        @Schema(description = "null for the installation's model") @Nullable
        Integer providerId,

        @Schema(description = "The name in definitions and conversations; default for the installation's model")
        String alias,

        @Schema(description = "The provider's name for it", examples = "gpt-5-mini")
        String name,

        @Schema(description = "Input and output tokens that fit into one request; null if unknown") @Nullable
        Integer contextTokens,

        @Schema(description = "Maximum output tokens of a reply; null if unknown") @Nullable
        Integer maxOutputTokens,

        @Schema(description = "Price of a million input tokens")
        BigDecimal inputPrice,

        @Schema(description = "Price of a million input tokens from the provider's cache; null if it is the same")
        @Nullable
        BigDecimal cachedInputPrice,

        @Schema(description = "Price of a million output tokens, reasoning included")
        BigDecimal outputPrice,

        ModelCapabilities capabilities,

        @Schema(description = "Whether it is used where no model is named")
        boolean isDefault,

        @Schema(description = "Whether the operator allows the organization to use it")
        boolean allowed,

        String createdBy,
        @Schema(nullable = true) @Nullable Instant createdAt,
        String updatedBy,
        @Schema(nullable = true) @Nullable Instant updatedAt,
        @JsonIgnore int revision) {
    /** The id of the installation's model. */
    public static final int INSTALLATION_ID = 1;

    /** Ids below are reserved. */
    public static final int FIRST_OWN_ID = 1000;

    /** The alias of the installation's model, and of the organization's own default model if it has one. */
    public static final String DEFAULT = "default";
}
