package dev.parley.tool;

import dev.parley.id.OrganizationId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** The tools that a definition may reference, for the validator. */
public final class KnownTools {
    /** The two names of a tool. */
    public record ToolNames(String provider, String tool) {}

    private KnownTools() {}

    /** The available tools among these ids, with their names. */
    public static Map<Integer, ToolNames> of(Handle handle, OrganizationId organization, Collection<Integer> ids) {
        Map<Integer, ToolNames> known = new HashMap<>();
        for (int id : ids) {
            BuiltInToolId.of(id)
                    .ifPresent(tool -> known.put(id, new ToolNames(BuiltInToolId.PROVIDER, tool.toolName())));
        }
        handle.createQuery("""
                        SELECT t.id, p.name AS provider, t.name FROM tool t
                        JOIN tool_provider p ON p.organization_id = t.organization_id AND p.id = t.provider_id
                        WHERE t.organization_id = :organization AND t.id = ANY (:ids) AND t.available
                          AND p.deleted_at IS NULL""")
                .bind("organization", organization)
                .bindArray("ids", Integer.class, ids)
                .map((row, _) ->
                        Map.entry(row.getInt("id"), new ToolNames(row.getString("provider"), row.getString("name"))))
                .forEach(tool -> known.put(tool.getKey(), tool.getValue()));
        return known;
    }
}
