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

/**
 * What other clients feel while every place of the sandbox runs code that does its worst: loops without end, memory
 * bombs, floods of output, in both languages. The clients send a request every few milliseconds, whatever became of the
 * one before, so that a pause of the service shows in every request that fell into it.
 *
 * @param get without such code, as {@code post}; times in milliseconds
 * @param hostileGet beside it, as {@code hostilePost}
 * @param jobs pieces of code that ended meanwhile
 */
record Hostile(Paced get, Paced post, Paced hostileGet, Paced hostilePost, int jobs) {
    private static final int SECONDS = 12;

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

    /** The ratio of the worse kind. */
    double ratio() {
        return Math.max(hostileGet.p99() / get.p99(), hostilePost.p99() / post.p99());
    }

    String text() {
        return "p99 of GET %.1f ms idle, %.1f ms beside hostile code; of POST %.1f ms and %.1f ms; %d such jobs ended"
                .formatted(get.p99(), hostileGet.p99(), post.p99(), hostilePost.p99(), jobs);
    }

    /** Latencies of requests at a fixed pace, each counted from when it was due. */
    record Paced(double p50, double p99, double max) {}

    private record Two(Paced get, Paced post) {}

    static Hostile measure(Service service, Tenant tenant) {
        prepare(service);
        Two idle = others(service, tenant, WARM_UP_SECONDS, SECONDS);
        var ended = new AtomicInteger();
        var on = new AtomicBoolean(true);
        ExecutorService attackers = Executors.newCachedThreadPool();
        try {
            attack(service, attackers, on, ended);
            Two beside = others(service, tenant, ATTACK_WARM_UP_SECONDS, SECONDS);
            return new Hostile(idle.get, idle.post, beside.get, beside.post, ended.get());
        } finally {
            on.set(false);
            attackers.shutdownNow();
        }
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

    /** Two organizations, since one gets half of the places, with more callers than places each. */
    private static void attack(Service service, ExecutorService attackers, AtomicBoolean on, AtomicInteger ended) {
        for (int organization = 0; organization < 2; organization++) {
            var api = new Api(service.url());
            String path = artifacts(api, "Hostile " + organization);
            List<String> runs = new ArrayList<>();
            for (String code : List.of(LOOP, BOMB, FLOOD)) {
                runs.add(artifact(api, path, "javascript", code));
            }
            for (String code : List.of(PYTHON_LOOP, PYTHON_BOMB)) {
                runs.add(artifact(api, path, "python", code));
            }
            for (String run : runs) {
                attackers.execute(() -> {
                    while (on.get()) {
                        try {
                            api.send("POST", run, Map.of("inputs", Map.of()));
                            ended.incrementAndGet();
                        } catch (BenchException stopped) {
                            return;
                        }
                    }
                });
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

    private static Two others(Service service, Tenant tenant, int warmUp, int seconds) {
        var api = new Api(service.url());
        api.key(tenant.key());
        String page = "/developer/api/conversations/" + tenant.longConversation() + "/messages?limit=50";
        var get = new Pace(() -> api.call("GET", page, null));
        var post = new Pace(() -> api.call(
                "POST",
                "/developer/api/messages",
                Map.of(
                        "conversation_id",
                        tenant.conversations().getFirst(),
                        "content_type",
                        "text",
                        "content",
                        "Please look at the invoice of last week.")));
        try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            pace(senders, get, post, warmUp);
            get.forget();
            post.forget();
            pace(senders, get, post, seconds);
        }
        return new Two(get.measured(), post.measured());
    }

    private static void pace(ExecutorService senders, Pace get, Pace post, int seconds) {
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
