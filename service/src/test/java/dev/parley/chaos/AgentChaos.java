package dev.parley.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.workflow.task.ai.AgentServer;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Agents that call a tool ten times, once with a person's approval, on two nodes that are killed in turn. The model and the tool count: a call whose
 * result was journaled is made once, and one that was in flight when its node was killed is repeated with the same key.
 */
final class AgentChaos {
    private static final int CALLS = 10;
    private static final int AGENTS = 6;
    private static final int TOKENS_PER_REPLY = 110;
    private static final Duration CALL_TIME = Duration.ofMillis(80);
    private static final Duration SETTLE = Duration.ofSeconds(60);

    private final ChaosOptions options;
    private final PrintStream out;
    private final Random random;
    private final List<String> violations = new ArrayList<>();

    AgentChaos(ChaosOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.random = new Random(options.seed());
    }

    /** The broken promises. */
    List<String> run() throws InterruptedException, IOException {
        out.printf("chaos: agents of %d tool calls, seed %d%n", CALLS, options.seed());
        try (AgentServer agents = new AgentServer(CALLS);
                Cluster cluster = Cluster.start(
                        options,
                        Map.of(
                                "PARLEY_LLM_BASE_URL", agents.modelUrl(),
                                "PARLEY_LLM_MODEL", "agent",
                                "PARLEY_RUNNING_INSTANCES", "1000"))) {
            agents.before(_ -> Thread.sleep(CALL_TIME));
            ChaosTenant tenant = ChaosTenant.create(new ChaosClient(cluster.nodes(), random, Map.of()));
            int kills = 0;
            int rounds = 0;
            long end = System.nanoTime() + options.length().dividedBy(4).toNanos();
            do {
                Map<String, String> instances = start(tenant, "round" + rounds++);
                List<String> unfinished = new ArrayList<>(instances.keySet());
                int killsOfRound = 0;
                for (ChaosNode node : cluster.nodes()) {
                    ChaosClient.pause(random.nextLong(CALL_TIME.toMillis() * CALLS));
                    node.kill();
                    killsOfRound++;
                    node.start();
                    while (!node.awaitReady()) {
                        node.start();
                    }
                }
                kills += killsOfRound;
                for (String run : unfinished) {
                    check(run, awaitEnd(tenant, instances.get(run)), agents.of(run), killsOfRound);
                    checkUsage(
                            run,
                            get(tenant, "/workflow_instances/" + instances.get(run) + "/attempts"),
                            agents.of(run).replies().size());
                }
            } while (System.nanoTime() < end && violations.isEmpty());
            out.printf("%-50s %8d%n%-50s %8d%n", "agents", rounds * AGENTS, "nodes killed", kills);
            violations.forEach(violation -> out.println("    " + violation));
            if (violations.isEmpty()) {
                cluster.stopAndForget();
            } else {
                out.println("The nodes' logs are in " + cluster.logs());
            }
            return violations;
        }
    }

    private Map<String, String> start(ChaosTenant tenant, String round) throws InterruptedException {
        String path = "/developer/api/workflows/" + tenant.workflows().get("agent") + "/trigger/sync?wait_seconds=0";
        Map<String, String> instances = new LinkedHashMap<>();
        for (int i = 0; i < AGENTS; i++) {
            String run = round + "-agent" + i;
            long end = System.nanoTime() + SETTLE.toNanos();
            ChaosClient.Answer answer = tenant.api()
                    .with("Idempotency-Key", run)
                    .repeatedly(
                            "POST", path, Map.of("human_msg", "RUN " + run + " "), () -> System.nanoTime() - end > 0)
                    .orElseThrow();
            instances.put(run, answer.json().path("workflow_instance_id").asText());
        }
        return instances;
    }

    private JsonNode awaitEnd(ChaosTenant tenant, String instance) throws InterruptedException {
        long end = System.nanoTime() + SETTLE.toNanos();
        while (true) {
            JsonNode status = get(tenant, "/workflow_instances/" + instance + "/status");
            boolean isOver =
                    !Set.of("RUNNING", "PAUSED").contains(status.path("status").asText());
            if (isOver || System.nanoTime() - end > 0) {
                return status;
            }
            approveCalls(tenant);
            ChaosClient.pause(100);
        }
    }

    /** Approves each call that waits; an answer that was lost is repeated with the next look. */
    private static void approveCalls(ChaosTenant tenant) throws InterruptedException {
        String tickets = "/dashboard/api/organizations/" + tenant.organization() + "/tickets";
        Optional<ChaosClient.Answer> open =
                tenant.dashboard().once("GET", tickets + "?status=OPEN&assignee=all&limit=100", null);
        for (JsonNode ticket : open.filter(ChaosClient.Answer::isOk)
                .map(answer -> answer.json().path("items"))
                .orElse(MissingNode.getInstance())) {
            var _ = tenant.dashboard()
                    .once("POST", tickets + "/" + ticket.path("id").asText() + "/complete", Map.of("answer", Map.of()));
        }
    }

    private static JsonNode get(ChaosTenant tenant, String path) throws InterruptedException {
        long end = System.nanoTime() + SETTLE.toNanos();
        return tenant.api()
                .repeatedly("GET", "/developer/api" + path, null, () -> System.nanoTime() - end > 0)
                .orElseThrow()
                .json();
    }

    private void check(String run, JsonNode status, AgentServer.Calls calls, int kills) {
        if (!status.path("status").asText().equals("COMPLETED")) {
            violations.add(run + " is " + status.path("status").asText());
            return;
        }
        int repeated = calls.replies().size() - new HashSet<>(calls.replies()).size();
        for (int call = 0; call < CALLS; call++) {
            List<String> keys = calls.keys().getOrDefault(call, List.of());
            if (new HashSet<>(keys).size() != 1) {
                violations.add(run + ": tool call " + call + " had the keys " + keys);
            }
            repeated += Math.max(0, keys.size() - 1);
        }
        if (new HashSet<>(calls.replies()).size() != CALLS + 1) {
            violations.add(run + ": the model was called for " + calls.replies());
        }
        // An agent makes one call at a time, so that each kill interrupts at most one.
        if (repeated > kills) {
            violations.add(run + ": " + repeated + " calls were repeated after " + kills + " kills");
        }
    }

    /** A call whose reply came, but was not journaled before the kill, is made and counted again, since both cost money. */
    private void checkUsage(String run, JsonNode attempts, int callsMade) {
        long tokens = 0;
        for (JsonNode attempt : attempts.path("items")) {
            tokens += attempt.path("input_tokens").asLong()
                    + attempt.path("output_tokens").asLong();
        }
        if (tokens < (long) TOKENS_PER_REPLY * (CALLS + 1) || tokens > (long) TOKENS_PER_REPLY * callsMade) {
            violations.add(run + ": " + tokens + " tokens are counted for " + callsMade + " calls");
        }
    }
}
