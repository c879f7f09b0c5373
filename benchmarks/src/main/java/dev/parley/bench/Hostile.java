package dev.parley.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What other clients feel while every place of the sandbox runs code that does its worst: loops without end, memory
 * bombs, floods of output, in both languages. The clients send a request every few milliseconds, whatever became of the
 * one before, so that a pause of the service shows in every request that fell into it.
 *
 * <p>Idle and beside follow each other several times, since what the machine does otherwise in one of them would be the
 * whole result of a single pair.
 *
 * @param pairs each an idle time and the time beside such code that follows it
 * @param jobs pieces of code that ended meanwhile
 */
record Hostile(List<Pair> pairs, int jobs) {
    private static final int PAIRS = 5;
    private static final int SECONDS = 8;

    /** For the compiler of the JVMs, and for the attackers to take all places. */
    private static final int WARM_UP_SECONDS = 12;

    private static final int ATTACK_WARM_UP_SECONDS = 4;

    /** Of either kind. */
    private static final int REQUESTS_A_SECOND = 100;

    private static final String LOOP = "export default function main() { for (;;) {} }";
    private static final String BOMB =
            "export default function main() { const all = []; for (;;) all.push(new Array(100000).fill(all.length)); }";
    private static final String FLOOD = "export default function main() { for (;;) console.log('x'.repeat(10000)); }";
    private static final String PYTHON_LOOP = "def main(inputs):\n    while True:\n        pass\n";
    private static final String PYTHON_BOMB =
            "def main(inputs):\n    all = []\n    while True:\n        all.append([0] * 1000000)\n";

    Hostile {
        pairs = List.copyOf(pairs);
    }

    /** Latencies of requests at a fixed pace in milliseconds, each counted from when it was due. */
    record Paced(double p50, double p99, double max) {}

    /** What the two kinds of requests took in one time. */
    record Two(Paced get, Paced post) {}

    /** An idle time and one beside hostile code. */
    record Pair(Two idle, Two beside) {
        private double get() {
            return beside.get.p99 / idle.get.p99;
        }

        private double post() {
            return beside.post.p99 / idle.post.p99;
        }
    }

    /** The medians of the pairs' ratios, of the worse kind of request. */
    double ratio() {
        return Math.max(median(Pair::get), median(Pair::post));
    }

    String text() {
        return "p99 of GET %.1f ms idle, %.1f ms beside hostile code (%.2f ×); of POST %.1f ms and %.1f ms (%.2f ×); medians of %d pairs (%s ×); %d such jobs ended"
                .formatted(
                        median(pair -> pair.idle.get.p99),
                        median(pair -> pair.beside.get.p99),
                        median(Pair::get),
                        median(pair -> pair.idle.post.p99),
                        median(pair -> pair.beside.post.p99),
                        median(Pair::post),
                        pairs.size(),
                        pairs.stream()
                                .map(pair -> "%.2f/%.2f".formatted(pair.get(), pair.post()))
                                .collect(Collectors.joining(", ")),
                        jobs);
    }

