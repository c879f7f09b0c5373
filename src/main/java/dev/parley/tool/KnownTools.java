package dev.parley.tool;

import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

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

    private final Map<BuiltInToolId, Set<String>> requiredByBuiltIn = new EnumMap<>(BuiltInToolId.class);
    private final Set<BuiltInToolId> waiting = EnumSet.noneOf(BuiltInToolId.class);

    @Inject
    public KnownTools(@Any Instance<BuiltInTool> builtIns) {
        this((Iterable<BuiltInTool>) builtIns);
    }

    public KnownTools(Iterable<BuiltInTool> builtIns) {
        for (BuiltInTool tool : builtIns) {
            requiredByBuiltIn.put(tool.tool(), requiredArguments(tool.inputSchema()));
            if (tool instanceof WaitingTool) {
                waiting.add(tool.tool());
            }
        }
    }

    /** The available tools among these ids. */
    public Map<Integer, ToolSignature> find(Handle handle, OrganizationId organization, Collection<Integer> ids) {
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
        handle.createQuery("""
                        SELECT t.id, p.name AS provider, t.name, t.input_schema, t.output_schema, t.provider_id FROM tool t
                        JOIN tool_provider p ON p.organization_id = t.organization_id AND p.id = t.provider_id
                        WHERE t.organization_id = :organization AND t.id = ANY (:ids) AND t.available
                          AND p.deleted_at IS NULL""")
                .bind("organization", organization)
                .bindArray("ids", Integer.class, ids)
                .map((row, _) -> Map.entry(row.getInt("id"), signature(row)))
                .forEach(tool -> known.put(tool.getKey(), tool.getValue()));
        return known;
    }

    private static ToolSignature signature(ResultSet row) throws SQLException {
        Map<String, Object> inputSchema = StrictJson.readObject(row.getString("input_schema"));
        boolean isWorkflow = row.getInt("provider_id") == WorkflowProvider.ID;
        String outputSchema = isWorkflow ? row.getString("output_schema") : null;
        return new ToolSignature(
                row.getString("provider"),
                row.getString("name"),
                requiredArguments(inputSchema),
                false,
                isWorkflow,
                inputSchema,
                outputSchema == null ? Map.of() : StrictJson.readObject(outputSchema));
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
