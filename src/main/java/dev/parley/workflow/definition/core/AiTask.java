package dev.parley.workflow.definition.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A task that a model performs.
 *
 * @param tools the {@code tool_id}s of the tools that the model may call; empty for none
 * @param limits of each run of the task
 */
public record AiTask(TaskBasics basics, List<Integer> tools, UsageLimits limits) implements Task {
    static final DocumentProperty<List<?>> TOOLS = DocumentProperty.list(
                    "tools",
                    SchemaParts.map(
                            "type",
                            "array",
                            "items",
                            SchemaParts.integer(1, Integer.MAX_VALUE),
                            "maxItems",
                            DefinitionLimits.TOOLS,
                            "uniqueItems",
                            true))
            .optional();

    public AiTask {
        tools = List.copyOf(tools);
    }

    /** A task without limits of its own. */
    public AiTask(TaskBasics basics, List<Integer> tools) {
        this(basics, tools, UsageLimits.NONE);
    }

    @Override
    public TaskKind kind() {
        return TaskKind.AI;
    }

    static Function<TaskBasics, Task> read(ObjectReader fields, @Nullable KnownReferences known) {
        List<Integer> tools = tools(fields, known);
        UsageLimits limits = UsageLimits.read(fields);
        return basics -> new AiTask(basics, tools, limits);
    }

    private static List<Integer> tools(ObjectReader fields, @Nullable KnownReferences known) {
        ViolationCollector violations = fields.violations();
        List<?> nodes = fields.elements(TOOLS);
        JsonPointer at = fields.at().to(TOOLS.name());
        if (nodes.size() > DefinitionLimits.TOOLS) {
            violations.invalid(at, "A task may list at most " + DefinitionLimits.TOOLS + " tools.");
            return List.of();
        }
        Map<Integer, KnownReferences.KnownTool> existing = known == null ? null : known.tools();
        List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            if (!(nodes.get(i) instanceof Integer id) || id < 1) {
                violations.invalid(
                        at.to(i), "A tool is named by its id, an integer from 1 to " + Integer.MAX_VALUE + ".");
            } else if (ids.contains(id)) {
                violations.invalid(at.to(i), "The tool with the id " + id + " is listed already.");
            } else {
                ids.add(id);
                if (existing != null && !existing.containsKey(id)) {
                    violations.missing(at.to(i), "There is no tool with the id " + id + " in the organization.");
                }
            }
        }
        return ids;
    }
}
