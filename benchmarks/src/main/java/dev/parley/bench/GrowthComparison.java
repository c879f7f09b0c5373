package dev.parley.bench;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** The service on a small and on a large database, in alternating rounds. */
final class GrowthComparison {
    private static final List<String> HOT_PATHS = List.of(Jobs.POST, Jobs.GET, Jobs.ONE_TASK);
    private static final double MAX_FACTOR = 1.2;
    private static final double MAX_WINDOW_MILLIS = 100;
    private static final int STARTS = 3;

    /** As many are written to at the same time, whatever the size: as in reality, and so that only the size differs. */
    private static final int ACTIVE_CONVERSATIONS = 50;

    /** More would not fit into the environment of the load generator. */
    private static final int READ_CONVERSATIONS = 3_000;

    private final Path directory;
    private final boolean quick;
    private final GrowthSize large;
    private final Map<String, String> lists = new LinkedHashMap<>();
    private final List<ParleyNodes> systems = new ArrayList<>();

    private GrowthComparison(Path directory, GrowthSize large, boolean quick) {
        this.directory = directory;
        this.large = large;
        this.quick = quick;
    }

    static void run(Path directory, String size, boolean quick) {
        new GrowthComparison(directory, GrowthSize.of(size), quick).run();
    }

    private void run() {
        systems.add(prepare(GrowthSize.SMALL));
        systems.add(prepare(large));
        int rounds = quick ? 1 : 3;
        var paths = new Comparison(systems, HOT_PATHS);
        var reads = new Comparison(systems, List.copyOf(lists.keySet()));
        Bench.say("warming up ...");
        paths.warmUp(quick ? 3 : 10);
        reads.warmUp(2);
        Bench.say("measuring ...");
        paths.run(rounds, quick ? 3 : 6);
        reads.run(rounds, quick ? 1 : 2);
        String version = Machine.databaseVersion(systems.getFirst().database());
        systems.forEach(ParleyNodes::stop);
        List<List<Double>> starts = starts();
        ResultsFile.replace(report(rounds, version, paths, reads, starts));
    }

    /** Fills a database and starts the service anew, so that it knows only what it reads. */
    private ParleyNodes prepare(GrowthSize size) {
        Bench.say("filling a database with " + size.text() + " ...");
        Path data = directory.resolve(size.name());
        ParleyNodes first = ParleyNodes.start(size.name(), data, 1);
        var api = new Api(first.first().url());
        GrowthTemplates templates = GrowthTemplates.create(api, first.database());
        GrowthSeed.run(first.database(), size, templates);
        first.stop();
        ParleyNodes nodes = ParleyNodes.start(size.name(), data, 1);
        Tenant tenant = templates.tenant();
        List<String> conversations = conversations(nodes.database(), tenant.organization());
        nodes.addLoad(
                Jobs.POST, ServiceLoads.post(nodes.urls(), tenant.key(), spread(conversations, ACTIVE_CONVERSATIONS)));
        nodes.addLoad(
                Jobs.GET, ServiceLoads.get(nodes.urls(), tenant.key(), spread(conversations, READ_CONVERSATIONS)));
        nodes.addLoad(Jobs.ONE_TASK, ServiceLoads.trigger(nodes.urls(), tenant.key(), templates.oneTask()));
        DashboardLists.paths(templates.oneTask()).forEach((name, path) -> {
            lists.put(name, path);
            nodes.addLoad(
                    name, DashboardLists.load(nodes.first().url(), api.cookieHeader(), tenant.organization(), path));
        });
        return nodes;
    }

    private static List<String> conversations(DataSource database, String organization) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement("""
                        SELECT replace(c.id::text, '-', '') FROM conversation c
                        WHERE organization_id = ? AND EXISTS (
                            SELECT FROM message m WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id)
                        ORDER BY c.id
                        """)) {
            statement.setObject(1, Tenant.uuid(organization));
            List<String> ids = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
            return ids;
        } catch (SQLException e) {
            throw new BenchException("The conversations cannot be listed: " + e.getMessage());
        }
    }

    /** At most so many, at equal distances. */
    private static List<String> spread(List<String> all, int count) {
        List<String> some = new ArrayList<>();
        int chosen = Math.min(count, all.size());
        for (int i = 0; i < chosen; i++) {
            some.add(all.get((int) ((long) i * all.size() / chosen)));
        }
        return some;
    }

    /** Seconds from the command to readiness, for each system in turn. */
    private List<List<Double>> starts() {
        List<List<Double>> seconds = new ArrayList<>();
        systems.forEach(_ -> seconds.add(new ArrayList<>()));
        for (int i = 0; i < (quick ? 1 : STARTS); i++) {
            for (int system = 0; system < systems.size(); system++) {
                String name = systems.get(system).name();
                long begin = System.nanoTime();
                ParleyNodes nodes = ParleyNodes.start(name, directory.resolve(name), 1);
                seconds.get(system).add((System.nanoTime() - begin) / 1e9);
                nodes.stop();
            }
        }
        return seconds;
    }

    private String report(int rounds, String version, Comparison paths, Comparison reads, List<List<Double>> starts) {
        double small = Report.median(starts.getFirst());
        double big = Report.median(starts.getLast());
        return """
                ## `./parley bench --growth %s`

                %s
                %d rounds, each beginning with another database; ratios to the small one with the lowest and the highest of \
                the rounds. The small database has %s; the large one %s.

                %s
                %s
                Start to readiness: %.2f s with the small database, %.2f s with the large one (%.2f ×).

                | Bar: at most %.1f × the time with the small database; a median of %.0f ms for reads of a window | Measured | |
                |---|---:|---|
                %s
                What is measured:
                - Rows that the service has written are copied by SQL over 90 days. Half of everything belongs to the measured \
                organization. Of a hundred runs one waits for a ticket, four were answered by a person, two have failed.
                - The loads of `./parley bench`: POST to 50 conversations, GET from up to 3,000 conversations of 100 messages, \
                triggers by 16 callers. The dashboard's lists as its pages request them, by four readers.
                - Searches, other orders of tickets, and counts read the newest rows up to a limit (10,000), \
                which the small database does not reach.
                """.formatted(
                        large.name(),
                        new Machine(version, quick).text(),
                        rounds,
                        GrowthSize.SMALL.text(),
                        large.text(),
                        paths.table(),
                        reads.table(),
                        small,
                        big,
                        big / small,
                        MAX_FACTOR,
                        MAX_WINDOW_MILLIS,
                        bars(paths, reads, big / small));
    }

    private String bars(Comparison paths, Comparison reads, double start) {
        var out = new StringBuilder();
        HOT_PATHS.forEach(job -> bar(out, job, 1 / paths.rateRatio(job, systems.getLast())));
        lists.keySet().forEach(job -> {
            if (DashboardLists.readsWindow(job)) {
                double millis = reads.medianMillis(job, systems.getLast());
                row(out, job, "%.1f ms".formatted(millis), millis <= MAX_WINDOW_MILLIS);
            } else {
                bar(out, job, 1 / reads.rateRatio(job, systems.getLast()));
            }
        });
        bar(out, "start", start);
        return out.toString();
    }

    private static void bar(StringBuilder out, String name, double factor) {
        row(out, name, "%.2f ×".formatted(factor), factor <= MAX_FACTOR);
    }

    private static void row(StringBuilder out, String name, String measured, boolean passed) {
        out.append("| %s | %s | %s |%n".formatted(name, measured, passed ? "pass" : "**fail**"));
    }
}
