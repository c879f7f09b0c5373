package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.TestSize;
import dev.parley.backup.DatabaseContent;
import dev.parley.db.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A restore drill with the built service and its own PostgreSQL, as docs/guides/production.md describes it. */
@Tag("chaos")
@Tag("all")
class BackupDrillTest {
    private static final String PASSPHRASE = "a passphrase of the drill";

    @Test
    void aCopyOfALostNodeStandsByAndThenContinues() throws Exception {
        try (Cluster cluster =
                Cluster.start(ChaosOptions.shortEmbedded(1), Map.of("PARLEY_BACKUP_PASSPHRASE", PASSPHRASE))) {
            ChaosNode node = cluster.nodes().getFirst();
            ChaosTenant tenant = ChaosTenant.create(new ChaosClient(List.of(node), new Random(1), Map.of()));
            String ticket = tenant.ticket(node);
            String conversation = sendFile(tenant.api().at(node));
            Path online = cluster.logs().resolve("online.backup");
            assertThat(node.run("backup", online.toString())).startsWith("0\nThe backup is in ");
            assertDiagnosed(node, cluster.logs().resolve("bundle.zip"));
            node.kill();
            cluster.database().close();
            Path offline = cluster.logs().resolve("offline.backup");
            assertThat(node.run("backup", offline.toString())).startsWith("0\nThe backup is in ");

            assertThat(copy(cluster, node, "online").run("restore", online.toString()))
                    .startsWith("0\n");
            ChaosNode copy = copy(cluster, node, "offline");
            assertThat(copy.run("restore", offline.toString())).startsWith("0\n");
            assertThat(copy.run("restore", offline.toString())).matches("1\nparley: .* already: [^\n]*\n");
            assertThat(tables(copy)).isEqualTo(tables(node));
            assertThat(files(copy)).isEqualTo(files(node)).hasSize(2);

            copy.start();
            assertThat(copy.awaitReady()).isTrue();
            ChaosClient client = tenant.api().at(copy);
            assertThat(get(client, "/health/ready")).contains("\"standby\": true");
            assertThat(get(client, "/developer/api/conversations/" + conversation + "/messages"))
                    .contains("report.pdf");
            assertThat(client.once("POST", "/developer/api/conversations", Map.of())
                            .orElseThrow()
                            .status())
                    .isEqualTo(503);
            assertThat(copy.run("activate")).startsWith("0\n");
            copy.shutDown();
            copy.start();
            assertThat(copy.awaitReady()).isTrue();
            assertThat(get(client, "/health/ready")).contains("\"standby\": false");
            assertThat(tenant.dashboard()
                            .at(copy)
                            .once(
                                    "POST",
                                    "/dashboard/api/organizations/" + tenant.organization() + "/tickets/" + ticket
                                            + "/complete",
                                    Map.of("answer", Map.of("approved", true)))
                            .orElseThrow()
                            .status())
                    .isEqualTo(200);
            copy.shutDown();
            cluster.stopAndForget();
        }
    }

    /** An installation without data and with other directories. */
    private static ChaosNode copy(Cluster cluster, ChaosNode node, String name) {
        Path home = cluster.logs().resolve("copy-" + name);
        return node.with(Map.of(
                "PARLEY_DATA",
                home.resolve("data").toString(),
                "PARLEY_FILES",
                home.resolve("files").toString()));
    }

    private static Map<String, String> tables(ChaosNode node) throws SQLException {
        Path directory = Path.of(node.setting("PARLEY_DATA")).resolve("postgres");
        try (var postgres = EmbeddedPostgres.start(directory, TestSize.SMALLEST.postgres())) {
            return DatabaseContent.tables(postgres.jdbcUrl(), postgres.user(), postgres.password());
        }
    }

    private static Map<String, String> files(ChaosNode node) {
        return DatabaseContent.files(Path.of(node.setting("PARLEY_FILES")));
    }

    private static String get(ChaosClient client, String path) throws InterruptedException {
        return client.once("GET", path, null).orElseThrow().body();
    }

    /** Returns the conversation of the message with the file. */
    private static String sendFile(ChaosClient client) throws IOException, InterruptedException {
        var upload = client.once(
                        "POST",
                        "/developer/api/media/presigned-url",
                        Map.of("filename", "report.pdf", "content_type", "application/pdf"))
                .orElseThrow()
                .json();
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(
                            URI.create(upload.at("/upload_url").asText()))
                    .header("Content-Type", "application/pdf")
                    .PUT(HttpRequest.BodyPublishers.ofString(
                            "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"))
                    .build();
            assertThat(http.send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        }
        String conversation = client.once("POST", "/developer/api/conversations", Map.of())
                .orElseThrow()
                .json()
                .at("/id")
                .asText();
        var message = Map.of(
                "conversation_id",
                conversation,
                "content_type",
                "application/pdf",
                "filename",
                upload.at("/filename").asText());
        assertThat(client.once("POST", "/developer/api/messages", message)
                        .orElseThrow()
                        .isOk())
                .isTrue();
        return conversation;
    }

    private static void assertDiagnosed(ChaosNode node, Path bundle) throws IOException, InterruptedException {
        assertThat(node.run("diagnose", bundle.toString())).startsWith("0\nThe support bundle is in ");
        try (var zip = new ZipFile(bundle.toFile())) {
            List<String> names = zip.stream().map(Object::toString).toList();
            assertThat(names).contains("health.json", "metrics.txt", "logs/postgres.log", "database/activity.txt");
            assertThat(new String(
                            zip.getInputStream(zip.getEntry("threads.txt")).readAllBytes(), StandardCharsets.UTF_8))
                    .contains("Full thread dump");
            for (var entry : zip.stream().toList()) {
                assertThat(new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8))
                        .doesNotContain(
                                PASSPHRASE,
                                node.setting("PARLEY_SECRET"),
                                Cluster.PASSWORD,
                                Files.readString(Path.of(node.setting("PARLEY_DATA"), "postgres", "password")));
            }
        }
    }
}
