package dev.parley.model;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The capabilities of a model; null where unknown. */
@Schema(name = "ModelCapabilities")
public record ModelCapabilities(
        @Schema(description = "Call tools") @Nullable Boolean tools,
        @Schema(description = "See images") @Nullable Boolean images,

        @Schema(description = "Reply with JSON that matches a schema") @Nullable
        Boolean jsonSchema,

        @Schema(description = "Reply with a JSON object") @Nullable
        Boolean jsonObject,

        @Schema(description = "Send the reply while it writes it") @Nullable
        Boolean streaming,

        @Schema(description = "Reason before it replies") @Nullable
        Boolean reasoning) {
    public static final ModelCapabilities UNKNOWN = new ModelCapabilities(null, null, null, null, null, null);

    /** These capabilities, and where they are unknown the given ones. */
    public ModelCapabilities or(ModelCapabilities other) {
        return new ModelCapabilities(
                tools == null ? other.tools : tools,
                images == null ? other.images : images,
                jsonSchema == null ? other.jsonSchema : jsonSchema,
                jsonObject == null ? other.jsonObject : jsonObject,
                streaming == null ? other.streaming : streaming,
                reasoning == null ? other.reasoning : reasoning);
    }
}
