package dev.parley.bench;

import dev.parley.bench.Round.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The figures of all rounds as Markdown, each the median of its rounds. A ratio is the median of the rounds' ratios,
 * not the ratio of medians: what disturbs the machine for a while disturbs both sides of a round.
 */
record Report(
        List<Round> rounds,
        long memoryNow,
        long memoryPeak,
        double start,
        Readers readers,
        Hostile hostile,
        SlowReaders slow,
        Agents agents) {
    private static final long MAX_READERS_MB = 300;
    private static final double MAX_P99_MILLIS = 30;
    private static final long MAX_MEMORY_MB = 400;
    private static final double MAX_START_SECONDS = 4;
    private static final double MAX_HOSTILE_RATIO = 2;
    private static final double MAX_SLOW_READERS_RATIO = 2;

    String text(Machine machine) {
        var out = new StringBuilder("# Results of `./parley bench`\n\n")
                .append(machine.text())
                .append('\n');
        out.append("Medians of ").append(rounds.size()).append(rounds.size() == 1 ? " round.\n\n" : " rounds.\n\n");
        figures(out);
        bars(out);
        out.append("""

                What is measured:
                - `pgbench`: the row of a message, inserted one by one over 64 connections into a table like the \
                messages', in the service's own PostgreSQL, prepared statements, a commit each.
                - `POST /messages`: text messages to 64 conversations of one organization over 64 connections; keys, \
                checks, rate limit, durability, processing by the offline model and the request log are on. CPU is \
                counted up to the last reply, so that it holds all that a message costs.
                - With a callback: the same to 64 conversations whose callback is a receiver in the bench's process. \
                Webhooks taken a second: those that wait at the load's end, until the last, signed and recorded.
                - `GET …/messages?limit=50`: the newest 50 of 10,000 messages over 64 connections. The bare handler \
                answers the same bytes by the same query over as many database connections, with the same JVM flags.
                - Triggers: `POST /workflows/{id}/trigger/sync` over 16 connections, tasks answered by the offline \
                model (`examples/one-task.json`, `examples/ten-tasks.json`).
                - Files: one at a time by signed URL into the embedded store, which syncs it to the disk, and out again; \
                the message that reads and hashes it in between.
                - Memory is the JVM's resident set: after the rounds, and the most there ever was (the bar's).
                - Readers: each a connection of its own to one of 64 conversations, open for longer than the pause \
                between two heartbeats; the most memory of the whole service in that time is the bar's.
                - Hostile code: endless loops, memory bombs and floods of output in JavaScript and Python, by dry runs \
                of two organizations, in every place of the sandbox (5 s of CPU time each at most), while others GET and POST 100 \
                times a second each, counted from when each request was due; idle times and such times in turn, the \
                median of the pairs' ratios, of the worse of the two kinds.
                - Slow readers: 500 connections each that ask for the OpenAPI document (six times, pipelined, without a \
                key), the list of 10,000 messages, a file of 90 MB, and a stream of events, and read 1 KB per second; the \
                service may close them. Health checks and POSTs as beside hostile code, in three pairs of times.
                - Start: from the command to the first 200 of a GET, on the data of all rounds.
                """);
        return out.toString();
    }

    private void figures(StringBuilder out) {
        out.append("""
                | | per second | p50 ms | p99 ms | service CPU s / 1,000 | database CPU s / 1,000 | × pgbench |
                |---|---:|---:|---:|---:|---:|---:|
                """);
        row(out, "pgbench, 64 connections", "%,.0f | | | | | 1", of(Round::pgbench));
        measured(
                out,
                "POST /messages, 64 connections",
                round -> Optional.of(round.post().measured()));
        row(
                out,
                "the same with a callback",
                "%,.0f | %.1f | %.1f | | | %.3f",
                of(round -> round.webhooks().post().rate()),
                of(round -> round.webhooks().post().p50()),
                of(round -> round.webhooks().post().p99()),
                of(round -> round.webhooks().post().rate() / round.pgbench()));
        row(out, "webhooks taken", "%,.0f | | | | |", of(round -> round.webhooks()
                .rate()));
        measured(out, "GET …/messages?limit=50, 64 connections", round -> Optional.of(round.get()));
        row(
                out,
                "the same by a bare handler",
                "%,.0f | %.1f | %.1f | | | %.2f",
                of(round -> round.bare().rate()),
                of(round -> round.bare().p50()),
                of(round -> round.bare().p99()),
                of(round -> round.bare().rate() / round.pgbench()));
        measured(out, "sync trigger, one task, 16 connections", Round::one);
        measured(out, "sync trigger, ten tasks, 16 connections", Round::ten);
        out.append('\n');
        line(
                out,
                "Replies beside the load: %,.0f/s; %,.0f messages waited at its end and were processed in %.1f s (%,.0f/s).",
                of(round -> round.post().duringLoad()),
                of(round -> (double) round.post().backlog()),
                of(round -> round.post().drainSeconds()),
                of(round -> round.post().drainRate()));
        line(
                out,
                "Files of 90 MB: upload %,.0f MB/s, check by POST /messages %,.0f MB/s, download %,.0f MB/s; a plain copy"
                        + " with fsync %,.0f MB/s (upload %.2f ×, download %.2f × of it).",
                of(round -> round.files().upload()),
                of(round -> round.files().check()),
                of(round -> round.files().download()),
                of(round -> round.files().copy()),
                of(round -> round.files().upload() / round.files().copy()),
                of(round -> round.files().download() / round.files().copy()));
        line(
                out,
                "Webhooks: %,.0f were taken beside the load, %,.0f after it in %.1f s.",
                of(round -> (double) round.webhooks().during()),
                of(round -> (double) round.webhooks().backlog()),
                of(round -> round.webhooks().drainSeconds()));
        line(
                out,
                "Memory of the service: %d MiB after the rounds, %d MiB at most. Start on existing data: %.2f s.",
                memoryNow,
                memoryPeak,
                start);
        line(
                out,
                "%,d idle readers of live events: %d MiB more, to %d MiB at most, on a service that has just started;"
                        + " opened one after the other in %.1f s.",
                readers.count(),
                readers.added(),
                readers.after(),
                readers.openSeconds());
        line(out, "Others beside hostile code in every place of the sandbox: %s.", hostile.text());
        line(out, "Others beside slow readers: %s.", slow.text());
        line(out, "The journal of agents: %s.", agents.text());
    }

    private void measured(StringBuilder out, String name, Function<Round, Optional<Measured>> which) {
        if (rounds.stream().anyMatch(round -> which.apply(round).isEmpty())) {
            row(out, name, "not there yet | | | | |");
            return;
        }
        Function<Function<Measured, Double>, Double> median =
                figure -> of(round -> figure.apply(which.apply(round).orElseThrow()));
        row(
                out,
                name,
                "%,.0f | %.1f | %.1f | %.3f | %.3f | %.3f",
                median.apply(one -> one.load().rate()),
                median.apply(one -> one.load().p50()),
                median.apply(one -> one.load().p99()),
                median.apply(Measured::serviceCpu),
                median.apply(Measured::databaseCpu),
                of(round -> which.apply(round).orElseThrow().load().rate() / round.pgbench()));
    }

    private void bars(StringBuilder out) {
        out.append("\n| Bar | Measured | |\n|---|---:|---|\n");
        atLeast(
                out,
                "POST /messages ≥ 0.5 × pgbench",
                0.5,
                of(round -> round.post().measured().load().rate() / round.pgbench()));
        atMost(
                out,
                "POST /messages p99 < 30 ms",
                MAX_P99_MILLIS,
                of(round -> round.post().measured().load().p99()),
                "%.1f ms");
        atLeast(
                out,
                "POST /messages with a callback ≥ 0.6 × without",
                0.6,
                of(round -> round.webhooks().post().rate()
                        / round.post().measured().load().rate()));
        atLeast(out, "webhooks ≥ 2,000/s", 2_000, of(round -> round.webhooks().rate()));
        atLeast(
                out,
                "GET ≥ 0.8 × the bare handler",
                0.8,
                of(round -> round.get().load().rate() / round.bare().rate()));
        trigger(out, "one-task trigger ≥ 0.1 × pgbench", 0.1, Round::one);
        trigger(out, "ten-task trigger ≥ 0.03 × pgbench", 0.03, Round::ten);
        atMost(out, "memory < 400 MB", MAX_MEMORY_MB, (double) memoryPeak * 1.048576, "%.0f MB");
        atMost(
                out,
                "2,000 idle readers of live events in < 300 MB",
                MAX_READERS_MB,
                (double) readers.after() * 1.048576,
                "%.0f MB");
        atMost(out, "p99 beside hostile code < 2 × the idle p99", MAX_HOSTILE_RATIO, hostile.ratio(), "%.2f ×");
        atMost(out, "p99 beside 2,000 slow readers < 2 × the idle p99", MAX_SLOW_READERS_RATIO, slow.ratio(), "%.2f ×");
        atMost(out, "start to first answer < 4 s", MAX_START_SECONDS, start, "%.2f s");
    }

    private void trigger(StringBuilder out, String bar, double least, Function<Round, Optional<Measured>> which) {
        if (rounds.stream().allMatch(round -> which.apply(round).isPresent())) {
            atLeast(
                    out,
                    bar,
                    least,
                    of(round -> which.apply(round).orElseThrow().load().rate() / round.pgbench()));
        } else {
            out.append("| ").append(bar).append(" | | not there yet |\n");
        }
    }

    private static void atLeast(StringBuilder out, String bar, double least, double is) {
        row(out, bar, "%.3f | %s", is, is >= least ? "pass" : "**fail**");
    }

    private static void atMost(StringBuilder out, String bar, double most, double is, String format) {
        row(out, bar, format + " | %s", is, is < most ? "pass" : "**fail**");
    }

    private static void row(StringBuilder out, String name, String format, Object... values) {
        out.append("| ")
                .append(name)
                .append(" | ")
                .append(String.format(Locale.ROOT, format, values))
                .append(" |\n");
    }

    private static void line(StringBuilder out, String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append("  \n");
    }

    private double of(Function<Round, Double> figure) {
        return median(rounds.stream().map(figure).filter(Objects::nonNull).toList());
    }

    static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        sorted.sort(null);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
