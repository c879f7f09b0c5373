package dev.parley.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What other clients feel while every place of the sandbox runs code that does its worst: loops without end, memory
 * bombs, floods of output, in both languages.
 *
 * @param jobs pieces of code that ended meanwhile
 */
record Hostile(LatencyPairs latency, int jobs) {
    private static final int PAIRS = 5;
    private static final int SECONDS = 8;

    /** For the compiler of the JVMs, and for the attackers to take all places. */
    private static final int WARM_UP_SECONDS = 12;

    private static final int ATTACK_WARM_UP_SECONDS = 4;

    private static final String LOOP = "export default function main() { for (;;) {} }";
    private static final String BOMB =
            "export default function main() { const all = []; for (;;) all.push(new Array(100000).fill(all.length)); }";
    private static final String FLOOD = "export default function main() { for (;;) console.log('x'.repeat(10000)); }";
    private static final String PYTHON_LOOP = "def main(inputs):\n    while True:\n        pass\n";
    private static final String PYTHON_BOMB =
            "def main(inputs):\n    all = []\n    while True:\n        all.append([0] * 1000000)\n";

    double ratio() {
        return latency.ratio();
    }

    String text() {
        return "%s; %d such jobs ended".formatted(latency.text("GET", "POST", "hostile code"), jobs);
    }

    static Hostile measure(Service service, Tenant tenant) {
        prepare(service);
        List<Job> jobs = jobs(service);
        PacedRequests others = others(service, tenant);
        others.run(WARM_UP_SECONDS);
        var ended = new AtomicInteger();
        LatencyPairs latency =
                LatencyPairs.measure(others, PAIRS, SECONDS, ATTACK_WARM_UP_SECONDS, () -> new Attack(jobs, ended));
        return new Hostile(latency, ended.get());
    }

    /** Runs all jobs again and again; closing waits until the last of them has ended. */
    private static final class Attack implements LatencyPairs.RunningLoad {
        private final AtomicBoolean on = new AtomicBoolean(true);
        private final ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor();

        Attack(List<Job> jobs, AtomicInteger ended) {
            jobs.forEach(job -> attackers.execute(() -> attack(job, on, ended)));
        }

        @Override
        public void close() {
            on.set(false);
            attackers.close();
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

    /** Clients that must not be affected: GET of a page of messages, and POST of a message. */
    static PacedRequests others(Service service, Tenant tenant) {
        var api = new Api(service.url());
        api.key(tenant.key());
        String page = "/developer/api/conversations/" + tenant.longConversation() + "/messages?limit=50";
        Map<String, Object> message = Map.of(
                "conversation_id",
                tenant.conversations().getFirst(),
                "content_type",
                "text",
                "content",
                "Please look at the invoice of last week.");
        return new PacedRequests(
                () -> api.call("GET", page, null), () -> api.call("POST", "/developer/api/messages", message));
    }
}
