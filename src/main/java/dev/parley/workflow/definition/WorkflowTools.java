package dev.parley.workflow.definition;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.tool.DiscoveredTool;
import dev.parley.tool.WorkflowProvider;
import dev.parley.workflow.definition.core.DefinitionValidator;
import dev.parley.workflow.definition.core.WorkflowDefinition;
import dev.parley.workflow.definition.core.WorkflowSignature;
import java.time.Instant;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Offers published workflows as tools, so that other workflows can run them. */
final class WorkflowTools {
    private WorkflowTools() {}

    /** @param document without violations */
    static void offer(
            Handle handle,
            OrganizationId organization,
            WorkflowId id,
            Map<String, @Nullable Object> document,
            Instant now) {
        WorkflowDefinition definition = DefinitionValidator.readStored(document).required();
        WorkflowSignature signature = WorkflowSignature.of(definition);
        var tool = new DiscoveredTool(
                id.text(),
                definition.name(),
                definition.description(),
                signature.inputSchema(),
                signature.outputSchema(),
                "{}");
        WorkflowProvider.offer(handle, organization, tool, now);
    }
}
