package dev.parley.bench;

import java.nio.file.Path;
import java.util.List;

/** Workflow instances on another engine beside the local one, both of the same build. */
final class EngineComparison {
    private static final String RESTATE = "restate";

    private EngineComparison() {}

    static void run(Path directory, String engine, boolean quick) {
        if (!engine.equals(RESTATE)) {
            throw new BenchException("--engine takes '" + RESTATE + "'.");
        }
        PeerInstallation peers = PeerInstallation.find();
        Bench.say("starting Parley, and Parley on Restate ...");
        ParleyNodes local = ParleyNodes.start("local", directory.resolve("local"), 1);
        RestateServer server = RestateServer.start(peers, directory.resolve("server"));
        server.await("GET", "/health", "");
        ParleyNodes restate = ParleyNodes.startOnRestate(RESTATE, directory.resolve(RESTATE), server);
        local.addTriggers();
        restate.addTriggers();
        var comparison = new Comparison(List.of(local, restate), Jobs.TRIGGERS);
        Bench.say("warming up ...");
        comparison.warmUp(quick ? 5 : 15);
        int rounds = quick ? 2 : 5;
        int seconds = quick ? 3 : 6;
        Bench.say("measuring ...");
        comparison.run(rounds, seconds);
        for (String job : Jobs.TRIGGERS) {
            Bench.say("%s: rate %.2f ×, CPU %.2f ×, write-ahead log %.2f × of the local engine"
                    .formatted(
                            job,
                            comparison.rateRatio(job, restate),
                            comparison.cpuRatio(job, restate),
                            comparison.walRatio(job, restate)));
        }
        ResultsFile.replace("""
                ## `./parley bench --engine restate`

                %s- Restate server %s

                %d rounds of %d s per load, each beginning with the other engine; ratios to the local engine with the \
                lowest and the highest of the rounds.

                %s
                What is measured:
                - A synchronous trigger over HTTP from 16 connections: a workflow of one task, or of ten tasks one after \
                another, each durable before the next one starts. Both engines are the same build with an embedded \
                PostgreSQL of its own.
                - Restate: one node with one partition, which syncs its log to the disk. The offline model answers in \
                less than a millisecond, so all tasks but the first ones are executed within a handler.
                - CPU is that of an instance, PostgreSQL and the server included. WAL is PostgreSQL's only.
                """.formatted(
                        new Machine(Machine.databaseVersion(local.database()), quick).text(),
                        peers.serverVersion(),
                        rounds,
                        seconds,
                        comparison.table()));
        restate.stop();
        local.stop();
    }
}
