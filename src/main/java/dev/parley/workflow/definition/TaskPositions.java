package dev.parley.workflow.definition;

import dev.parley.http.RequestValidator;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.DefinitionLimits;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The positions of a workflow's tasks in the editor's graph (docs/decisions/0096). Presentation only: no engine reads
 * it, and it may name tasks that were deleted or not saved yet.
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
        Map<String, @Nullable Point> positions) {
    private static final int MAX_ID_LENGTH = 64;
    private static final int MAX_COORDINATE = 1_000_000;

    /** The upper left corner of a task, in pixels of the graph at 100 %. */
    @Schema(
            name = "TaskPosition",
            requiredProperties = {"x", "y"})
    public record Point(
            @Schema(examples = "350") @Nullable Double x,
            @Schema(examples = "-120") @Nullable Double y) {}

    /**
     * Validates that these positions are integral and no more than a definition has tasks; a 400 names the violations.
     */
    TaskPositions checked() {
        var checks = new RequestValidator();
        if (positions == null) {
            throw ApiProblem.invalid(Violation.missing("/positions"));
        }
        checks.require(
                positions.size() <= DefinitionLimits.TASKS,
                "/positions",
                "'/positions' must have at most " + DefinitionLimits.TASKS + " tasks.");
        checks.done();
        Map<String, @Nullable Point> whole = new LinkedHashMap<>();
        positions.forEach((id, point) -> {
            String path = "/positions/" + id.replace("~", "~0").replace("/", "~1");
            checks.text(id, path, 1, MAX_ID_LENGTH);
            checks.require(
                    point != null && near(point.x()) && near(point.y()),
                    path,
                    "'" + path + "' must have x and y, numbers of at most " + MAX_COORDINATE + " either way.");
            whole.put(id, point);
        });
        checks.done();
        return new TaskPositions(whole);
    }

    private static boolean near(@Nullable Double coordinate) {
        return coordinate != null && Math.abs(coordinate) <= MAX_COORDINATE;
    }
}
