package dev.parley.workflow.task.coder;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.http.constraint.Name;
import dev.parley.http.constraint.Text;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Code for Coder tasks, at one of its immutable versions.
 *
 * @param source omitted from lists
 * @param createdBy the creator of this version
 */
@Schema(name = "CodeArtifact")
public record CodeArtifact(
        @Schema(description = "Counts per organization; the code_artifact_id of Coder tasks.", examples = "1")
        int id,

        String name,

        @Schema(
                type = SchemaType.STRING,
                enumeration = {"javascript", "python"})
        CodeLanguage language,

        @Schema(examples = "1") int version,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Omitted from lists.") @Nullable
        String source,

        List<CodeInput> inputs,
        List<CodeOutput> outputs,
        String createdBy,
        Instant createdAt,

        @Schema(description = "Creation time of the newest version.")
        Instant updatedAt) {

    public CodeArtifact {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** An input declared by the code; a dry run validates its values. */
    @Schema(name = "CodeInput")
    public record CodeInput(
            @NotNull @Name String name,
            @NotNull ValueType type,
            @Text(max = 1_000) @Nullable String description,
            @Schema(defaultValue = "true") @Nullable Boolean required,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(
                    type = SchemaType.OBJECT,
                    description =
                            "The type of an ARRAY's items, as in the input parameters of a workflow. Omitted: any items.")
            @Nullable
            Map<String, @Nullable Object> items) {}

    /** An output declared by the code; a dry run validates its result. */
    @Schema(name = "CodeOutput")
    public record CodeOutput(
            @NotNull @Name String name,
            @NotNull OutputType type,
            @Text(max = 1_000) @Nullable String description) {}

    /** An entry of the version list. */
    @Schema(name = "CodeArtifactVersion")
    public record Version(int version, String createdBy, Instant createdAt) {}
}
