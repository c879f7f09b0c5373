package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node whose embedded PostgreSQL is killed and cannot be restarted, temporarily or permanently. */
@Tag("chaos")
@Tag("all")
class LostPostgresTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private ChaosNode node;
    private NodeDatabase database;
    private ChaosTenant tenant;

    @Test
    void theServiceWaitsForPostgresAndExitsWithoutIt() throws Exception {
        try (RecordingSmtpServer letters = new RecordingSmtpServer();
                Cluster cluster = Cluster.start(ChaosOptions.shortEmbedded(1), letters.settings())) {
            node = cluster.nodes().getFirst();
            database = (NodeDatabase) cluster.database();
            tenant = ChaosTenant.create(new ChaosClient(List.of(node), new Random(1), Map.of()));
            workGoesOnWhenPostgresIsBack(letters);
            withoutPostgresTheProcessEnds();
            aSignalEndsTheServiceWhilePostgresStarts();
            cluster.stopAndForget();
        }
    }

    private void workGoesOnWhenPostgresIsBack(RecordingSmtpServer letters) throws Exception {
        losePostgres();
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(this::statusAndRetryAfter);
        awaitReadiness(false);
        database.restoreProgram();
        awaitReadiness(true);

        assertThat(answer.join()).isIn("503 2", "201 null");
        letters.awaitAbout(tenant.ticket(node));
    }

    private void withoutPostgresTheProcessEnds() throws Exception {
        losePostgres();

        assertThat(node.awaitExit(TIMEOUT)).hasValue(1);
        assertThat(node.log()).contains("The embedded PostgreSQL exited and could not be restarted in 4 attempts");
        database.restoreProgram();
    }

    private void aSignalEndsTheServiceWhilePostgresStarts() throws Exception {
        node.start();
        awaitReadiness(true);
        losePostgres();
        awaitReadiness(false);
        Instant begun = Instant.now();
        node.shutDown();

        assertThat(Duration.between(begun, Instant.now())).isLessThan(TIMEOUT.dividedBy(2));
        assertThat(ProcessHandle.allProcesses().filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(database.directory().toString()))
                        .isPresent()))
                .isEmpty();
    }

    private void losePostgres() throws IOException {
        database.hideProgram();
        database.killServer();
    }

    private void awaitReadiness(boolean ready) throws InterruptedException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        while (node.isReady() != ready) {
            assertThat(Instant.now()).isBefore(deadline);
            ChaosClient.pause(50);
        }
    }

    private String statusAndRetryAfter() {
        try {
            var request = (HttpURLConnection)
                    node.at("/developer/api/conversations").toURL().openConnection();
            request.setRequestMethod("POST");
            request.setDoOutput(true);
            request.setRequestProperty("Authorization", tenant.api().header("Authorization"));
            request.setRequestProperty("Content-Type", "application/json");
            request.getOutputStream()
                    .write("{\"channel\": \"API\", \"usecase\": \"DEFAULT\"}".getBytes(StandardCharsets.UTF_8));
            return request.getResponseCode() + " " + request.getHeaderField("Retry-After");
        } catch (IOException e) {
            return e.toString();
        }
    }
}
