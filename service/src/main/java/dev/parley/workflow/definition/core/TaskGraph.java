package dev.parley.workflow.definition.core;

import dev.parley.workflow.definition.core.document.TaskId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order of tasks: connections and dependencies together, each pair of tasks counted once. Building, ordering and
 * finding cycles take time linear in tasks and edges, and nothing recurses, so that no document can exhaust the stack.
 */
public final class TaskGraph {
    /** Orders one task after another. */
    public record Edge(TaskId from, TaskId to) {}

    /**
     * Tasks that wait for each other.
     *
     * @param path the tasks in the order of their edges; the first one is repeated at the end
     */
    public record Cycle(List<TaskId> path) {
        public Cycle {
            path = List.copyOf(path);
        }

        /** The edge that leads back to the first task. */
        public Edge closing() {
            return new Edge(path.get(path.size() - 2), path.getLast());
        }
    }

    private final List<TaskId> tasks;
    private final Map<TaskId, Set<TaskId>> successors;
    private final Map<TaskId, Set<TaskId>> predecessors;

    private TaskGraph(List<TaskId> tasks, Map<TaskId, Set<TaskId>> successors, Map<TaskId, Set<TaskId>> predecessors) {
        this.tasks = tasks;
        this.successors = successors;
        this.predecessors = predecessors;
    }

    /** The graph of a definition: each connection and each dependency is an edge. */
    public static TaskGraph of(WorkflowDefinition definition) {
        List<Edge> edges = new ArrayList<>();
        definition.connections().forEach(c -> edges.add(new Edge(c.fromTask(), c.toTask())));
        definition.dependencies().forEach(d -> edges.add(new Edge(d.from(), d.to())));
        return of(definition.tasks().stream().map(Task::id).toList(), edges);
    }

    /**
     * @param tasks in document order, each once
     * @throws IllegalArgumentException if an edge names an unknown task
     */
    public static TaskGraph of(List<TaskId> tasks, List<Edge> edges) {
        Map<TaskId, Set<TaskId>> successors = new HashMap<>();
        Map<TaskId, Set<TaskId>> predecessors = new HashMap<>();
        for (TaskId task : tasks) {
            successors.put(task, new LinkedHashSet<>());
            predecessors.put(task, new LinkedHashSet<>());
        }
        for (Edge edge : edges) {
            Set<TaskId> after = successors.get(edge.from());
            Set<TaskId> before = predecessors.get(edge.to());
            if (after == null || before == null) {
                throw new IllegalArgumentException("An edge names a task that is not in the graph: " + edge);
            }
            after.add(edge.to());
            before.add(edge.from());
        }
        return new TaskGraph(List.copyOf(tasks), successors, predecessors);
    }

    /** All tasks, in document order. */
    public List<TaskId> tasks() {
        return tasks;
    }

    /** The tasks that wait for this one, each once, in edge order; empty for an unknown task. */
    public Set<TaskId> successors(TaskId task) {
        return Collections.unmodifiableSet(successors.getOrDefault(task, Set.of()));
    }

    /** The tasks that this one waits for, each once, in edge order; empty for an unknown task. */
    public Set<TaskId> predecessors(TaskId task) {
        return Collections.unmodifiableSet(predecessors.getOrDefault(task, Set.of()));
    }

    /**
     * The tasks in topological order; ties keep document order.
     *
     * @throws IllegalStateException if the graph has a cycle
     */
    public List<TaskId> order() {
        Map<TaskId, Integer> waiting = new HashMap<>();
        List<TaskId> order = new ArrayList<>(tasks.size());
        for (TaskId task : tasks) {
            int count = predecessors(task).size();
            waiting.put(task, count);
            if (count == 0) {
                order.add(task);
            }
        }
        for (int next = 0; next < order.size(); next++) {
            for (TaskId after : successors(order.get(next))) {
                if (waiting.merge(after, -1, Integer::sum) == 0) {
                    order.add(after);
                }
            }
        }
        if (order.size() < tasks.size()) {
            throw new IllegalStateException(
                    "The graph has a cycle: " + cycles().getFirst().path());
        }
        return Collections.unmodifiableList(order);
    }

    /**
     * One cycle for every group of tasks that wait for each other: a shortest one through the group's first task, in
     * document order of those tasks. Empty exactly when the graph is acyclic.
     */
    public List<Cycle> cycles() {
        return new CycleSearch(this).cycles();
    }
}
