package dev.parley.workflow.definition.core;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.SchemaParts;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.part.AgentTool;
import dev.parley.workflow.definition.core.part.TaskBasics;
import dev.parley.workflow.definition.core.part.UsageLimits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A task that a model performs.
 *
 * @param tools the tools that the model may call; empty for none
 * @param limits of each run of the task
 * @param model which model performs it, and how
 */
public record AiTask(TaskBasics basics, List<AgentTool> tools, UsageLimits limits, ModelChoice model) implements Task {
    static final DocumentProperty<List<?>> TOOLS = DocumentProperty.list(
                    "tools",
                    SchemaParts.map(
                            "type",
                            "array",
                            "items",
                            AgentTool.entrySchema(),
                            "maxItems",
                            DefinitionLimits.TOOLS,
                            "uniqueItems",
                            true))
            .optional();

    public AiTask {
        tools = List.copyOf(tools);
    }

    /** A task of the default model, without limits of its own. */
    public AiTask(TaskBasics basics, List<Integer> tools) {
        this(basics, tools.stream().map(AgentTool::of).toList(), UsageLimits.NONE, ModelChoice.DEFAULT);
    }

    @Override
    public TaskKind kind() {
        return TaskKind.AI;
    }

    static Function<TaskBasics, Task> read(ObjectReader fields, @Nullable KnownReferences known) {
        List<AgentTool> tools = tools(fields, known);
        UsageLimits limits = UsageLimits.read(fields);
        ModelChoice model = ModelChoice.read(fields, known);
        return basics -> new AiTask(basics, tools, limits, model);
    }

    private static List<AgentTool> tools(ObjectReader fields, @Nullable KnownReferences known) {
        ViolationCollector violations = fields.violations();
        List<?> nodes = fields.elements(TOOLS);
        JsonPointer at = fields.at().to(TOOLS.name());
        if (nodes.size() > DefinitionLimits.TOOLS) {
            violations.invalid(
                    ViolationCode.TOO_MANY,
                    at,
                    "A task may list at most " + DefinitionLimits.TOOLS + " tools.",
                    Map.of("max", DefinitionLimits.TOOLS));
            return List.of();
        }
        List<AgentTool> tools = new ArrayList<>();
        Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < nodes.size(); i++) {
            AgentTool tool = AgentTool.read(nodes.get(i), at.to(i), violations);
            if (tool == null) {
                continue;
            }
            tools.add(tool);
            KnownReferences.KnownTool found =
                    known == null ? null : known.tools().get(tool.id());
            if (!ids.add(tool.id())) {
                violations.invalid(
                        ViolationCode.ALREADY_USED,
                        at.to(i),
                        "The tool with the id " + tool.id() + " is listed already.",
                        Map.of("value", tool.id()));
            } else if (known != null && found == null) {
                violations.missing(
                        ViolationCode.NOT_FOUND,
                        at.to(i),
                        "There is no tool with the id " + tool.id() + " in the organization.",
                        Map.of("id", tool.id()));
            } else if (found != null && found.waits()) {
                violations.invalid(
                        ViolationCode.NOT_ALLOWED,
                        at.to(i),
                        "The tool '" + found.name() + "' works in App tasks only; a model cannot call it.");
            }
        }
        return tools;
    }
}
