package dev.parley.workflow.definition;

import dev.parley.http.RequestValidator;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.DefinitionLimits;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The positions of a workflow's tasks in the editor's graph, and the notes beside them (docs/decisions/0096).
 * Presentation only: no engine reads it, and it may name tasks that were deleted or not saved yet.
 */
@Schema(
        name = "TaskPositions",
        requiredProperties = {"positions"})
public record TaskPositions(
        @Schema(
                type = SchemaType.OBJECT,
                additionalProperties = TaskPositions.Point.class,
                description = "By task id; tasks without a position are laid out automatically.")
        @Nullable
        Map<String, @Nullable Point> positions,

        @Schema(
                type = SchemaType.ARRAY,
                implementation = TaskPositions.Note.class,
                description = "The notes in the graph. A request without notes keeps the stored ones.")
        @Nullable
        List<@Nullable Note> notes) {
    private static final int MAX_ID_LENGTH = 64;
    private static final int MAX_COORDINATE = 1_000_000;
    private static final int MAX_NOTES = 200;
    private static final int MAX_NOTE_LENGTH = 4_000;
    private static final int MAX_NOTE_SIDE = 10_000;

    /** The upper left corner of a task, in pixels of the graph at 100%. */
    @Schema(
            name = "TaskPosition",
            requiredProperties = {"x", "y"})
    public record Point(
            @Schema(examples = "350") @Nullable Double x,
            @Schema(examples = "-120") @Nullable Double y) {}

    /** A note: its upper left corner and its size, in pixels of the graph at 100%, and its text. */
    @Schema(
            name = "GraphNote",
            requiredProperties = {"id", "x", "y", "width", "height", "text"})
    public record Note(
            @Schema(examples = "note_1") @Nullable String id,
            @Schema(examples = "0") @Nullable Double x,
            @Schema(examples = "-200") @Nullable Double y,
            @Schema(examples = "240") @Nullable Double width,
            @Schema(examples = "120") @Nullable Double height,

            @Schema(examples = "Ask finance before changing this limit.") @Nullable
            String text) {}

    /** Validates the coordinates, and that there are no more positions than a definition has tasks. */
    TaskPositions checked() {
        var validator = new RequestValidator();
        if (positions == null) {
            throw ApiProblem.invalid(Violation.missing("/positions"));
        }
        validator.require(
                positions.size() <= DefinitionLimits.TASKS,
                "/positions",
                "'/positions' must have at most " + DefinitionLimits.TASKS + " tasks.");
        validator.done();
        Map<String, @Nullable Point> whole = new LinkedHashMap<>();
        positions.forEach((id, point) -> {
            String path = "/positions/" + id.replace("~", "~0").replace("/", "~1");
            validator.text(id, path, 1, MAX_ID_LENGTH);
            validator.require(
                    point != null && near(point.x()) && near(point.y()),
                    path,
                    "'" + path + "' must have x and y, numbers of at most " + MAX_COORDINATE + " either way.");
            whole.put(id, point);
        });
        checkNotes(validator);
        validator.done();
        return new TaskPositions(whole, notes);
    }

    private void checkNotes(RequestValidator validator) {
        if (notes == null) {
            return;
        }
        validator.require(notes.size() <= MAX_NOTES, "/notes", "'/notes' must have at most " + MAX_NOTES + " notes.");
        Set<String> ids = new HashSet<>();
        for (int index = 0; index < Math.min(notes.size(), MAX_NOTES); index++) {
            String path = "/notes/" + index;
            Note note = notes.get(index);
            if (note == null) {
                validator.require(false, path, "'" + path + "' must be an object.");
                continue;
            }
            String id = validator.text(note.id(), path + "/id", 1, MAX_ID_LENGTH);
            validator.require(ids.add(id), path + "/id", "'" + path + "/id' must be unique.");
            validator.text(note.text(), path + "/text", 0, MAX_NOTE_LENGTH);
            validator.require(
                    near(note.x()) && near(note.y()),
                    path,
                    "'" + path + "' must have x and y, numbers of at most " + MAX_COORDINATE + " either way.");
            validator.require(
                    isSide(note.width()) && isSide(note.height()),
                    path,
                    "'" + path + "' must have width and height, numbers from 1 to " + MAX_NOTE_SIDE + ".");
        }
    }

    private static boolean isSide(@Nullable Double side) {
        return side != null && side >= 1 && side <= MAX_NOTE_SIDE;
    }

    private static boolean near(@Nullable Double coordinate) {
        return coordinate != null && Math.abs(coordinate) <= MAX_COORDINATE;
    }
}
