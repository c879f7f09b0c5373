package dev.parley.workflow.definition.core;

import dev.parley.id.UserId;
import java.util.Map;
import java.util.Set;

/**
 * What exists in the organization for a definition to name. It is an argument of the validator, which so stays pure.
 *
 * @param users who may be given a ticket
 * @param teams by their integer ids
 * @param tools the tool catalogue by {@code tool_id}
 * @param codeArtifacts by {@code code_artifact_id}
 * @param dataLakes by {@code data_lake_id}
 */
public record KnownReferences(
        Set<UserId> users,
        Set<Integer> teams,
        Map<Integer, Tool> tools,
        Set<Integer> codeArtifacts,
        Set<String> dataLakes) {
    public KnownReferences {
        users = Set.copyOf(users);
        teams = Set.copyOf(teams);
        tools = Map.copyOf(tools);
        codeArtifacts = Set.copyOf(codeArtifacts);
        dataLakes = Set.copyOf(dataLakes);
    }

    /** The two names that belong to a tool's id. */
    public record Tool(String provider, String name) {}

    /** People and teams alone. */
    public static KnownReferences assignees(Set<UserId> users, Set<Integer> teams) {
        return new KnownReferences(users, teams, Map.of(), Set.of(), Set.of());
    }
}
