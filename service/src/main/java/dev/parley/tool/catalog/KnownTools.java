package dev.parley.tool.catalog;

import dev.parley.db.Database;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The tools that a definition may reference, for the validator. */
@Singleton
public final class KnownTools {
    /**
     * @param waits whether it suspends its task
     * @param workflow whether it is a workflow
     * @param outputSchema empty unless it is a workflow
     */
    public record ToolSignature(
            int id,
            String provider,
            String tool,
            boolean waits,
            boolean workflow,
            Map<String, Object> inputSchema,
            Map<String, Object> outputSchema) {
        public Set<String> requiredArguments() {
            return KnownTools.requiredArguments(inputSchema);
        }
    }

    private final ToolStore store;

    public KnownTools(Database database) {
        this.store = database.statements(ToolStore.class);
    }

    /** The available tools among these ids. */
    public Map<Integer, ToolSignature> find(OrganizationId organization, Collection<Integer> ids) {
        Map<Integer, ToolSignature> known = new HashMap<>();
        for (int id : ids) {
            BuiltInToolId.of(id).ifPresent(tool -> known.put(id, signature(tool.catalogueEntry(), tool.waits())));
        }
        store.signatures(organization, List.copyOf(ids)).forEach(tool -> known.put(tool.id(), tool));
        return known;
    }

    private static ToolSignature signature(Tool tool, boolean waits) {
        Map<String, Object> inputSchema =
                StrictJson.readObject(tool.inputSchema().text());
        return new ToolSignature(tool.toolId(), tool.provider(), tool.toolName(), waits, false, inputSchema, Map.of());
    }

    /** The names that the schema of a tool requires. */
    public static Set<String> requiredArguments(Map<String, Object> schema) {
        return schema.get("required") instanceof List<?> names
                ? names.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
    }
}
