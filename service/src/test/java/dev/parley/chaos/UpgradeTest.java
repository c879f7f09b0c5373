package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.db.Database;
import dev.parley.db.ReleaseFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes of this release on the databases of earlier ones, and of two neighbouring releases on one database. */
@Tag("chaos")
@Tag("all")
class UpgradeTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path files;

    static Stream<ReleaseFixture> releases() {
        return ReleaseFixture.all().stream();
    }

    @ParameterizedTest
    @MethodSource("releases")
    void dataOfEachReleaseIsReadOverHttp(ReleaseFixture release) throws Exception {
        Map<String, String> settings =
                Map.of("PARLEY_SECRET", release.value("secret"), "PARLEY_FILES", files.toString());
        try (Cluster cluster =
                Cluster.start(ChaosOptions.shortForm(1), settings, database -> load(release, database))) {
            var client = new ChaosClient(cluster.nodes(), new Random(1), Map.of());
            ChaosClient api = client.with("Authorization", "Bearer " + release.value("key"));
            String conversation = "/developer/api/conversations/" + release.value("conversation");
            assertThat(get(api, conversation).json().at("/id").asText()).isEqualTo(release.value("conversation"));
            assertThat(get(api, conversation + "/messages").json()).isNotEmpty();
            assertThat(get(api, "/developer/api/workflow_instances/" + release.value("instance") + "/status")
                            .json()
                            .at("/status")
                            .asText())
                    .isEqualTo("PAUSED");

            ChaosClient browser = client.with("X-Requested-With", "parley");
            ChaosClient.Answer login = ask(
                    browser,
                    "POST",
                    "/dashboard/api/login",
                    Map.of("email", release.value("email"), "password", release.value("password")));
            browser = browser.with("Cookie", login.cookie().orElseThrow().split(";", 2)[0]);
            String ticket = "/dashboard/api/organizations/" + release.value("organization") + "/tickets/"
                    + release.value("ticket");
            assertThat(get(browser, ticket).json().at("/status").asText()).isEqualTo("OPEN");
            cluster.stopAndForget();
        }
    }

    @Test
    @SuppressWarnings("SystemOut") // The build's report shows the table.
    void acknowledgedDataSurvivesARollingUpgrade() throws Exception {
        ChaosOptions options = ChaosOptions.shortUpgrade(System.nanoTime() & 0xFFFFFF);
        var table = new ByteArrayOutputStream();
        Reconciliation books = new Chaos(options, new PrintStream(table, true, StandardCharsets.UTF_8)).run();
        String report = table.toString(StandardCharsets.UTF_8);
        System.out.print(report);
        assertThat(books.violations().values()).allMatch(List::isEmpty);
        assertThat(report).containsPattern("faults: UPGRADE +[2-9]");
        if (options.next().equals(ChaosBuild.next())) {
            assertThat(report).containsPattern("schema +900\\n");
        }
    }

    private static ChaosClient.Answer get(ChaosClient client, String path) throws InterruptedException {
        return ask(client, "GET", path, null);
    }

    private static ChaosClient.Answer ask(ChaosClient client, String method, String path, @Nullable Object body)
            throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        ChaosClient.Answer answer = client.repeatedly(method, path, body, () -> System.nanoTime() - end > 0)
                .orElseThrow();
        assertThat(answer.isOk()).as(path + ": " + answer.body()).isTrue();
        return answer;
    }

    /** Loads the rows, and gives the store of the files the id that the database knows. */
    private void load(ReleaseFixture release, ChaosDatabase chaos) {
        Map<String, String> settings = chaos.settings();
        try (var database = new Database(
                settings.get("PARLEY_DB_URL"), settings.get("PARLEY_DB_USER"), settings.get("PARLEY_DB_PASSWORD"), 4)) {
            release.load(database.dataSource());
            String id = database.with(
                    handle -> handle.createQuery("SELECT value FROM shared_value WHERE name = 'file_store_id'")
                            .mapTo(String.class)
                            .one());
            Files.writeString(Files.createDirectories(files.resolve("files")).resolve("parley-store-id"), id + "\n");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
