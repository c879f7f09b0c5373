package dev.parley.bench;

import java.nio.file.Path;
import java.util.List;

/** Workflows of one and of ten tasks on Parley and on other workflow engines. */
final class PeerComparison {
    private PeerComparison() {}

    static void run(Path directory, boolean quick) {
        PeerInstallation peers = PeerInstallation.find();
        Bench.say("starting Parley, DBOS and Restate ...");
        ParleyNodes parley = ParleyNodes.start("Parley", directory.resolve("parley"), 1);
        parley.addTriggers();
        List<ComparedSystem> systems =
                List.of(parley, DbosApplication.start(parley, peers, directory), RestateSystem.start(peers, directory));
        var comparison = new Comparison(systems, Jobs.TRIGGERS);
        Bench.say("warming up ...");
        comparison.warmUp(quick ? 3 : 10);
        int rounds = quick ? 2 : 5;
        int seconds = quick ? 3 : 6;
        Bench.say("measuring ...");
        comparison.run(rounds, seconds);
        ResultsFile.replace("""
                ## `./parley bench --peers`

                %s- Peers: %s

                %d rounds of %d s per load, each beginning with another engine; ratios to Parley with the lowest and the \
                highest of the rounds.

                %s
                What is measured:
                - A synchronous trigger over HTTP from 16 connections: a workflow of one task, or of ten tasks one after \
                another, each durable before the next one starts.
                - Parley: `POST /workflows/{id}/trigger/sync` with keys, rate limit, validation, the offline model and the \
                history of the run (`examples/one-task.json`, `examples/ten-tasks.json`). The peers only repeat a text per \
                task, in the body of one function, and answer it without any of that, which favors them.
                - DBOS: one workflow with a step per task, called by a Vert.x server in the same process, in a database of \
                its own in Parley's PostgreSQL, with the connection pool of its defaults.
                - Restate: one workflow handler with a durable side effect per task, called at the server's ingress; one \
                node with one partition, which syncs its log to the disk.
                - CPU is that of a workflow, everything included but the load generator.
                """.formatted(
                        new Machine(Machine.databaseVersion(parley.database()), quick).text(),
                        peers.versions(),
                        rounds,
                        seconds,
                        comparison.table()));
        parley.stop();
    }
}
