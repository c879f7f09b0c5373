package dev.parley.model;

import static dev.parley.model.ModelEndpoints.saying;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.egress.ScriptedServer;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The routes of model providers and models. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ModelResourceTest {
    @Inject
    TestOrganizations organizations;

    @Inject
    Database database;

    private ModelEndpoints models;

    @BeforeEach
    void start() {
        models = new ModelEndpoints();
    }

    @AfterEach
    void stop() throws IOException {
        models.close();
    }

    private Api.Answer patch(JsonNode provider, Map<String, Object> changes) {
        return models.owner
                .patch(models.path + "/model-providers/" + provider.at("/id").asInt())
                .json(changes)
                .send();
    }

    private void ask(String alias) throws Exception {
        String conversation = models.tenant
                .post("/conversations", Map.of("config", Map.of("model", alias)))
                .expect(201)
                .text("/id");
        models.tenant.send(conversation, "Hello").expect(200);
        dev.parley.Tenant.eventually(
                () -> models.tenant
                        .get("/conversations/" + conversation + "/messages")
                        .json(),
                found -> found.size() > 1);
    }

    @Test
    void aCredentialIsSentToItsHostOnlyAndNeverReturned() throws Exception {
        ScriptedServer here = models.serve(saying("here"));
        ScriptedServer elsewhere = models.serve(saying("there"));
        JsonNode provider =
                models.provider("p", here, Map.of("credential", "k-12345", "headers", Map.of("X-Tenant", "t-12345")));
        models.model("m", provider, Map.of()).expect(201);

        assertThat(provider.toString()).doesNotContain("12345");
        assertThat(provider.at("/has_credential").asBoolean()).isTrue();
        assertThat(provider.at("/header_names").toString()).isEqualTo("[\"X-Tenant\"]");
        ask("m");
        assertThat(here.received().getFirst().header("Authorization")).isEqualTo("Bearer k-12345");
        assertThat(here.received().getFirst().header("X-Tenant")).isEqualTo("t-12345");

        Api.Answer refused =
                patch(provider, Map.of("base_url", elsewhere.url("/v1"))).expect(400);
        assertThat(refused.json().at("/errors").findValuesAsText("path")).containsExactly("/credential", "/headers");
        patch(provider, Map.of("base_url", here.url("/other"))).expect(200);
        patch(provider, Map.of("base_url", elsewhere.url("/v1"), "credential", "k-2", "headers", Map.of()))
                .expect(200);
        ask("m");
        assertThat(elsewhere.received().getFirst().header("Authorization")).isEqualTo("Bearer k-2");
        assertThat(elsewhere.received().getFirst().header("X-Tenant")).isEmpty();

        String audit =
                models.owner.get(models.path + "/audit-log").send().expect(200).body();
        assertThat(audit).contains("model-providers.create", "models.create").doesNotContain("k-12345", "t-12345");
        byte[] stored = database.with(handle -> handle.select(
                        "SELECT secrets FROM model_provider WHERE organization_id = ?",
                        models.tenant.organization().value())
                .mapTo(byte[].class)
                .one());
        assertThat(new String(stored, java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain("k-2");
    }

    @Test
    void membersReadAndAdminsManageWithTheRevisionThatTheySaw() throws Exception {
        ScriptedServer server = models.serve(saying("x"));
        JsonNode provider = models.provider("p", server, Map.of());
        int id = provider.at("/id").asInt();
        Api.Answer model =
                models.model("m", provider, Map.of("input_price", 0.15)).expect(201);
        String modelPath = models.path + "/models/" + model.text("/id");
        TestOrganizations.TestUser member = organizations.testUser();
        organizations.join(models.tenant.organization(), member, dev.parley.organization.Role.MEMBER);

        assertThat(member.browser().get(modelPath).send().expect(200).text("/input_price"))
                .isEqualTo("0.15");
        member.browser().delete(modelPath).send().expect(403);
        member.browser()
                .patch(models.path + "/model-providers/" + id)
                .json(Map.of("name", "q"))
                .send()
                .expect(403);
        Map<String, Object> body = Map.of("alias", "m", "provider_id", id, "name", "n2");
        models.owner
                .put(modelPath)
                .header("If-Match", "\"7\"")
                .json(body)
                .send()
                .expect(412);
        Api.Answer changed = models.owner
                .put(modelPath)
                .header("If-Match", "\"1\"")
                .json(body)
                .send()
                .expect(200);
        assertThat(changed.header("ETag")).isEqualTo("\"2\"");
        assertThat(changed.text("/input_price")).isEqualTo("0");
        assertThat(models.owner.put(modelPath).json(body).send().expect(200).header("ETag"))
                .isEqualTo("\"2\"");
        assertThat(patch(provider, Map.of("name", "p")).expect(200).header("ETag"))
                .isEqualTo("\"1\"");
        models.owner.delete(models.path + "/model-providers/" + id).send().expect(409);
        models.owner.delete(modelPath).send().expect(204);
        models.owner.delete(models.path + "/model-providers/" + id).send().expect(204);
        models.owner.get(models.path + "/model-providers/" + id).send().expect(404);
    }

    @Test
    void invalidFieldsAreNamed() throws Exception {
        ScriptedServer server = models.serve(saying("x"));
        JsonNode provider = models.provider("p", server, Map.of());
        Map<String, Object> body = new HashMap<>(Map.of("name", "p", "kind", "openai", "base_url", server.url("/")));
        models.owner.post(models.path + "/model-providers").json(body).send().expect(409);
        body.put("kind", "");
        models.owner.post(models.path + "/model-providers").json(body).send().expect(400);
        body.putAll(Map.of(
                "kind",
                "x",
                "base_url",
                "ftp://x",
                "api_version",
                "a b",
                "credential",
                "é",
                "headers",
                Map.of("Host", "x")));
        assertThat(models.owner
                        .post(models.path + "/model-providers")
                        .json(body)
                        .send()
                        .expect(400)
                        .json()
                        .at("/errors")
                        .findValuesAsText("path"))
                .containsExactlyInAnyOrder("/kind", "/base_url", "/api_version", "/credential", "/headers/Host");
        assertThat(models.model(
                                "default",
                                provider,
                                Map.of("input_price", -1, "output_price", 0.0000001, "context_tokens", 0))
                        .expect(400)
                        .json()
                        .at("/errors")
                        .findValuesAsText("path"))
                .containsExactlyInAnyOrder("/alias", "/input_price", "/output_price", "/context_tokens");
        models.model("m", provider, Map.of("provider_id", 99)).expect(400);
        models.model("m", provider, Map.of()).expect(201);
        models.model("m", provider, Map.of()).expect(409);
        models.owner.delete(models.path + "/models/1").send().expect(409);
        assertThat(patch(provider, Map.of("kind", "anthropic")).expect(400).text("/errors/0/path"))
                .isEqualTo("/kind");
    }

    @Test
    void providersAreLimited() throws Exception {
        ScriptedServer server = models.serve(saying("x"));
        for (int i = 0; i < 20; i++) {
            models.provider("p" + i, server, Map.of());
        }
        models.owner
                .post(models.path + "/model-providers")
                .json(Map.of("name", "more", "kind", "openai", "base_url", server.url("/v1")))
                .send()
                .expect(409);
        assertThat(models.owner
                        .get(models.path + "/model-providers?limit=100")
                        .send()
                        .json()
                        .at("/items"))
                .hasSize(20);
    }
}
