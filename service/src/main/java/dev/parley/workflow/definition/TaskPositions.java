package dev.parley.workflow.definition;

import dev.parley.http.RequestValidator;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Text;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The positions of a workflow's tasks in the editor's graph, and the notes beside them (docs/decisions/0091).
 * Presentation only: no engine reads it, and it may name tasks that were deleted or not saved yet.
 */
@FurtherChecks
@Schema(name = "TaskPositions")
public record TaskPositions(
        @NotNull
        @Size(max = DefinitionLimits.TASKS)
        @Schema(
                type = SchemaType.OBJECT,
                additionalProperties = TaskPositions.Point.class,
                description = "By task id; tasks without a position are laid out automatically.")
        Map<@Text(min = 1, max = 64) String, @NotNull @Valid Point> positions,

        @Size(max = 200)
        @Schema(
                type = SchemaType.ARRAY,
                implementation = TaskPositions.Note.class,
                description = "The notes in the graph. A request without notes keeps the stored ones.")
        @Nullable
        List<@NotNull @Valid Note> notes) {
    private static final int MAX_COORDINATE = 1_000_000;
    private static final int MAX_SIDE = 10_000;

    /** The upper left corner of a task, in pixels of the graph at 100%. */
    @Schema(name = "TaskPosition")
    public record Point(
            @NotNull @Min(-MAX_COORDINATE) @Max(MAX_COORDINATE) @Schema(examples = "350")
            Double x,

            @NotNull @Min(-MAX_COORDINATE) @Max(MAX_COORDINATE) @Schema(examples = "-120")
            Double y) {}

    /** A note: its upper left corner and its size, in pixels of the graph at 100%, and its text. */
    @Schema(name = "GraphNote")
    public record Note(
            @NotNull @Text(min = 1, max = 64) @Schema(examples = "note_1")
            String id,

            @NotNull @Min(-MAX_COORDINATE) @Max(MAX_COORDINATE) @Schema(examples = "0")
            Double x,

            @NotNull @Min(-MAX_COORDINATE) @Max(MAX_COORDINATE) @Schema(examples = "-200")
            Double y,

            @NotNull @Min(1) @Max(MAX_SIDE) @Schema(examples = "240")
            Double width,

            @NotNull @Min(1) @Max(MAX_SIDE) @Schema(examples = "120")
            Double height,

            @NotNull @Text(max = 4_000) @Schema(examples = "Ask finance before changing this limit.")
            String text) {}

    /** A 400 if a constraint is violated, or two notes have the same id. */
    TaskPositions checked() {
        var validator = RequestValidator.of(this);
        Set<String> ids = new HashSet<>();
        for (int i = 0; notes != null && i < notes.size(); i++) {
            String path = "/notes/" + i + "/id";
            String id = notes.get(i) == null ? null : notes.get(i).id();
            validator.require(
                    id == null || ids.add(id), ViolationCode.ALREADY_USED, path, "'" + path + "' must be unique.");
        }
        validator.done();
        return this;
    }
}
