package dev.parley.workflow.definition.core;

import dev.parley.problem.ViolationCode;
import dev.parley.workflow.definition.core.KnownReferences.KnownTool;
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
        Map<Integer, KnownTool> tools = known == null ? null : known.tools();
        if (tools != null) {
            KnownTool tool = tools.get(id);
            JsonPointer at = fields.at().to(TOOL_ID.name());
            if (tool == null) {
                fields.violations()
                        .missing(
                                ViolationCode.NOT_FOUND,
                                at,
                                "There is no tool with the id " + id + " in the organization.",
                                Map.of("id", id));
            } else if (!tool.isNamed(provider, toolName)) {
                fields.violations()
                        .missing(
                                ViolationCode.MISMATCH,
                                at,
                                "The tool with the id %d is '%s' of the provider '%s', not '%s' of '%s'."
                                        .formatted(
                                                id,
                                                tool.name(),
                                                tool.provider(),
                                                ValueRules.shown(toolName),
                                                ValueRules.shown(provider)));
            } else {
                SuppliedInputs.check(
                        tool.requiredArguments(),
                        inputs,
                        fields,
                        tool.workflow() == null
                                ? "The tool '" + ValueRules.shown(toolName) + "'"
                                : "The workflow '" + ValueRules.shown(toolName) + "'");
                if (tool.workflow() != null) {
                    new WorkflowCallValidator(tool.workflow(), flow, fields).check(inputs, outputs);
                }
            }
        }
        return basics -> new AppTask(basics, provider, toolName, id);
    }
}
