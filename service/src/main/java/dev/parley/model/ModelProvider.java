package dev.parley.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A provider of models, without its credential and the values of its headers. */
@Schema(name = "ModelProvider")
public record ModelProvider(
        @Schema(examples = "1") int id,
        @Schema(examples = "OpenAI") String name,

        @Schema(enumeration = {"openai", "anthropic"}) String kind,

        @Schema(examples = "https://api.openai.com/v1") String baseUrl,

        @Schema(description = "Version of the API, for Azure and Anthropic; null for the default") @Nullable
        String apiVersion,

        boolean hasCredential,

        @Schema(description = "Names of the additional headers; their values are never returned")
        List<String> headerNames,

        @Schema(description = "The number of its models") int models,
        String createdBy,
        Instant createdAt,
        String updatedBy,
        Instant updatedAt,
        @JsonIgnore int revision) {
    public ModelProvider {
        headerNames = List.copyOf(headerNames);
    }
}
