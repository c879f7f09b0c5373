package dev.parley.workflow.definition.core;

import dev.parley.datalake.core.ColumnType;
import dev.parley.id.UserId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entities of the organization that a definition may reference. Passed to the validator as an argument to keep it
 * pure. References into a catalogue that is null are not checked.
 *
 * @param users users who may be assigned a ticket
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

    /** The two names of a tool. */
    public record KnownTool(String provider, String name) {}

    /** References to people and teams only; other catalogues are not checked. */
    public static KnownReferences assignees(Set<UserId> users, Set<Integer> teams) {
        return new KnownReferences(users, teams, null, null, null);
    }
}
