package dev.parley.workflow.definition.core;

import dev.parley.workflow.definition.core.part.AssignmentRule;
import dev.parley.workflow.definition.core.part.Connection;
import dev.parley.workflow.definition.core.part.Dependency;
import dev.parley.workflow.definition.core.part.UsageLimits;
import java.util.List;

/**
 * An agent document without violations, or one whose violations the caller holds separately.
 *
 * @param limits of the models of all tasks together
 */
public record WorkflowDefinition(
        String name,
        String description,
        List<AssignmentRule> assignmentRules,
        List<Task> tasks,
        List<Connection> connections,
        List<Dependency> dependencies,
        UsageLimits limits) {
    public WorkflowDefinition {
        assignmentRules = List.copyOf(assignmentRules);
        tasks = List.copyOf(tasks);
        connections = List.copyOf(connections);
        dependencies = List.copyOf(dependencies);
    }
}
