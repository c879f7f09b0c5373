package dev.parley.workflow.definition.core.check;

import dev.parley.id.DataLakeId;
import dev.parley.id.UserId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The ids that a document references, whether the entities exist or not. Malformed parts are skipped, so that drafts
 * with violations can be read too.
 *
 * @param users possible assignees
 * @param teams possible assignees
 * @param tools of App tasks, and those that AI tasks may call
 * @param codeArtifacts of Coder tasks
 * @param dataLakes each with all its spellings in the document
 * @param models the aliases that AI tasks name
 */
public record DocumentReferences(
        Set<UUID> users,
        Set<Integer> teams,
        Set<Integer> tools,
        Set<Integer> codeArtifacts,
        Map<UUID, Set<String>> dataLakes,
        Set<String> models) {
    private static final int MAX_TEAM_ID_LENGTH = 9;

    public static DocumentReferences of(Map<String, ? extends @Nullable Object> document) {
        var references = new DocumentReferences(
                new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashMap<>(), new HashSet<>());
        objects(document.get("assignment_rules")).forEach(references::addAssignee);
        objects(document.get("tasks")).forEach(references::addTask);
        return references;
    }

    private static List<? extends Map<?, ?>> objects(@Nullable Object list) {
        return list instanceof List<?> values
                ? values.stream()
                        .filter(Map.class::isInstance)
                        .map(value -> (Map<?, ?>) value)
                        .toList()
                : List.of();
    }

    private void addAssignee(Map<?, ?> rule) {
        if (rule.get("assignee_id") instanceof String id) {
            UserId.parse(id).map(UserId::value).ifPresent(users::add);
            if (id.length() <= MAX_TEAM_ID_LENGTH && id.matches("[0-9]+")) {
                teams.add(Integer.parseInt(id));
            }
        }
    }

    private void addTask(Map<?, ?> task) {
        addNumber(task.get("tool_id"), tools);
        addNumber(task.get("code_artifact_id"), codeArtifacts);
        if (task.get("tools") instanceof List<?> ids) {
            ids.forEach(entry -> addNumber(entry instanceof Map<?, ?> tool ? tool.get("id") : entry, tools));
        }
        if (task.get("model") instanceof String alias) {
            models.add(alias);
        }
        if (task.get("fallbacks") instanceof List<?> aliases) {
            aliases.forEach(alias -> models.add(String.valueOf(alias)));
        }
        for (Map<?, ?> input : objects(task.get("input_parameters"))) {
            if (input.get("data_lake_id") instanceof String id) {
                DataLakeId.parse(id).ifPresent(lake -> dataLakes
                        .computeIfAbsent(lake.value(), _ -> new HashSet<>())
                        .add(id));
            }
        }
    }

    private static void addNumber(@Nullable Object value, Set<Integer> ids) {
        if (value instanceof Number id && id.longValue() == id.intValue()) {
            ids.add(id.intValue());
        }
    }
}
