package dev.parley.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.egress.ScriptedServer;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stored credentials are sent only to the server for which they were given. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class MovedProviderTest {
    private static final Map<String, Object> SECRET = Map.of("bearer_token", "s3cret");

    @Inject
    TestOrganizations organizations;

    private ToolCatalogClient catalogue;
    private ScriptedServer here;
    private ScriptedServer elsewhere;

    @BeforeEach
    void start() throws IOException {
        catalogue = new ToolCatalogClient(organizations);
        here = new ScriptedServer(ScriptedServer.answering(200, "application/json", document("/", "a")));
        elsewhere = new ScriptedServer(ScriptedServer.answering(200, "application/json", document("/", "a")));
    }

    @AfterEach
    void stop() throws IOException {
        here.close();
        elsewhere.close();
    }

    private static String document(String server, String operation) {
        return """
                {"openapi": "3.1.0", "servers": [{"url": "%s"}], "paths": {"/x": {"get": {"operationId": "%s"}}}}""".formatted(server, operation);
    }

    private JsonNode add(String kind, Map<String, Object> place) {
        var fields = new java.util.HashMap<>(place);
        fields.put("credentials", SECRET);
        return catalogue.tryAdd(kind, fields).expect(201).json();
    }

    private Api.Answer change(JsonNode provider, Map<String, Object> changes) {
        return catalogue
                .tenant()
                .admin()
                .browser()
                .patch(catalogue.path(provider))
                .json(changes)
                .send();
    }

    private void refused(JsonNode provider, Map<String, Object> changes) {
        Api.Answer answer = change(provider, changes).expect(400);
        assertThat(answer.text("/errors/0/path")).isEqualTo("/credentials");
        assertThat(answer.text("/errors/0/detail")).contains("must be given again");
        assertThat(elsewhere.received()).isEmpty();
    }

    @Test
    void anMcpServerElsewhereGetsOnlyCredentialsThatAreGivenForIt() {
        JsonNode provider = add("mcp", Map.of("url", here.url("/mcp")));

        refused(provider, Map.of("url", elsewhere.url("/mcp")));
        assertThat(catalogue
                        .tenant()
                        .admin()
                        .browser()
                        .get(catalogue.path(provider))
                        .send()
                        .text("/url"))
                .isEqualTo(here.url("/mcp"));

        JsonNode sameServer = change(provider, Map.of("url", here.url("/other").replace("http:", "HTTP:")))
                .expect(200)
                .json();
        assertThat(sameServer.at("/credentials_set").toString()).isEqualTo("[\"bearer_token\"]");
        change(provider, Map.of("url", elsewhere.url("/mcp"), "credentials", Map.of("bearer_token", "another")))
                .expect(200);
        assertThat(elsewhere.received()).isNotEmpty().allSatisfy(request -> assertThat(request.header("Authorization"))
                .isEqualTo("Bearer another"));
    }

    @Test
    void aProviderWithoutCredentialsMoves() {
        JsonNode provider = add("mcp", Map.of("url", here.url("/mcp")));

        change(provider, Map.of("credentials", Map.of())).expect(200);
        change(provider, Map.of("url", elsewhere.url("/mcp"))).expect(200);

        assertThat(elsewhere.received()).isNotEmpty().allSatisfy(request -> assertThat(request.header("Authorization"))
                .isEmpty());
    }

    @Test
    void aWebApiElsewhereIsNotNamedByTheServerUrl() {
        JsonNode provider = add("openapi", Map.of("document", document("/", "a"), "server_url", here.url("/v1")));

        refused(provider, Map.of("server_url", elsewhere.url("/v1")));
        change(provider, Map.of("server_url", here.url("/v2"))).expect(200);
        change(provider, Map.of("document", document(elsewhere.url("/"), "b"))).expect(200);
        refused(provider, Map.of("url", elsewhere.url("/openapi.json")));
    }

    @Test
    void aWebApiElsewhereIsNotNamedByTheDescription() {
        JsonNode provider = add("openapi", Map.of("document", document(here.url("/v1"), "a")));

        refused(provider, Map.of("document", document(elsewhere.url("/v1"), "a")));
        refused(provider, Map.of("url", here.url("/openapi.json")));
        refused(provider, Map.of("server_url", elsewhere.url("/v1")));
        change(provider, Map.of("document", document(here.url("/v2"), "b"))).expect(200);
        change(provider, Map.of("document", "{}")).expect(400);
    }

    /** Another file on the same, possibly shared, host could name any server. */
    @Test
    void anotherDescriptionIsNotReadWithTheCredentialsOfTheFirst() {
        JsonNode provider = add("openapi", Map.of("url", here.url("/ours/openapi.json")));

        refused(provider, Map.of("url", here.url("/theirs/openapi.json")));
        refused(provider, Map.of("url", elsewhere.url("/ours/openapi.json")));
        change(provider, Map.of("url", here.url("/ours/openapi.json"), "description", "The same"))
                .expect(200);
        change(provider, Map.of("url", here.url("/theirs/openapi.json"), "credentials", SECRET))
                .expect(200);
    }

    @Test
    void theKeyOfAnMcpServerIsSentWhereverItBelongs() {
        var _ = catalogue
                .tryAdd("mcp", Map.of("url", here.url("/usual"), "credentials", Map.of("api_key", "k3y")))
                .expect(201);
        assertThat(here.received().getLast().header("X-API-Key")).isEqualTo("k3y");
        var _ = catalogue
                .tryAdd(
                        "mcp",
                        Map.of(
                                "url",
                                here.url("/query"),
                                "credentials",
                                Map.of("api_key", "k3y", "api_key_name", "key", "api_key_in", "query")))
                .expect(201);
        assertThat(here.received().getLast().line()).contains(" /query?key=k3y ");
    }
}
