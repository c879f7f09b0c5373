package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.egress.ScriptedServer;
import dev.parley.id.WorkflowId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** App tasks within instances: inputs, outputs, retries, and the egress rules. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class AppTaskTest {
    private Tenant tenant;

    @BeforeEach
    void makeTenant() {
        tenant = Tenant.create();
    }

    private WorkflowId workflow(Object... outputs) {
        return Workflows.of(tenant)
                .task(
                        "call",
                        Map.of(
                                "kind",
                                "App",
                                "provider",
                                "builtin",
                                "tool_name",
                                "http.request",
                                "tool_id",
                                1,
                                "input_parameters",
                                List.of(
                                        Workflows.input("url", "STRING", "human_input", true),
                                        Workflows.input("body", "STRING", "human_input", false)),
                                "expected_output",
                                List.of(outputs)))
                .publish();
    }

    private JsonNode run(WorkflowId workflow, Map<String, Object> inputs) {
        Api.Answer started =
                tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=20", Map.of("inputs", inputs));
        return started.json();
    }

    @Test
    void inputsBecomeArgumentsAndTheResultTheOutputs() throws IOException {
        try (var server =
                new ScriptedServer(ScriptedServer.answering(200, "application/json", "{\"rate\":\"1.25\"}"))) {
            JsonNode instance = run(
                    workflow(
                            Workflows.output("status", "INTEGER"),
                            Workflows.output("body", "STRING"),
                            Workflows.output("rate", "FLOAT")),
                    Map.of("url", server.url("/rates"), "body", "hello"));

            assertThat(instance.at("/status").asText()).as(instance.toString()).isEqualTo("COMPLETED");
            assertThat(instance.at("/output/status").asInt()).isEqualTo(200);
            assertThat(instance.at("/output/rate").asDouble()).isEqualTo(1.25);
            assertThat(server.received().getFirst().line()).startsWith("POST /rates");
            assertThat(server.received().getFirst().body()).isEqualTo("hello");
        }
    }

    @Test
    void aTransientFaultIsTriedAgainWithTheSameKey() throws IOException {
        int[] asked = {0};
        try (var server = new ScriptedServer((_, out) ->
                ScriptedServer.write(out, ++asked[0] == 1 ? 503 : 200, "text/plain", "fine", "Retry-After: 0"))) {
            JsonNode instance =
                    run(workflow(Workflows.output("body", "STRING")), Map.of("url", server.url("/"), "body", "x"));

            assertThat(instance.at("/status").asText()).as(instance.toString()).isEqualTo("COMPLETED");
            assertThat(server.received()).hasSize(2);
            assertThat(server.received().stream().map(one -> one.header("Idempotency-Key")))
                    .doesNotContain("")
                    .containsOnly(server.received().getFirst().header("Idempotency-Key"));
        }
    }

    @Test
    void aPermanentFaultFailsAtOnce() throws IOException {
        try (var server = new ScriptedServer(ScriptedServer.answering(404, "text/plain", "no such thing"))) {
            JsonNode instance = run(workflow(Workflows.output("body", "STRING")), Map.of("url", server.url("/")));

            assertThat(instance.at("/status").asText()).isEqualTo("FAILED");
            assertThat(instance.at("/error/detail").asText()).contains("404", "no such thing");
            assertThat(server.received()).hasSize(1);
        }
    }

    @Test
    void anAnswerThatDoesNotFitTheOutputsFails() throws IOException {
        try (var server =
                new ScriptedServer(ScriptedServer.answering(200, "application/json", "{\"rate\":\"much\"}"))) {
            JsonNode instance = run(workflow(Workflows.output("rate", "FLOAT")), Map.of("url", server.url("/")));

            assertThat(instance.at("/error/detail").asText()).contains("FLOAT");
        }
    }

    @Test
    void theExampleRuns() throws IOException {
        try (var server = new ScriptedServer(ScriptedServer.answering(200, "text/html", "<h1>Parley</h1>"))) {
            JsonNode instance = run(Workflows.example(tenant, "web-lookup"), Map.of("url", server.url("/page")));

            assertThat(instance.at("/status").asText()).as(instance.toString()).isEqualTo("COMPLETED");
            assertThat(instance.at("/output/summary").asText()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/",
                "http://169.254.169.254/latest/meta-data",
                "http://167772161/",
                "http://0x0a.0.0.1/",
                "http://012.0.0.1/",
                "http://[::ffff:10.0.0.1]/",
                "http://[64:ff9b::a00:1]/"
            })
    void forbiddenAddressesFailTheTask(String url) {
        JsonNode instance = run(workflow(Workflows.output("body", "STRING")), Map.of("url", url));

        assertThat(instance.at("/status").asText()).isEqualTo("FAILED");
        assertThat(instance.at("/tasks/0/attempts").asInt()).isEqualTo(1);
    }
}
