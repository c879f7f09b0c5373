package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.WorkflowId;
import dev.parley.media.TestFiles;
import dev.parley.organization.Role;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files as inputs of workflows, and files produced by tasks. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class FileOutputsTest {
    @Inject
    TestOrganizations organizations;

    private HttpServer elsewhere;
    private Tenant tenant;
    private WorkflowId workflow;
    private String conversation;

    @BeforeEach
    void aWorkflowThatYieldsTheFileItGets() throws Exception {
        elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        elsewhere.createContext("/table.csv", exchange -> {
            exchange.sendResponseHeaders(200, TestFiles.CSV.length);
            exchange.getResponseBody().write(TestFiles.CSV);
            exchange.close();
        });
        elsewhere.start();
        tenant = Tenant.create();
        // The offline model copies an input to the output of its name.
        workflow = Workflows.of(tenant)
                .task(
                        "yield",
                        Map.of(
                                "kind", "AI",
                                "input_parameters",
                                        List.of(Workflows.input("human_msg", "STRING", "system_generated", true)),
                                "expected_output", List.of(Workflows.output("human_msg", "CSV"))))
                .publish();
        conversation = tenant.post(
                        "/conversations",
                        Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow.text())))
                .expect(201)
                .text("/id");
    }

    @AfterEach
    void stop() {
        elsewhere.stop(0);
    }

    private String url(String path) {
        return "http://127.0.0.1:" + elsewhere.getAddress().getPort() + path;
    }

    private JsonNode lastMessage(String type) {
        return Tenant.eventually(
                        () -> tenant.get("/conversations/" + conversation + "/messages"),
                        answer -> answer.json().path(0).path("type").asText().equals(type))
                .json()
                .get(0);
    }

    @Test
    void aFileByUrlIsMovedAndItsMessageCarriesTheUri() {
        tenant.send(conversation, url("/table.csv")).expect(200);
        JsonNode message = lastMessage("AGENT_RESPONSE");
        assertThat(message.at("/content").asText())
                .startsWith("s3://parley/" + tenant.organization().text() + "/spreadsheet/");
        assertThat(message.at("/metadata/file/uri").asText())
                .isEqualTo(message.at("/content").asText());
        assertThat(message.at("/content_type").asText()).isEqualTo("SPREADSHEET");
        assertThat(message.at("/filename").asText()).endsWith("_table.csv");
        assertThat(message.at("/metadata/workflow_instance_status").asText()).isEqualTo("COMPLETED");
        String path = TestFiles.path(message.at("/metadata/file/path").asText());
        assertThat(TestFiles.download("GET", tenant.key(), path).body()).isEqualTo(TestFiles.CSV);
    }

    @Test
    void severalFilesWithoutNamesAreOutputsOfTheirOwn() {
        // The offline model copies an input to the output of its name.
        Map<String, Object> nameless = Map.of("type", "CSV", "description", "A table");
        WorkflowId two = Workflows.of(tenant)
                .task(
                        "yield",
                        Map.of(
                                "kind",
                                "AI",
                                "input_parameters",
                                List.of(
                                        Workflows.input("file", "STRING", "human_input", true),
                                        Workflows.input("file_2", "STRING", "human_input", true)),
                                "expected_output",
                                List.of(nameless, nameless)))
                .publish();
        Api.Answer done = tenant.post(
                        "/workflows/" + two + "/trigger/sync",
                        Map.of("inputs", Map.of("file", url("/table.csv"), "file_2", "a,b\n1,2\n")))
                .expect(200);
        assertThat(done.text("/status")).as(done.body()).isEqualTo("COMPLETED");
        assertThat(done.text("/output/file")).endsWith("_table.csv");
        assertThat(done.text("/output/file_2")).matches("s3://.*/\\d{8}_\\d{6}_file_2\\.csv");
    }

    @Test
    void anUploadedFileReachesTheWorkflowAndStaysWhereItIs() {
        String stored =
                TestFiles.upload(tenant, "mine.csv", "text/csv", TestFiles.CSV).text("/filename");
        String uri = TestFiles.send(tenant, conversation, stored, "text/csv")
                .expect(200)
                .text("/metadata/file/uri");
        assertThat(lastMessage("AGENT_RESPONSE").at("/content").asText()).isEqualTo(uri);
    }

    @Test
    void aFileThatCannotBeMovedFailsItsTask() {
        Api.Answer failed = tenant.post(
                        "/workflows/" + workflow + "/trigger/sync", Map.of("human_msg", url("/none.csv")))
                .expect(200);
        assertThat(failed.text("/status")).isEqualTo("FAILED");
        assertThat(failed.text("/error/error")).isEqualTo("File error");
        assertThat(failed.text("/error/detail")).contains("human_msg", "404");
    }

    @Test
    void anotherOrganizationsFileFailsTheTask() {
        String foreign = TestFiles.sent(Tenant.create(), "secret.csv", "text/csv", TestFiles.CSV)
                .text("/metadata/file/uri");
        Api.Answer failed = tenant.post("/workflows/" + workflow + "/trigger/sync", Map.of("human_msg", foreign))
                .expect(200);
        assertThat(failed.text("/error/detail")).contains("There is no such file.");
        assertThat(tenant.post("/workflows/" + workflow + "/trigger/sync", Map.of("file_urls", List.of(foreign)))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/file_urls/0");
    }

    @Test
    void aPersonsFileIsMovedLikeThoseOfOtherTasks() {
        Answering ask = asking();
        Api.Answer refused = ask.complete(url("/none.csv")).expect(400);
        assertThat(refused.text("/errors/0/path")).isEqualTo("/answer/table");
        assertThat(refused.text("/errors/0/detail")).contains("404");
        String foreign = TestFiles.sent(Tenant.create(), "secret.csv", "text/csv", TestFiles.CSV)
                .text("/metadata/file/uri");
        ask.complete(foreign).expect(400);
        ask.complete(url("/table.csv")).expect(200);
        JsonNode message = lastMessage("AGENT_RESPONSE");
        assertThat(message.at("/filename").asText()).endsWith("_table.csv");
        assertThat(message.at("/metadata/file/uri").asText())
                .startsWith("s3://parley/" + tenant.organization().text() + "/spreadsheet/");
    }

    @Test
    void aPersonsUploadIsAnAnswerToo() {
        Answering ask = asking();
        Api.Answer presigned = ask.person
                .browser()
                .post(ask.path + "/media/presigned-url")
                .json(Map.of("filename", "mine.csv", "content_type", "text/csv"))
                .send()
                .expect(201);
        ask.complete(presigned.text("/file_url")).expect(400);
        assertThat(TestFiles.put(presigned, TestFiles.CSV)).isEqualTo(200);
        ask.complete(presigned.text("/file_url")).expect(200);
        assertThat(lastMessage("AGENT_RESPONSE").at("/content").asText()).isEqualTo(presigned.text("/file_url"));
    }

    /** A user, and the ticket that requests a table. */
    private record Answering(TestOrganizations.TestUser person, String path, String ticket) {
        Api.Answer complete(String table) {
            return person.browser()
                    .post(path + "/tickets/" + ticket + "/complete")
                    .json(Map.of("answer", Map.of("table", table)))
                    .send();
        }
    }

    private Answering asking() {
        WorkflowId asks = Workflows.of(tenant)
                .task("ask", Map.of("kind", "Human", "expected_output", List.of(Workflows.output("table", "CSV"))))
                .publish();
        conversation = tenant.post(
                        "/conversations",
                        Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", asks.text())))
                .expect(201)
                .text("/id");
        tenant.send(conversation, "Please").expect(200);
        String ticket = Tenant.eventually(
                        () -> tenant.get("/conversations/" + conversation + "/messages"),
                        answer ->
                                answer.json().path(0).at("/metadata/ticket_id").isTextual())
                .text("/0/metadata/ticket_id");
        TestOrganizations.TestUser person = organizations.testUser();
        organizations.join(tenant.organization(), person, Role.ADMIN);
        return new Answering(person, "/dashboard/api/organizations/" + tenant.organization(), ticket);
    }
}
