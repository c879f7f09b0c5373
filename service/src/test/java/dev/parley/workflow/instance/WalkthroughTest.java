package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.egress.ScriptedServer;
import dev.parley.media.TestFiles;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;

/** docs/walkthrough.md, step by step: one instance with all four kinds of tasks and an exception. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class WalkthroughTest {
    private final Tenant tenant = Tenant.create();
    private final Api owner = tenant.browser();
    private final String dashboard = "/dashboard/api/organizations/" + tenant.organization();
    private final AtomicBoolean repaired = new AtomicBoolean();

    private static String file(String name) throws IOException {
        return Files.readString(Path.of("../examples", name));
    }

    private Api.Answer post(String path, Object body) {
        return owner.post(dashboard + path).json(body).send();
    }

    private JsonNode get(String path) {
        return owner.get(dashboard + path).send().expect(200).json();
    }

    /** The workflow's prerequisites: a team, a tool, and code. */
    private String workflow(String warehouse) throws IOException {
        assertThat(post("/teams", Map.of("name", "Claims")).expect(201).text("/id"))
                .isEqualTo("1");
        assertThat(owner.put(dashboard + "/teams/1/members/" + tenant.owner())
                        .json(Map.of())
                        .send()
                        .status())
                .isLessThan(300);
        Map<String, Object> provider = Map.of(
                "name",
                "warehouse",
                "kind",
                "openapi",
                "document",
                file("tools/warehouse.json"),
                "server_url",
                warehouse);
        post("/tool-providers", provider).expect(201);
        assertThat(get("/tools/1000").path("tool_name").asText()).isEqualTo("getDelivery");
        Map<String, Object> code =
                Map.of("name", "Refund", "language", "javascript", "source", file("code/refund.mjs"));
        assertThat(post("/code-artifacts", code).expect(201).text("/id")).isEqualTo("1");
        String document = file("claim.json")
                .replace("{{team}}", "1")
                .replace("{{user}}", tenant.owner().text());
        String id = post("/workflows", document).expect(201).text("/id");
        owner.post(dashboard + "/workflows/" + id + "/publish").send().expect(200);
        return id;
    }

    private JsonNode ticket(String ruleType) {
        return Tenant.eventually(
                        () -> get("/tickets?status=OPEN").path("items"),
                        items -> items.size() == 1
                                && items.path(0).path("rule_type").asText().equals(ruleType))
                .get(0);
    }

    private List<String> mails() {
        return get("/emails").path("items").findValuesAsText("subject");
    }

    @Test
    void oneInstanceGoesThroughAllFourKinds() throws Exception {
        try (var warehouse = new ScriptedServer((_, out) -> ScriptedServer.write(
                out,
                repaired.get() ? 200 : 422,
                "application/json",
                repaired.get()
                        ? "{\"item\": \"Bolts M8\", \"quantity\": 40, \"unit_price\": 2.5}"
                        : "{\"error\": \"the index is being rebuilt\"}"))) {
            String workflow = workflow(warehouse.url(""));
            String conversation = tenant.post(
                            "/conversations",
                            Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow)))
                    .expect(201)
                    .text("/id");
            tenant.send(conversation, "Claim 4711: the bolts arrived rusty, I want 119.50 EUR back.")
                    .expect(200);

            JsonNode exception = ticket("Exception");
            assertThat(exception.toString()).contains("422");
            assertThat(Tenant.eventually(this::mails, mails -> !mails.isEmpty()))
                    .hasSize(1);
            String mail = get("/emails").at("/items/0/id").asText();
            assertThat(get("/emails/" + mail).path("text").asText())
                    .contains(exception.path("id").asText(), "Look the delivery up", "Claim", "422");
            repaired.set(true);
            post("/tickets/" + exception.path("id").asText() + "/retry", Map.of())
                    .expect(200);

            JsonNode approval = ticket("Human Feedback");
            assertThat(approval.toString()).contains("Approve the refund");
            String path = "/tickets/" + approval.path("id").asText();
            assertThat(get(path).toString()).contains("100", "Bolts M8");
            assertThat(mails())
                    .containsExactly("[Ticket #2] Approve the refund", "[Ticket #1] Exception in Look the delivery up");
            post(path + "/claim", Map.of()).expect(200);
            post(path + "/complete", Map.of("answer", Map.of("approved", true, "remark", "We are sorry for the rust.")))
                    .expect(200);

            letter(conversation);
            log(get("/instances").at("/items/0/workflow_instance_id").asText());
            assertThat(warehouse.received()).hasSize(2);
            assertThat(warehouse.received().getFirst().line()).startsWith("GET /deliveries/4711");
        }
    }

    private void letter(String conversation) throws Exception {
        JsonNode message = Tenant.eventually(
                        () -> tenant.get("/conversations/" + conversation + "/messages"),
                        answer -> answer.json().at("/0/type").asText().equals("AGENT_RESPONSE"))
                .json()
                .get(0);
        assertThat(message.path("content_type").asText()).isEqualTo("DOCUMENT");
        assertThat(message.path("filename").asText()).endsWith("_letter.pdf");
        assertThat(message.at("/metadata/workflow_instance_status").asText()).isEqualTo("COMPLETED");
        String path = TestFiles.path(message.at("/metadata/file/path").asText());
        byte[] pdf = TestFiles.download("GET", tenant.key(), path).body();
        try (PDDocument document = Loader.loadPDF(pdf)) {
            assertThat(new PDFTextStripper().getText(document)).contains("We are sorry for the rust.");
        }
        Files.write(Path.of("target", "walkthrough-letter.pdf"), pdf);
    }

    private void log(String instance) {
        JsonNode status = tenant.get("/workflow_instances/" + instance + "/status")
                .expect(200)
                .json();
        assertThat(status.path("status").asText()).isEqualTo("COMPLETED");
        assertThat(status.path("tasks").findValuesAsText("kind")).containsExactly("AI", "App", "Coder", "Human", "AI");
        JsonNode log = tenant.get("/workflow_instances/" + instance + "/logs")
                .expect(200)
                .json();
        List<String> steps = new java.util.ArrayList<>();
        log.findValues("status_changes").forEach(changes -> steps.addAll(changes.findValuesAsText("to")));
        assertThat(steps)
                .as(log.toString())
                .containsExactly("RUNNING", "PAUSED", "RUNNING", "PAUSED", "RUNNING", "COMPLETED");
        assertThat(log.toString()).contains("user:" + tenant.owner().text());
    }
}
