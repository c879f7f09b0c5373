package dev.parley.workflow.instance.store;

import dev.parley.tool.catalog.WorkflowProvider;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.AppTask;
import dev.parley.workflow.instance.core.state.InstanceState;

/** An instance as stored in the database. */
public record StoredInstance(InstanceHeader header, InstanceState state) {
    /** Whether tasks may have started sub-workflows: a plain instance needs no query for them. */
    public boolean mayHaveSubWorkflows() {
        return state.plan().tasks().stream().anyMatch(task -> switch (task) {
            case AppTask app -> app.provider().equals(WorkflowProvider.NAME);
            case AiTask ai -> !ai.tools().isEmpty();
            default -> false;
        });
    }
}
