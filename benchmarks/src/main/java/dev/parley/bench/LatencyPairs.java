package dev.parley.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The latency of paced requests without and beside other load. Idle and measured times alternate, since what the
 * machine does otherwise in one of them would be the whole result of a single pair.
 *
 * @param pairs each an idle time and the time beside the load that follows it
 */
record LatencyPairs(List<Pair> pairs) {
    /** The load's own code is compiled in this time. */
    private static final int WARM_UP_SECONDS = 15;

    LatencyPairs {
        pairs = List.copyOf(pairs);
    }

    /** An idle time and one beside the load. */
    record Pair(PacedRequests.Both idle, PacedRequests.Both beside) {
        private double first() {
            return beside.first().p99() / idle.first().p99();
        }

        private double second() {
            return beside.second().p99() / idle.second().p99();
        }
    }

    /** Load that runs until it is closed. */
    interface RunningLoad extends AutoCloseable {
        @Override
        void close();
    }

    /** @param settle seconds from the start of the load until it counts */
    static LatencyPairs measure(
            PacedRequests others, int count, int seconds, int settle, Supplier<? extends RunningLoad> load) {
        try (RunningLoad _ = load.get()) {
            others.run(WARM_UP_SECONDS);
        }
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PacedRequests.Both idle = others.measure(seconds);
            try (RunningLoad _ = load.get()) {
                others.run(settle);
                pairs.add(new Pair(idle, others.measure(seconds)));
            }
        }
        return new LatencyPairs(pairs);
    }

    /** The medians of the pairs' ratios, of the worse kind of request. */
    double ratio() {
        return Math.max(median(Pair::first), median(Pair::second));
    }

    String text(String first, String second, String load) {
        return "p99 of %s %.1f ms idle, %.1f ms beside %s (%.2f ×); of %s %.1f ms and %.1f ms (%.2f ×); medians of %d pairs (%s ×)"
                .formatted(
                        first,
                        median(pair -> pair.idle.first().p99()),
                        median(pair -> pair.beside.first().p99()),
                        load,
                        median(Pair::first),
                        second,
                        median(pair -> pair.idle.second().p99()),
                        median(pair -> pair.beside.second().p99()),
                        median(Pair::second),
                        pairs.size(),
                        pairs.stream()
                                .map(pair -> "%.2f/%.2f".formatted(pair.first(), pair.second()))
                                .collect(Collectors.joining(", ")));
    }

    private double median(ToDoubleFunction<Pair> of) {
        return pairs.stream()
                .mapToDouble(of)
                .sorted()
                .skip(pairs.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}
