package dev.parley.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Several systems that do the same jobs in alternating rounds. Figures are the medians of the rounds; a ratio is the
 * median of the rounds' ratios to the first system, because what disturbs the machine for a while disturbs all systems
 * of a round.
 */
final class Comparison {
    private static final int MAX_WARM_UPS = 4;
    private static final int WARM_REQUESTS = 10_000;

    private final List<? extends ComparedSystem> systems;
    private final List<String> jobs;
    private final Map<String, List<Figures>> measured = new HashMap<>();

    /** One load of one job on one system; the use is that of a request. */
    private record Figures(Load.Result load, ResourceUse use) {}

    /** Compares with the first system. */
    Comparison(List<? extends ComparedSystem> systems, List<String> jobs) {
        this.systems = List.copyOf(systems);
        this.jobs = List.copyOf(jobs);
    }

    /**
     * Gives the JVMs' compilers time to optimize each job; the figures are dropped. A system with fewer requests per
     * second gets up to four times the time.
     */
    void warmUp(int seconds) {
        for (String job : jobs) {
            for (ComparedSystem system : systems) {
                long requests = 0;
                for (int i = 0; i < MAX_WARM_UPS && requests < WARM_REQUESTS; i++) {
                    requests += measure(job, system, seconds).load.requests();
                }
            }
        }
    }

    /** Each round begins with another system. */
    void run(int rounds, int seconds) {
        for (int round = 0; round < rounds; round++) {
            for (String job : jobs) {
                for (int i = 0; i < systems.size(); i++) {
                    ComparedSystem system = systems.get((round + i) % systems.size());
                    Figures figures = measure(job, system, seconds);
                    of(job, system).add(figures);
                    System.out.printf(
                            Locale.ROOT,
                            "bench: round %d, %s, %s: %,.0f/s, %.3f ms of CPU%n",
                            round + 1,
                            job,
                            system.name(),
                            figures.load.rate(),
                            figures.use.cpu());
                }
            }
        }
    }

    private static Figures measure(String job, ComparedSystem system, int seconds) {
        ResourceUse before = system.used();
        Load.Result result = system.load(job).run(seconds);
        system.awaitIdle();
        return new Figures(result, system.used().minus(before).perRequest(result.requests()));
    }

    /** The ratio of the system's rate to the first system's. */
    double rateRatio(String job, ComparedSystem system) {
        return Report.median(ratios(job, system, figures -> figures.load.rate()));
    }

    /** The ratio of the system's CPU for a request to the first system's. */
    double cpuRatio(String job, ComparedSystem system) {
        return Report.median(ratios(job, system, figures -> figures.use.cpu()));
    }

    /** The ratio of the write-ahead log for a request to the first system's. */
    double walRatio(String job, ComparedSystem system) {
        return Report.median(ratios(job, system, figures -> figures.use.wal()));
    }

    double medianMillis(String job, ComparedSystem system) {
        return median(job, system, figures -> figures.load.p50());
    }

    String table() {
        var out = new StringBuilder("""
                | | | per second | × the first | p50 ms | p99 ms | service or worker, CPU ms | server, CPU ms | \
                database, CPU ms | CPU × the first | WAL bytes |
                |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                """);
        for (String job : jobs) {
            for (ComparedSystem system : systems) {
                out.append("| %s | %s | %,.0f | %s | %.1f | %.1f | %s | %s | %s | %s | %s |%n"
                        .formatted(
                                job,
                                system.name(),
                                median(job, system, figures -> figures.load.rate()),
                                ratio(job, system, figures -> figures.load.rate()),
                                median(job, system, figures -> figures.load.p50()),
                                median(job, system, figures -> figures.load.p99()),
                                optional("%.3f", median(job, system, figures -> figures.use.service())),
                                optional("%.3f", median(job, system, figures -> figures.use.server())),
                                optional("%.3f", median(job, system, figures -> figures.use.database())),
                                ratio(job, system, figures -> figures.use.cpu()),
                                optional("%,.0f", median(job, system, figures -> figures.use.wal()))));
            }
        }
        return out.toString();
    }

    private String ratio(String job, ComparedSystem system, ToDoubleFunction<Figures> figure) {
        if (system.equals(systems.getFirst())) {
            return "1";
        }
        List<Double> ratios = ratios(job, system, figure).stream().sorted().toList();
        return "**%.2f** (%.2f–%.2f)".formatted(Report.median(ratios), ratios.getFirst(), ratios.getLast());
    }

    private List<Double> ratios(String job, ComparedSystem system, ToDoubleFunction<Figures> figure) {
        List<Figures> own = of(job, system);
        List<Figures> first = of(job, systems.getFirst());
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            ratios.add(figure.applyAsDouble(own.get(i)) / figure.applyAsDouble(first.get(i)));
        }
        return ratios;
    }

    private double median(String job, ComparedSystem system, ToDoubleFunction<Figures> figure) {
        return Report.median(
                of(job, system).stream().mapToDouble(figure).boxed().toList());
    }

    private static String optional(String format, double value) {
        return value == 0 ? "" : format.formatted(value);
    }

    private List<Figures> of(String job, ComparedSystem system) {
        return measured.computeIfAbsent(job + "\n" + system.name(), _ -> new ArrayList<>());
    }
}
