package dev.parley.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Several nodes on one PostgreSQL beside a single node with its own. */
final class NodeComparison {
    private static final List<String> JOBS = List.of(Jobs.POST, Jobs.GET, Jobs.ONE_TASK, Jobs.TEN_TASKS);
    private static final int MAX_NODES = 8;

    private NodeComparison() {}

    static void run(Path directory, String count, boolean quick) {
        int nodes = IntStream.rangeClosed(2, MAX_NODES)
                .filter(number -> count.equals(Integer.toString(number)))
                .findFirst()
                .orElseThrow(() -> new BenchException("--nodes takes a number from 2 to " + MAX_NODES + "."));
        Bench.say("starting one node, and " + nodes + " nodes ...");
        ParleyNodes single = start("1 node", directory.resolve("single"), 1);
        ParleyNodes several = start(nodes + " nodes", directory.resolve("several"), nodes);
        var comparison = new Comparison(List.of(single, several), JOBS);
        Bench.say("warming up ...");
        // Each node has a JVM to warm up, with its share of the load.
        comparison.warmUp(quick ? 3 : 10 * nodes);
        int rounds = quick ? 2 : 5;
        int seconds = quick ? 3 : 6;
        Bench.say("measuring ...");
        comparison.run(rounds, seconds);
        ResultsFile.replace("""
                ## `./parley bench --nodes %s`

                %s
                %d rounds of %d s per load, each beginning with another system; ratios to one node with the lowest and the \
                highest of the rounds.

                %s
                What is measured:
                - One node, and %s nodes on one PostgreSQL, each system with its own embedded PostgreSQL of the same \
                settings, all on this machine; the idle system keeps running. All share the cores, so this shows what \
                nodes cost each other on one database, not what further machines add.
                - The loads of `./parley bench`, with the connections spread evenly over the nodes, to the same 64 \
                conversations. CPU is that of all nodes for a request; that of POST is counted up to the last reply.
                """.formatted(
                        count,
                        new Machine(Machine.databaseVersion(single.database()), quick).text(),
                        rounds,
                        seconds,
                        comparison.table(),
                        count));
        several.stop();
        single.stop();
    }

    private static ParleyNodes start(String name, Path directory, int count) {
        ParleyNodes nodes = ParleyNodes.start(name, directory, count);
        Tenant tenant = nodes.addTriggers();
        nodes.addLoad(Jobs.POST, ServiceLoads.post(nodes.urls(), tenant.key(), tenant.conversations()));
        nodes.addLoad(Jobs.GET, ServiceLoads.get(nodes.urls(), tenant.key(), List.of(tenant.longConversation())));
        return nodes;
    }
}
