package dev.parley.workflow.definition.core;

import dev.parley.workflow.definition.core.document.TaskId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the strongly connected components of a graph (Tarjan's algorithm with an explicit stack), and in each component
 * with a cycle a shortest cycle through its first task (breadth first). Linear overall, because each task is in one
 * component.
 */
final class CycleSearch {
    private static final int NONE = -1;

    private final List<TaskId> tasks;
    private final int[][] successors;

    private final int[] found;
    private final int[] low;
    private final int[] group;
    private int counter;
    private int groups;

    CycleSearch(TaskGraph graph) {
        tasks = graph.tasks();
        int size = tasks.size();
        Map<TaskId, Integer> index = new HashMap<>();
        for (int i = 0; i < size; i++) {
            index.put(tasks.get(i), i);
        }
        successors = new int[size][];
        for (int i = 0; i < size; i++) {
            successors[i] =
                    graph.successors(tasks.get(i)).stream().mapToInt(index::get).toArray();
        }
        found = filled(size);
        low = filled(size);
        group = filled(size);
    }

    List<TaskGraph.Cycle> cycles() {
        for (int root = 0; root < tasks.size(); root++) {
            if (found[root] == NONE) {
                groupFrom(root);
            }
        }
        boolean[] seen = new boolean[groups];
        int[] cameFrom = filled(tasks.size());
        List<TaskGraph.Cycle> cycles = new ArrayList<>();
        for (int task = 0; task < tasks.size(); task++) {
            if (!seen[group[task]]) {
                seen[group[task]] = true;
                List<TaskId> path = shortestBackTo(task, cameFrom);
                if (!path.isEmpty()) {
                    cycles.add(new TaskGraph.Cycle(path));
                }
            }
        }
        return cycles;
    }

    /** Tarjan's depth-first search; a frame is a task and the index of its next successor. */
    private void groupFrom(int root) {
        Deque<int[]> walk = new ArrayDeque<>();
        Deque<Integer> open = new ArrayDeque<>();
        enter(root, walk, open);
        while (!walk.isEmpty()) {
            int[] frame = walk.getLast();
            int task = frame[0];
            if (frame[1] < successors[task].length) {
                int next = successors[task][frame[1]++];
                if (found[next] == NONE) {
                    enter(next, walk, open);
                } else if (group[next] == NONE) {
                    low[task] = Math.min(low[task], found[next]);
                }
            } else {
                leave(task, walk, open);
            }
        }
    }

    private void enter(int task, Deque<int[]> walk, Deque<Integer> open) {
        found[task] = counter;
        low[task] = counter++;
        open.addLast(task);
        walk.addLast(new int[] {task, 0});
    }

    private void leave(int task, Deque<int[]> walk, Deque<Integer> open) {
        walk.removeLast();
        if (!walk.isEmpty()) {
            int parent = walk.getLast()[0];
            low[parent] = Math.min(low[parent], low[task]);
        }
        if (low[task] == found[task]) {
            int member;
            do {
                member = open.removeLast();
                group[member] = groups;
            } while (member != task);
            groups++;
        }
    }

    /** The path from a task back to itself within its component, or nothing. */
    private List<TaskId> shortestBackTo(int start, int[] cameFrom) {
        Deque<Integer> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty()) {
            int task = queue.removeFirst();
            for (int after : successors[task]) {
                if (after == start) {
                    return path(start, task, cameFrom);
                }
                if (group[after] == group[start] && cameFrom[after] == NONE) {
                    cameFrom[after] = task;
                    queue.addLast(after);
                }
            }
        }
        return List.of();
    }

    private List<TaskId> path(int start, int last, int[] cameFrom) {
        List<TaskId> path = new ArrayList<>(List.of(tasks.get(start)));
        for (int task = last; task != start; task = cameFrom[task]) {
            path.add(tasks.get(task));
        }
        path.add(tasks.get(start));
        return path.reversed();
    }

    private static int[] filled(int size) {
        int[] array = new int[size];
        Arrays.fill(array, NONE);
        return array;
    }
}
