package dev.parley.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.TestPostgres;
import dev.parley.id.WorkflowId;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.settings.Settings;
import dev.parley.workflow.instance.PublishedWorkflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The operator's endpoints: health, readiness and metrics. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class HealthTest {
    @Test
    void aServiceThatRunsIsLiveAndReady() {
        assertThat(get("/health/live").expect(200).text("/status")).isEqualTo("UP");
        Api.Answer ready = get("/health/ready").expect(200);
        assertThat(ready.json().at("/checks").findValuesAsText("name"))
                .contains("database", "disk", "file store", "node lease", "code sandbox");
        assertThat(get("/health").expect(200).text("/status")).isEqualTo("UP");
    }

    @Test
    void theReleaseAndTheSchemaOfEachNodeAreShown() {
        Api.Answer own = get("/health/version").expect(200);
        NodeVersion version = Tenant.bean(NodeVersion.class);
        assertThat(own.body())
                .isEqualTo("{\"version\":\"" + version.version() + "\",\"schema\":" + version.schema() + "}");
        assertThat(version.version()).matches("\\d+\\.\\d+\\.\\d+.*");
        new Api().post("/health/version").send().expect(405);

        var organizations = Tenant.bean(TestOrganizations.class);
        organizations
                .create()
                .owner()
                .browser()
                .get("/dashboard/api/nodes")
                .send()
                .expect(403);
        String id = Tenant.bean(NodeLease.class).id().text();
        List<JsonNode> nodes = organizations
                .operator()
                .browser()
                .get("/dashboard/api/nodes")
                .send()
                .expect(200)
                .json()
                .at("/items")
                .valueStream()
                .filter(node -> node.at("/id").asText().equals(id))
                .toList();
        assertThat(nodes).hasSize(1);
        assertThat(nodes.getFirst().at("/version").asText()).isEqualTo(version.version());
        assertThat(nodes.getFirst().at("/schema_version").asInt()).isEqualTo(version.schema());
        assertThat(nodes.getFirst().at("/alive").asBoolean()).isTrue();
    }

    @Test
    void aServiceWithoutItsDatabaseIsLiveButNotReadyUntilItIsBack() {
        TestPostgres.refuseConnections();
        try {
            long startedAt = System.nanoTime();
            Api.Answer answer = Tenant.eventually(() -> get("/health/ready"), one -> one.status() == 503);
            assertThat(answer.text("/status")).isEqualTo("DOWN");
            get("/health/ready");
            assertThat(System.nanoTime() - startedAt).isLessThan(5_000_000_000L);
            get("/health/live").expect(200);
        } finally {
            TestPostgres.acceptConnections();
        }
        Tenant.eventually(() -> get("/health/ready"), one -> one.status() == 200);
    }

    @Test
    void aServiceWhoseDatabaseRejectsWritesSaysSoAndIsNotReadyUntilItAcceptsThem() {
        Tenant tenant = Tenant.create(100);
        String conversation = tenant.conversation();
        TestPostgres.refuseWrites();
        try {
            // Connections that the restriction has ended give another cause first.
            Tenant.eventually(() -> get("/health/ready"), one -> one.body()
                            .contains("\"cause\": \"The database is read-only.\""))
                    .expect(503);
            Api.Answer answer = Tenant.eventually(
                    () -> tenant.send(conversation, "hello"), one -> one.body().contains("read-only"));
            assertThat(answer.expect(503).text("/detail"))
                    .isEqualTo("The database is read-only right now; nothing was stored.");
        } finally {
            TestPostgres.acceptWrites();
        }
        Tenant.eventually(() -> get("/health/ready"), one -> one.status() == 200);
        Tenant.eventually(() -> tenant.send(conversation, "hello"), one -> one.status() == 200);
    }

    @Test
    void aServiceWhoseDataDirectoryCannotBeWrittenIsNotReady() throws Exception {
        Path scratch = Settings.load().storage().directory();
        Path aside = scratch.resolveSibling("aside-" + scratch.getFileName());
        Files.move(scratch, aside);
        Files.writeString(scratch, "not a directory");
        try {
            Api.Answer answer = Tenant.eventually(() -> get("/health/ready"), one -> one.status() == 503);
            assertThat(answer.body()).contains("is not a directory.");
        } finally {
            Files.delete(scratch);
            Files.move(aside, scratch);
        }
        Tenant.eventually(() -> get("/health/ready"), one -> one.status() == 200);
    }

    @Test
    void aServiceWhoseFilesAreNotMountedIsNotReady() throws Exception {
        Path files = Settings.load().files().directory();
        Path aside = files.resolveSibling("unmounted");
        Files.move(files, aside);
        try {
            Api.Answer answer = Tenant.eventually(() -> get("/health/ready"), one -> one.status() == 503);
            assertThat(answer.body()).contains("parley-store-id cannot be found");
            Files.createDirectory(files);
            get("/health/ready").expect(503);
        } finally {
            Files.deleteIfExists(files);
            Files.move(aside, files);
        }
        Tenant.eventually(() -> get("/health/ready"), one -> one.status() == 200);
    }

    @Test
    void aServiceWhoseFilesCannotBeWrittenIsNotReady() throws Exception {
        Path partial = Settings.load().files().directory().resolve("partial");
        Path aside = partial.resolveSibling("aside");
        Files.move(partial, aside);
        Files.writeString(partial, "not a directory");
        try {
            Api.Answer answer = Tenant.eventually(() -> get("/health/ready"), one -> one.status() == 503);
            assertThat(answer.body()).contains("partial cannot be written");
        } finally {
            Files.delete(partial);
            Files.move(aside, partial);
        }
        Tenant.eventually(() -> get("/health/ready"), one -> one.status() == 200);
    }

    @Test
    void metricsCountFinishedInstancesByWorkflow() {
        Tenant tenant = Tenant.create();
        WorkflowId workflow = PublishedWorkflows.yielding(tenant);
        String labels = "parley_instances_finished_total{status=\"completed\",workflow=\"";
        double others = value(get("/metrics").body(), labels + "other");

        tenant.post("/workflows/" + workflow + "/trigger/sync", Map.of("human_msg", "a,b\n1,2"))
                .expect(200);

        Tenant.eventually(
                () -> get("/metrics").body(),
                // Of the workflows of other tests, more than a hundred may have ended before.
                text -> value(text, labels + workflow) == 1 || value(text, labels + "other") > others);
    }

    @Test
    void metricsCountRequestsAndWork() {
        Tenant tenant = Tenant.create(1);
        String conversation = tenant.conversation();
        tenant.send(conversation, "hello").expect(200);
        tenant.send(conversation, "too many").expect(429);
        get("/developer/api/conversations/" + conversation + "/messages").expect(401);
        Api.dashboard()
                .get("/dashboard/api/organizations/" + tenant.organization().text())
                .send()
                .expect(401);
        new Api().put("/developer/uploads/a-secret-token").send().expect(403);
        new Api().get("/invitations/a-secret-token").send();
        String text = Tenant.eventually(
                        () -> get("/metrics"),
                        // Requests are counted after their response was sent.
                        answer -> answer.body().contains("uri=\"UNAUTHENTICATED\"")
                                && answer.body()
                                        .contains("parley_message_processing_seconds_count{outcome=\"answered\"}")
                                && value(answer.body(), "parley_message_processing_seconds_count{outcome=\"answered\"}")
                                        > 0)
                .body();
        assertThat(List.of(
                        "parley_messages_accepted_total",
                        "parley_rate_limit_refusals_total",
                        "parley_model_calls_seconds_count",
                        "parley_group_commit_rows_count",
                        "parley_database_connections{state=\"idle\"}"))
                .allSatisfy(name -> assertThat(value(text, name)).isPositive());
        assertThat(text)
                .contains("uri=\"UNAUTHENTICATED\"")
                .doesNotContainPattern("uri=\"[^\"]*[0-9a-f]{32}")
                .contains(
                        "parley_group_commit_waiting{queue=",
                        "parley_work_waiting{kind=\"message\"}",
                        "parley_work_keys{kind=\"webhook\"}",
                        "parley_work_running{kind=\"webhook\"}",
                        "parley_work_waiting{kind=\"webhook\"}",
                        "http_server_requests")
                .doesNotContain(tenant.organization().text(), conversation, tenant.key(), "a-secret-token");
    }

    private static Api.Answer get(String path) {
        return new Api().get(path).send();
    }

    /** The sum of the samples with this prefix. */
    private static double value(String metrics, String name) {
        return metrics.lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
