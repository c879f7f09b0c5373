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
 * @param codeArtifacts the names of the inputs that each requires, by {@code code_artifact_id}
 * @param dataLakes the columns of each by {@code data_lake_id}
 */
public record KnownReferences(
        Set<UserId> users,
        Set<Integer> teams,
        @Nullable Map<Integer, KnownTool> tools,
        @Nullable Map<Integer, Set<String>> codeArtifacts,
        @Nullable Map<String, Map<String, ColumnType>> dataLakes) {
    public KnownReferences {
        users = Set.copyOf(users);
        teams = Set.copyOf(teams);
        tools = tools == null ? null : Map.copyOf(tools);
        codeArtifacts = codeArtifacts == null ? null : Map.copyOf(codeArtifacts);
        dataLakes = dataLakes == null ? null : Map.copyOf(dataLakes);
    }

    /**
     * @param requiredArguments the names that every call must have
     * @param workflow the arguments and the outputs of a workflow; null for other tools
     * @param waits whether the tool suspends its task, so that no model can call it
     */
    public record KnownTool(
            String provider,
            String name,
            Set<String> requiredArguments,
            @Nullable WorkflowSignature workflow,
            boolean waits) {
        public KnownTool {
            requiredArguments = Set.copyOf(requiredArguments);
        }

        /** A tool that is no workflow, and has a result at once. */
        public KnownTool(String provider, String name, Set<String> requiredArguments) {
            this(provider, name, requiredArguments, null, false);
        }

        boolean isNamed(String provider, String name) {
            return this.provider.equals(provider) && this.name.equals(name);
        }
    }

    /** References to people and teams only; other catalogues are not checked. */
    public static KnownReferences assignees(Set<UserId> users, Set<Integer> teams) {
        return new KnownReferences(users, teams, null, null, null);
    }
}
