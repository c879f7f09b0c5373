package dev.parley.workflow.definition.core;

import dev.parley.datalake.core.ColumnType;
import dev.parley.id.UserId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entities of the organization that a definition may reference. Passed to the validator as an argument to keep it
 * pure.
 *
 * @param users users who may be assigned a ticket
 * @param teams by their integer ids
 * @param tools the tool catalogue by {@code tool_id}
 * @param codeArtifacts the names of the inputs that each requires, by {@code code_artifact_id}
 * @param dataLakes the columns of each by {@code data_lake_id}
 * @param models their aliases
 */
public record KnownReferences(
        Set<UserId> users,
        Set<Integer> teams,
        Map<Integer, KnownTool> tools,
        Map<Integer, Set<String>> codeArtifacts,
        Map<String, Map<String, ColumnType>> dataLakes,
        Set<String> models) {
    public KnownReferences {
        users = Set.copyOf(users);
        teams = Set.copyOf(teams);
        tools = Map.copyOf(tools);
        codeArtifacts = Map.copyOf(codeArtifacts);
        dataLakes = Map.copyOf(dataLakes);
        models = Set.copyOf(models);
    }

    /** References of an organization without models of its own. */
    public KnownReferences(
            Set<UserId> users,
            Set<Integer> teams,
            Map<Integer, KnownTool> tools,
            Map<Integer, Set<String>> codeArtifacts,
            Map<String, Map<String, ColumnType>> dataLakes) {
        this(users, teams, tools, codeArtifacts, dataLakes, Set.of());
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
    }
}
