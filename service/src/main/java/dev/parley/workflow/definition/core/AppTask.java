package dev.parley.workflow.definition.core;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.KnownReferences.KnownTool;
import dev.parley.workflow.definition.core.document.DefinitionLimits;
import dev.parley.workflow.definition.core.document.DocumentProperty;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.document.ObjectReader;
import dev.parley.workflow.definition.core.document.PlainJson;
import dev.parley.workflow.definition.core.document.ViolationCollector;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.TaskBasics;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A task that calls a tool of the organization's catalogue. */
public record AppTask(TaskBasics basics, String provider, String toolName, int toolId) implements Task {
    static final DocumentProperty<String> PROVIDER = DocumentProperty.text("provider", DefinitionLimits.NAME);
    static final DocumentProperty<Integer> TOOL_ID = DocumentProperty.integer("tool_id", 1, Integer.MAX_VALUE);
    static final DocumentProperty<String> TOOL_NAME = DocumentProperty.text("tool_name", DefinitionLimits.NAME);

    @Override
    public TaskKind kind() {
        return TaskKind.APP;
    }

    static @Nullable Function<TaskBasics, Task> read(
            ObjectReader fields,
            @Nullable KnownReferences known,
            ControlFlow flow,
            List<ReadTask.ReadInput> inputs,
            List<ReadTask.ReadOutput> outputs) {
        String provider = fields.read(PROVIDER);
        String toolName = fields.read(TOOL_NAME);
        Integer id = fields.read(TOOL_ID);
        if (provider == null || toolName == null || id == null) {
            return null;
        }
        KnownTool tool = known == null ? null : known.tools().get(id);
        ViolationCollector violations = fields.violations();
        JsonPointer at = fields.at().to(TOOL_ID.name());
        if (known != null && tool == null) {
            violations.missing(
                    ViolationCode.NOT_FOUND,
                    at,
                    "There is no tool with the id " + id + " in the organization.",
                    Map.of("id", id));
        } else if (tool != null
                && !(tool.provider().equals(provider) && tool.name().equals(toolName))) {
            violations.missing(
                    ViolationCode.MISMATCH,
                    at,
                    "The tool with the id %d is '%s' of the provider '%s', not '%s' of '%s'."
                            .formatted(
                                    id,
                                    tool.name(),
                                    tool.provider(),
                                    PlainJson.shown(toolName),
                                    PlainJson.shown(provider)));
        } else if (tool != null) {
            String user = (tool.workflow() == null ? "The tool '" : "The workflow '") + PlainJson.shown(toolName) + "'";
            SuppliedInputs.check(tool.requiredArguments(), inputs, fields, user);
            if (tool.workflow() != null) {
                new WorkflowCallValidator(tool.workflow(), flow, fields).check(inputs, outputs);
            }
        }
        return basics -> new AppTask(basics, provider, toolName, id);
    }
}
