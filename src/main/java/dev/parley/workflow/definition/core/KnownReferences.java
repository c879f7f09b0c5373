package dev.parley.workflow.definition.core;

import dev.parley.datalake.core.ColumnType;
import dev.parley.id.UserId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What exists in the organization for a definition to name. It is an argument of the validator, which so stays pure.
 * A catalogue that is null is not asked: such references are taken as they are.
 *
 * @param users who may be given a ticket
 * @param teams by their integer ids
 * @param tools the tool catalogue by {@code tool_id}
 * @param codeArtifacts by {@code code_artifact_id}
 * @param dataLakes the columns of each by {@code data_lake_id}
 */
public record KnownReferences(
        Set<UserId> users,
        Set<Integer> teams,
        @Nullable Map<Integer, KnownTool> tools,
        @Nullable Set<Integer> codeArtifacts,
        @Nullable Map<String, Map<String, ColumnType>> dataLakes) {
    public KnownReferences {
        users = Set.copyOf(users);
        teams = Set.copyOf(teams);
        tools = tools == null ? null : Map.copyOf(tools);
        codeArtifacts = codeArtifacts == null ? null : Set.copyOf(codeArtifacts);
        dataLakes = dataLakes == null ? null : Map.copyOf(dataLakes);
    }

    /** The two names that belong to a tool's id. */
    public record KnownTool(String provider, String name) {}

    /** People and teams, and no catalogue of tools, code artifacts or data lakes to ask. */
    public static KnownReferences assignees(Set<UserId> users, Set<Integer> teams) {
        return new KnownReferences(users, teams, null, null, null);
    }
}
