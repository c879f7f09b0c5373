package dev.parley.workflow.definition.core;

import java.util.List;

/** An agent document without violations, or one whose violations the caller holds separately. */
public record WorkflowDefinition(
        String name,
        String description,
        List<AssignmentRule> assignmentRules,
        List<Task> tasks,
        List<Connection> connections,
        List<Dependency> dependencies) {
    public WorkflowDefinition {
        assignmentRules = List.copyOf(assignmentRules);
        tasks = List.copyOf(tasks);
        connections = List.copyOf(connections);
        dependencies = List.copyOf(dependencies);
    }
}
