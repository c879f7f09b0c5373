package dev.parley.workflow.definition.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.workflow.definition.core.document.TaskId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class GraphPropertyTest {
    record Sample(int size, List<int[]> pairs) {
        TaskGraph graph() {
            return TaskGraph.of(tasks(size), edges());
        }

        List<TaskGraph.Edge> edges() {
            return pairs.stream()
                    .map(pair -> new TaskGraph.Edge(task(pair[0] % size), task(pair[1] % size)))
                    .toList();
        }

        @Override
        public String toString() {
            return size + " tasks " + edges();
        }
    }

    @Property(tries = 2000)
    void aCycleIsFoundExactlyWhenOneExists(@ForAll("graphs") Sample sample) {
        boolean[][] reach = reachability(sample);
        Set<Set<Integer>> groups = new HashSet<>();
        for (int a = 0; a < sample.size; a++) {
            if (reach[a][a]) {
                int start = a;
                Set<Integer> group = new HashSet<>();
                IntStream.range(0, sample.size)
                        .filter(b -> reach[start][b] && reach[b][start])
                        .forEach(group::add);
                groups.add(group);
            }
        }

        assertThat(sample.graph().cycles()).hasSize(groups.size());
    }

    @Property(tries = 2000)
    void aReportedCycleFollowsEdgesAndEndsWhereItBegins(@ForAll("graphs") Sample sample) {
        Set<TaskGraph.Edge> edges = new HashSet<>(sample.edges());
        for (TaskGraph.Cycle cycle : sample.graph().cycles()) {
            List<TaskId> path = cycle.path();
            assertThat(path).hasSizeGreaterThanOrEqualTo(2);
            assertThat(path.getFirst()).isEqualTo(path.getLast());
            assertThat(path.subList(1, path.size())).doesNotHaveDuplicates();
            for (int i = 1; i < path.size(); i++) {
                assertThat(edges).contains(new TaskGraph.Edge(path.get(i - 1), path.get(i)));
            }
            assertThat(edges).contains(cycle.closing());
        }
    }

    @Property(tries = 2000)
    void theOrderPutsEveryTaskAfterItsPredecessors(@ForAll("graphs") Sample sample) {
        TaskGraph graph = sample.graph();
        if (!graph.cycles().isEmpty()) {
            assertThatThrownBy(graph::order).isInstanceOf(IllegalStateException.class);
            return;
        }
        List<TaskId> order = graph.order();
        assertThat(order).containsExactlyInAnyOrderElementsOf(tasks(sample.size));
        for (TaskGraph.Edge edge : sample.edges()) {
            assertThat(order.indexOf(edge.from())).isLessThan(order.indexOf(edge.to()));
            assertThat(graph.successors(edge.from())).contains(edge.to());
            assertThat(graph.predecessors(edge.to())).contains(edge.from());
        }
    }

    @Example
    void aRingOfTenThousandTasksDoesNotExhaustTheStack() {
        int size = 10_000;
        List<TaskGraph.Edge> ring = IntStream.range(0, size)
                .mapToObj(i -> new TaskGraph.Edge(task(i), task((i + 1) % size)))
                .toList();

        assertThat(TaskGraph.of(tasks(size), ring).cycles())
                .singleElement()
                .satisfies(cycle -> assertThat(cycle.path()).hasSize(size + 1).startsWith(task(0), task(1)));
    }

    @Example
    void severalEdgesOfOnePairCountOnce() {
        TaskGraph.Edge edge = new TaskGraph.Edge(task(0), task(1));
        TaskGraph graph = TaskGraph.of(tasks(2), List.of(edge, edge));

        assertThat(graph.successors(task(0))).containsExactly(task(1));
        assertThat(graph.order()).containsExactly(task(0), task(1));
    }

    @Provide
    Arbitrary<Sample> graphs() {
        Arbitrary<int[]> pairs =
                Arbitraries.integers().between(0, 11).array(int[].class).ofSize(2);
        return Combinators.combine(
                        Arbitraries.integers().between(1, 12), pairs.list().ofMaxSize(16))
                .as(Sample::new);
    }

    /** Warshall's algorithm: whether a path of at least one edge leads from a to b. */
    private static boolean[][] reachability(Sample sample) {
        int n = sample.size;
        boolean[][] reach = new boolean[n][n];
        for (int[] pair : sample.pairs) {
            reach[pair[0] % n][pair[1] % n] = true;
        }
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    reach[i][j] |= reach[i][k] && reach[k][j];
                }
            }
        }
        return reach;
    }

    private static List<TaskId> tasks(int size) {
        return IntStream.range(0, size).mapToObj(GraphPropertyTest::task).toList();
    }

    private static TaskId task(int number) {
        return new TaskId("t" + number);
    }
}
