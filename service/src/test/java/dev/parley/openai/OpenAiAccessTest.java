package dev.parley.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.apikey.ApiKeys;
import dev.parley.apikey.NewApiKey;
import dev.parley.id.WorkflowId;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys, restrictions, limits and errors of the routes below {@code /v1}. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OpenAiAccessTest extends OpenAiCase {
    private static Map<String, Object> chatOf(String model) {
        return Map.of("model", model, "messages", List.of(user("Hello")));
    }

    private List<String> models(String key) {
        return new Api()
                .get("/v1/models")
                .key(key)
                .send()
                .expect(200)
                .json()
                .at("/data")
                .findValuesAsText("id");
    }

    private String restrictedKey(WorkflowId workflow) {
        var restricted = new NewApiKey("one", Optional.empty(), Optional.of(workflow), Optional.empty());
        return Tenant.bean(ApiKeys.class)
                .create(tenant.organization(), restricted, "system")
                .key();
    }

    @Test
    void modelsAreTheAliasesAndThePublishedWorkflows() {
        String model = answering();

        assertThat(models(tenant.key())).contains("default", model);
        assertThat(get("/v1/models/" + model).expect(200).text("/id")).isEqualTo(model);
        assertThat(get("/v1/models/" + model.replace("/", "%2F")).expect(200).text("/id"))
                .isEqualTo(model);
        assertThat(get("/v1/models/default").expect(200).text("/object")).isEqualTo("model");
        assertThat(get("/v1/models/gpt-99").expect(404).text("/error/code")).isEqualTo("model_not_found");
    }

    @Test
    void restrictedKeyReachesItsWorkflowOnly() {
        String model = answering();
        String other = answering();
        String key = restrictedKey(
                WorkflowId.parse(model.substring("workflow/".length())).orElseThrow());

        assertThat(models(key)).containsExactly(model);
        assertThat(send("/v1/chat/completions", key, chatOf(model)).status()).isEqualTo(200);
        for (String refused : List.of(other, "default")) {
            assertThat(send("/v1/chat/completions", key, chatOf(refused))
                            .expect(403)
                            .text("/error/type"))
                    .isEqualTo("permission_error");
            send("/v1/responses", key, Map.of("model", refused, "input", "Hello"))
                    .expect(403);
            new Api().get("/v1/models/" + refused).key(key).send().expect(403);
            String id = responses(Map.of("model", refused, "input", "Hello", "store", true))
                    .expect(200)
                    .text("/id");
            new Api().get("/v1/responses/" + id).key(key).send().expect(403);
            new Api().delete("/v1/responses/" + id).key(key).send().expect(403);
            send("/v1/responses/" + id + "/cancel", key, Map.of()).expect(403);
        }
    }

    private static Api.Answer send(String path, String key, Map<String, Object> body) {
        return new Api().post(path).key(key).json(body).send();
    }

    @Test
    void anotherOrganizationsModelsResponsesAndConversationsDoNotExist() {
        String model = asking();
        JsonNode asked =
                responses(Map.of("model", model, "input", "Hello")).expect(200).json();
        JsonNode stored = responses(Map.of("model", "default", "input", "Hello", "store", true))
                .expect(200)
                .json();
        Tenant other = Tenant.create();
        String theirs = model(Workflows.of(other).ai("a").publish());

        for (JsonNode response : List.of(asked, stored)) {
            String path = "/v1/responses/" + response.at("/id").asText();
            new Api().get(path).key(other.key()).send().expect(404);
            new Api().delete(path).key(other.key()).send().expect(404);
            send(path + "/cancel", other.key(), Map.of()).expect(404);
            for (String used : List.of("default", theirs)) {
                send(
                                "/v1/responses",
                                other.key(),
                                Map.of(
                                        "model",
                                        used,
                                        "input",
                                        "x",
                                        "previous_response_id",
                                        response.at("/id").asText()))
                        .expect(400);
            }
        }
        new Api().get("/v1/models/" + model).key(other.key()).send().expect(404);
        send("/v1/chat/completions", other.key(), chatOf(model)).expect(404);
        send(
                        "/v1/responses",
                        other.key(),
                        Map.of(
                                "model",
                                theirs,
                                "input",
                                "x",
                                "metadata",
                                Map.of(
                                        "conversation_id",
                                        asked.at("/metadata/conversation_id").asText())))
                .expect(404);
        send(
                        "/v1/responses",
                        other.key(),
                        Map.of(
                                "model",
                                "default",
                                "input",
                                List.of(Map.of(
                                        "type",
                                        "item_reference",
                                        "id",
                                        stored.at("/output/0/id").asText()))))
                .expect(400);
        assertThat(models(other.key())).doesNotContain(model);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/models, 401, invalid_request_error",
        "POST, /v1/chat/completions, 401, authentication_error",
        "GET, /v1/nothing, 401, authentication_error"
    })
    void withoutAKeyIsA401(String method, String path, int status, String type) {
        Api.Answer answer = new Api().method(method, path).send().expect(status);

        assertThat(answer.text("/error/type")).isEqualTo("authentication_error");
        assertThat(answer.text("/error/code")).isEqualTo("authentication_failed");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1, 404",
        "GET, /v1/nothing, 404",
        "GET, /v1/chat, 404",
        "GET, /v1/chat/completions, 405",
        "PUT, /v1/responses/resp_1, 405",
        "DELETE, /v1/models, 405",
        "GET, /v1/responses/resp_1, 404",
        "GET, /v1/responses/resp_1?stream=true, 400"
    })
    void errorsHaveOpenAisShape(String method, String path, int status) {
        Api.Answer answer =
                new Api().method(method, path).key(tenant.key()).send().expect(status);

        assertThat(answer.text("/error/type")).isEqualTo("invalid_request_error");
        assertThat(answer.text("/error/message")).isNotEmpty();
        assertThat(answer.json().at("/error").has("param")).isTrue();
    }

    @Test
    void bodiesThatAreNotJsonOrTooLargeAreRefused() {
        for (String path : List.of("/v1/chat/completions", "/v1/responses")) {
            assertThat(new Api()
                            .post(path)
                            .key(tenant.key())
                            .body("text/plain", "x")
                            .send()
                            .expect(415)
                            .text("/error/code"))
                    .isEqualTo("unsupported_media_type");
            String large = "{\"model\": \"default\", \"input\": \"" + "x".repeat(20 << 20) + "\"}";
            assertThat(new Api()
                            .post(path)
                            .key(tenant.key())
                            .json(large)
                            .send()
                            .expect(413)
                            .text("/error/code"))
                    .isEqualTo("payload_too_large");
        }
    }

    @Test
    void requestsCountAsMessages() {
        Tenant limited = Tenant.create(2);
        send("/v1/chat/completions", limited.key(), chatOf("default")).expect(200);
        limited.send(limited.conversation(), "Hello").expect(200);

        Api.Answer refused = send("/v1/responses", limited.key(), Map.of("model", "default", "input", "Hello"));

        assertThat(refused.expect(429).text("/error/type")).isEqualTo("rate_limit_error");
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(refused.header("RateLimit")).contains("r=0");
    }
}