    private double median(ToDoubleFunction<Pair> of) {
        return pairs.stream()
                .mapToDouble(of)
                .sorted()
                .skip(pairs.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    static Hostile measure(Service service, Tenant tenant) {
        prepare(service);
        List<Job> jobs = jobs(service);
        var others = new Others(service, tenant);
        others.pace(WARM_UP_SECONDS);
        var ended = new AtomicInteger();
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            Two idle = others.measured(SECONDS);
            var on = new AtomicBoolean(true);
            // Closed when the last of them has ended.
            try (ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
                try {
                    jobs.forEach(job -> attackers.execute(() -> attack(job, on, ended)));
                    others.pace(ATTACK_WARM_UP_SECONDS);
                    pairs.add(new Pair(idle, others.measured(SECONDS)));
                } finally {
                    on.set(false);
                }
            }
        }
        return new Hostile(pairs, ended.get());
    }

    /** What a language needs is unpacked and noted when it is first used, which is not what is measured. */
    private static void prepare(Service service) {
        var api = new Api(service.url());
        String path = artifacts(api, "Friendly");
        for (String run : List.of(
                artifact(api, path, "javascript", "export default function main() { return {}; }"),
                artifact(api, path, "python", "def main(inputs):\n    return {}\n"))) {
            api.call("POST", run, Map.of("inputs", Map.of()));
        }
    }

    /** A piece of code that is run again and again. */
    private record Job(Api api, String run) {}

    /** Two organizations, since one gets half of the places, with more callers than places each. */
    private static List<Job> jobs(Service service) {
        List<Job> jobs = new ArrayList<>();
        for (int organization = 0; organization < 2; organization++) {
            var api = new Api(service.url());
            String path = artifacts(api, "Hostile " + organization);
            for (String code : List.of(LOOP, BOMB, FLOOD)) {
                jobs.add(new Job(api, artifact(api, path, "javascript", code)));
            }
            for (String code : List.of(PYTHON_LOOP, PYTHON_BOMB)) {
                jobs.add(new Job(api, artifact(api, path, "python", code)));
            }
        }
        return jobs;
    }

    private static void attack(Job job, AtomicBoolean on, AtomicInteger ended) {
        while (on.get()) {
            try {
                job.api.send("POST", job.run, Map.of("inputs", Map.of()));
                ended.incrementAndGet();
            } catch (BenchException stopped) {
                return;
            }
        }
    }

    /** Where the code of a new organization is. */
    private static String artifacts(Api api, String organization) {
        api.call("POST", "/dashboard/api/login", Map.of("email", Service.EMAIL, "password", Service.PASSWORD));
        String id = api.call("POST", "/dashboard/api/organizations", Map.of("name", organization))
                .get("id")
                .asText();
        return "/dashboard/api/organizations/" + id + "/code-artifacts";
    }

    private static String artifact(Api api, String path, String language, String code) {
        int id = api.call("POST", path, Map.of("name", "Hostile", "language", language, "source", code))
                .get("id")
                .asInt();
        return path + "/" + id + "/dry-run";
    }

    /** The clients that shall not feel it. */
    private static final class Others {
        private final Pace get;
        private final Pace post;

        Others(Service service, Tenant tenant) {
            var api = new Api(service.url());
            api.key(tenant.key());
            String page = "/developer/api/conversations/" + tenant.longConversation() + "/messages?limit=50";
            get = new Pace(() -> api.call("GET", page, null));
            Map<String, Object> message = Map.of(
                    "conversation_id",
                    tenant.conversations().getFirst(),
                    "content_type",
                    "text",
                    "content",
                    "Please look at the invoice of last week.");
            post = new Pace(() -> api.call("POST", "/developer/api/messages", message));
        }

        Two measured(int seconds) {
            get.forget();
            post.forget();
            pace(seconds);
            return new Two(get.measured(), post.measured());
        }

        /** Ends when the last request was answered. */
        void pace(int seconds) {
            try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
                long step = TimeUnit.SECONDS.toNanos(1) / (2 * REQUESTS_A_SECOND);
                long due = System.nanoTime();
                for (int i = 0; i < 2 * REQUESTS_A_SECOND * seconds; i++, due += step) {
                    long wait = due - System.nanoTime();
                    if (wait > 0) {
                        LockSupport.parkNanos(wait);
                    }
                    long from = due;
                    Pace pace = i % 2 == 0 ? get : post;
                    senders.execute(() -> pace.send(from));
                }
            }
        }
    }

    /** One kind of request. */
    private static final class Pace {
        private final Runnable request;
        private final List<Long> nanos = new ArrayList<>();

        Pace(Runnable request) {
            this.request = request;
        }

        void send(long due) {
            request.run();
            long took = System.nanoTime() - due;
            synchronized (nanos) {
                nanos.add(took);
            }
        }

        void forget() {
            synchronized (nanos) {
                nanos.clear();
            }
        }

        Paced measured() {
            synchronized (nanos) {
                List<Long> sorted = nanos.stream().sorted().toList();
                return new Paced(at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
            }
        }

        private static double at(List<Long> sorted, double quantile) {
            return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(quantile * sorted.size()))) / 1e6;
        }
    }
}
