package dev.parley.tool;

import dev.parley.db.Database;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The tools that a definition may reference, for the validator. */
@Singleton
public final class KnownTools {
    /**
     * @param requiredArguments the names that the tool's schema requires of every call
     * @param waits whether it suspends its task
     * @param workflow whether it is a workflow, whose schemas follow
     */
    public record ToolSignature(
            String provider,
            String tool,
            Set<String> requiredArguments,
            boolean waits,
            boolean workflow,
            Map<String, Object> inputSchema,
            Map<String, Object> outputSchema) {
        public ToolSignature {
            requiredArguments = Set.copyOf(requiredArguments);
        }
    }

    private final ToolStore store;
    private final Map<BuiltInToolId, Set<String>> requiredByBuiltIn = new EnumMap<>(BuiltInToolId.class);
    private final Set<BuiltInToolId> waiting = EnumSet.noneOf(BuiltInToolId.class);

    @Inject
    public KnownTools(Database database, @Any Instance<BuiltInTool> builtIns) {
        this(database, (Iterable<BuiltInTool>) builtIns);
    }

    public KnownTools(Database database, Iterable<BuiltInTool> builtIns) {
        this.store = database.statements(ToolStore.class);
        for (BuiltInTool tool : builtIns) {
            requiredByBuiltIn.put(tool.tool(), requiredArguments(tool.inputSchema()));
            if (tool instanceof WaitingTool) {
                waiting.add(tool.tool());
            }
        }
    }

    /** The available tools among these ids. */
    public Map<Integer, ToolSignature> find(OrganizationId organization, Collection<Integer> ids) {
        Map<Integer, ToolSignature> known = new HashMap<>();
        for (int id : ids) {
            BuiltInToolId.of(id)
                    .ifPresent(tool -> known.put(
                            id,
                            new ToolSignature(
                                    BuiltInToolId.PROVIDER,
                                    tool.toolName(),
                                    requiredByBuiltIn.getOrDefault(tool, Set.of()),
                                    waiting.contains(tool),
                                    false,
                                    Map.of(),
                                    Map.of())));
        }
        store.signatures(organization, List.copyOf(ids)).forEach(stored -> known.put(stored.id(), signature(stored)));
        return known;
    }

    private static ToolSignature signature(ToolStore.StoredSignature stored) {
        Map<String, Object> inputSchema = StrictJson.readObject(stored.inputSchema());
        boolean isWorkflow = stored.providerId() == WorkflowProvider.ID;
        return new ToolSignature(
                stored.provider(),
                stored.name(),
                requiredArguments(inputSchema),
                false,
                isWorkflow,
                inputSchema,
                isWorkflow && stored.outputSchema() != null ? StrictJson.readObject(stored.outputSchema()) : Map.of());
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
