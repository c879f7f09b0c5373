package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A service on standby with work that is due: nothing happens until it is started normally. */
@Tag("chaos")
@Tag("all")
class StandbyTest {
    private static final int READS = 30;

    @Test
    void dueWorkWaitsForANormalStart() throws Exception {
        try (RecordingSmtpServer letters = new RecordingSmtpServer();
                Cluster cluster = Cluster.start(ChaosOptions.shortEmbedded(1), letters.settings())) {
            ChaosNode node = cluster.nodes().getFirst();
            ChaosTenant tenant = ChaosTenant.create(new ChaosClient(List.of(node), new Random(1), Map.of()));
            String instance = tenant.api()
                    .at(node)
                    .once(
                            "POST",
                            "/developer/api/workflows/" + tenant.workflows().get("chain")
                                    + "/trigger/sync?wait_seconds=0",
                            Map.of("human_msg", "offline:wait 1500"))
                    .orElseThrow()
                    .json()
                    .at("/workflow_instance_id")
                    .asText();
            node.kill();

            ChaosNode standby = node.with(Map.of("PARLEY_STANDBY", "true"));
            standby.start();
            assertThat(standby.awaitReady()).isTrue();
            assertNothingRuns(tenant.api().at(standby), instance);
            standby.shutDown();

            node.start();
            assertThat(node.awaitReady()).isTrue();
            Instant until = Instant.now().plusSeconds(120);
            while (!status(tenant.api().at(node), instance).equals("COMPLETED")) {
                assertThat(Instant.now()).isBefore(until);
                ChaosClient.pause(100);
            }
            cluster.stopAndForget();
        }
    }

    /** Reads for longer than a lease and several sweeps. */
    private static void assertNothingRuns(ChaosClient client, String instance) throws InterruptedException {
        String path = "/developer/api/workflow_instances/" + instance;
        String first = client.once("GET", path + "/logs", null).orElseThrow().body();
        for (int i = 0; i < READS; i++) {
            ChaosClient.pause(200);
            assertThat(status(client, instance)).isEqualTo("RUNNING");
        }
        assertThat(client.once("GET", path + "/logs", null).orElseThrow().body())
                .isEqualTo(first);
        for (String change :
                List.of(path + "/cancel", "/developer/api/conversations", "/mcp", "/v1/chat/completions")) {
            ChaosClient.Answer answer = client.once("POST", change, Map.of()).orElseThrow();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("This service is on standby");
        }
        assertThat(client.once("GET", "/health/ready", null).orElseThrow().body())
                .contains("\"standby\": true");
    }

    private static String status(ChaosClient client, String instance) throws InterruptedException {
        return client.once("GET", "/developer/api/workflow_instances/" + instance + "/status", null)
                .orElseThrow()
                .json()
                .at("/status")
                .asText();
    }
}
