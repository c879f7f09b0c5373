package dev.parley.model;

import static dev.parley.Tenant.eventually;
import static dev.parley.model.ModelEndpoints.failing;
import static dev.parley.model.ModelEndpoints.saying;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.egress.ScriptedServer;
import dev.parley.id.WorkflowId;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which model replies to AI tasks and conversations, what it gets, and what it costs. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ModelChoiceTest {
    @Inject
    TestOrganizations organizations;

    private ModelEndpoints models;

    @BeforeEach
    void start() {
        models = new ModelEndpoints();
    }

    @AfterEach
    void stop() throws IOException {
        models.close();
    }

    private ScriptedServer add(String alias, Map<String, Object> fields) throws IOException {
        return models.add(alias, saying("{\"answer\": \"from %s\"}".formatted(alias)), fields);
    }

    private static Map<String, Object> task(Map<String, Object> fields) {
        Map<String, Object> task = new HashMap<>(Map.of(
                "kind", "AI",
                "input_parameters", List.of(),
                "expected_output", List.of(Map.of("name", "answer", "type", "STRING", "description", "d"))));
        task.putAll(fields);
        return task;
    }

    /** Runs a workflow of one AI task to its end. */
    private JsonNode run(Map<String, Object> fields) {
        return run(Workflows.of(models.tenant).task("think", task(fields)).publish());
    }

    private JsonNode run(WorkflowId workflow) {
        String instance = models.tenant
                .post("/workflows/" + workflow.text() + "/trigger/sync?wait_seconds=20", Map.of("human_msg", "Go"))
                .text("/workflow_instance_id");
        var _ = eventually(
                () -> models.tenant
                        .get("/workflow_instances/" + instance + "/status")
                        .json(),
                found -> !found.path("status").asText().equals("RUNNING"));
        return models.owner
                .get(models.path + "/instances/" + instance + "/attempts")
                .send()
                .expect(200)
                .json()
                .at("/items");
    }

    private String chat(Map<String, Object> config) {
        String conversation = models.tenant
                .post("/conversations", Map.of("config", config))
                .expect(201)
                .text("/id");
        models.tenant.send(conversation, "Hello").expect(200);
        JsonNode messages = eventually(
                () -> models.tenant
                        .get("/conversations/" + conversation + "/messages")
                        .json(),
                found -> found.size() > 1);
        return messages.get(0).at("/content").asText(); // The newest first.
    }

    @Test
    void aTaskGetsItsModelWithItsOptionsAndThePriceIsExact() throws Exception {
        ScriptedServer server = add(
                "smart",
                Map.of(
                        "input_price", 1.25,
                        "cached_input_price", 0.125,
                        "output_price", 10.000001,
                        "max_output_tokens", 500));

        JsonNode attempt = run(Map.of("model", "smart", "temperature", 0.5, "max_output_tokens", 900))
                .get(0);

        assertThat(attempt.at("/answer").asText()).contains("from smart");
        assertThat(attempt.at("/model").asText()).isEqualTo("smart");
        assertThat(attempt.at("/reported_model").asText()).isEqualTo("reported");
        assertThat(attempt.at("/cached_tokens").asInt()).isEqualTo(400);
        assertThat(attempt.at("/reasoning_tokens").asInt()).isEqualTo(200);
        // 600 × 1.25 + 400 × 0.125 + 300 × 10.000001, rounded.
        assertThat(attempt.at("/cost_micros").asLong()).isEqualTo(3800);
        assertThat(server.received()).hasSize(1);
        String body = server.received().getFirst().body();
        assertThat(body).contains("\"model\":\"smart-1\"");
    }

    @ParameterizedTest
    @CsvSource({
        "503, overloaded",
        "429, slow down",
        "400, This model's maximum context length is 8 tokens",
        "413, too large"
    })
    void aFallbackRepliesWhileTheModelCannot(int status, String error) throws Exception {
        ScriptedServer first = models.add("first", failing(status, error), Map.of());
        add("second", Map.of("output_price", 1));

        JsonNode attempt =
                run(Map.of("model", "first", "fallbacks", List.of("second"))).get(0);

        assertThat(attempt.at("/status").asText()).isEqualTo("COMPLETED");
        assertThat(attempt.at("/model").asText()).isEqualTo("second");
        assertThat(attempt.at("/cost_micros").asLong()).isEqualTo(300);
        assertThat(first.received()).isNotEmpty();
    }

    @Test
    void aRefusedRequestHasNoFallback() throws Exception {
        models.add("first", failing(401, "bad key"), Map.of());
        ScriptedServer second = add("second", Map.of());

        JsonNode attempts = run(Map.of("model", "first", "fallbacks", List.of("second")));

        assertThat(attempts.get(0).at("/error/detail").asText()).contains("refused the configured key");
        assertThat(second.received()).isEmpty();
    }

    @Test
    void aDeletedModelFailsWithItsAliasAndADeletedFallbackIsSkipped() throws Exception {
        add("gone", Map.of());
        models.add("first", failing(503, "overloaded"), Map.of());
        add("third", Map.of());
        WorkflowId named = Workflows.of(models.tenant)
                .task("think", task(Map.of("model", "gone")))
                .publish();
        WorkflowId skipping = Workflows.of(models.tenant)
                .task("think", task(Map.of("model", "first", "fallbacks", List.of("gone", "third"))))
                .publish();
        models.owner
                .delete(models.path + "/models/"
                        + models.listed("gone").at("/id").asInt())
                .send()
                .expect(204);

        assertThat(run(named).get(0).at("/error/detail").asText()).isEqualTo("The organization has no model 'gone'.");
        assertThat(run(skipping).get(0).at("/model").asText()).isEqualTo("third");
    }

    @Test
    void publishingRefusesUnknownModels() throws Exception {
        add("smart", Map.of());
        Map<String, Object> fields = Map.of(
                "model", "nothing", "fallbacks", List.of("smart", "none"), "temperature", 2.1, "reasoning_effort", "x");
        Api.Answer answer = models.owner
                .post(models.path + "/workflows/validate")
                .json(Workflows.of(models.tenant).task("think", task(fields)).document())
                .send()
                .expect(200);

        assertThat(answer.json().at("/errors").findValuesAsText("path"))
                .containsExactlyInAnyOrder(
                        "/tasks/0/model", "/tasks/0/fallbacks/1", "/tasks/0/temperature", "/tasks/0/reasoning_effort");
    }

    @Test
    void aConversationNamesItsModelAndInstructions() throws Exception {
        ScriptedServer server = models.add("smart", saying("Hi from smart"), Map.of());

        assertThat(chat(Map.of("model", "smart", "instructions", "Speak like a pirate.")))
                .isEqualTo("Hi from smart");
        assertThat(server.received().getFirst().body()).contains("Speak like a pirate.");

        Api.Answer refused = models.tenant
                .post("/conversations", Map.of("config", Map.of("model", "none", "instructions", 5)))
                .expect(400);
        assertThat(refused.json().at("/errors").findValuesAsText("path"))
                .containsExactly("/config/instructions", "/config/model");
    }

    @Test
    void theDefaultModelRepliesWhereNoneIsNamed() throws Exception {
        assertThat(run(Map.of()).get(0).at("/model").asText()).isEqualTo("default");
        assertThat(models.listed("default").at("/is_default").asBoolean()).isTrue();

        add("first", Map.of("is_default", true));
        add("second", Map.of("is_default", true));

        assertThat(run(Map.of()).get(0).at("/model").asText()).isEqualTo("second");
        assertThat(models.listed("first").at("/is_default").asBoolean()).isFalse();
        assertThat(models.listed("default").at("/is_default").asBoolean()).isFalse();
    }

    @Test
    void anOperatorHoldsAnOrganizationToAList() throws Exception {
        add("smart", Map.of());
        add("other", Map.of("name", "other-2"));
        Api operator = organizations.operator().browser();
        Map<String, Object> allowed = Map.of("allowed_models", List.of("127.0.0.1/smart-1"));
        models.owner.patch(models.path).json(allowed).send().expect(403);
        operator.patch(models.path).json(allowed).send().expect(200);

        assertThat(models.listed("smart").at("/allowed").asBoolean()).isTrue();
        assertThat(models.listed("other").at("/allowed").asBoolean()).isFalse();
        assertThat(run(Map.of("model", "smart")).get(0).at("/status").asText()).isEqualTo("COMPLETED");
        assertThat(run(Map.of("model", "other")).get(0).at("/error/detail").asText())
                .isEqualTo("The operator does not allow this organization the model 'other'.");
        assertThat(run(Map.of()).get(0).at("/error/detail").asText()).contains("'default'");

        Map<String, Object> none = new HashMap<>();
        none.put("allowed_models", null);
        assertThat(operator.patch(models.path)
                        .json(none)
                        .send()
                        .expect(200)
                        .json()
                        .at("/allowed_models")
                        .isNull())
                .isTrue();
        for (Object wrong : List.of("x", List.of("HOST"), List.of(1))) {
            operator.patch(models.path)
                    .json(Map.of("allowed_models", wrong))
                    .send()
                    .expect(400);
        }
    }
}
