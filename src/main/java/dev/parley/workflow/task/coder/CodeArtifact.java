package dev.parley.workflow.task.coder;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.workflow.definition.core.OutputType;
import dev.parley.workflow.definition.core.ValueType;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A piece of code that Coder tasks run, at one of its versions, which never change.
 *
 * @param source left out of lists
 * @param createdBy who made this version
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

        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Not in lists.") @Nullable
        String source,

        List<CodeInput> inputs,
        List<CodeOutput> outputs,
        String createdBy,
        Instant createdAt,

        @Schema(description = "When its newest version was made.")
        Instant updatedAt) {

    public CodeArtifact {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** An input that the code declares; a dry run checks its values by it. */
    @Schema(name = "CodeInput")
    public record CodeInput(
            @Schema(required = true) @Nullable String name,
            @Schema(required = true) @Nullable ValueType type,
            @Nullable String description,
            @Schema(defaultValue = "true") @Nullable Boolean required) {}

    /** An output that the code declares; a dry run checks its result by it. */
    @Schema(name = "CodeOutput")
    public record CodeOutput(
            @Schema(required = true) @Nullable String name,
            @Schema(required = true) @Nullable OutputType type,
            @Nullable String description) {}

    /** A line of the list of versions. */
    @Schema(name = "CodeArtifactVersion")
    public record Version(int version, String createdBy, Instant createdAt) {}
}
