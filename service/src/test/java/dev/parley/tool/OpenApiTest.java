package dev.parley.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.egress.ScriptedServer;
import dev.parley.http.filter.JsonBodyReader;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.tool.source.ToolDiscovery;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenAPI descriptions as providers: requests and the handling of responses. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OpenApiTest {
    private static final String DESCRIPTION = """
            openapi: 3.0.3
            info: {title: Pets, version: 1.0.0}
            paths:
              /pets/{petId}:
                parameters:
                  - {name: petId, in: path, required: true, schema: {type: string}}
                get:
                  operationId: getPet
                  summary: Reads a pet
                  parameters:
                    - {name: tags, in: query, schema: {type: array, items: {type: string}}}
                    - {name: fields, in: query, explode: false, schema: {type: array, items: {type: string}}}
                    - {name: filter, in: query, style: deepObject, schema: {type: object}}
                    - {name: kind, in: query, schema: {type: string, enum: [cat, dog]}}
                    - {name: X-Trace, in: header, schema: {type: integer}}
                    - {name: Authorization, in: header, schema: {type: string}}
                  responses: {'200': {description: ok}}
              /pets:
                post:
                  operationId: addPet
                  requestBody:
                    required: true
                    content:
                      application/json:
                        schema: {$ref: '#/components/schemas/Pet'}
                  responses: {'201': {description: made}}
              /forms:
                post:
                  operationId: sendForm
                  requestBody:
                    content:
                      application/x-www-form-urlencoded:
                        schema: {type: object, properties: {a: {type: string}, b: {type: integer}}}
                  responses: {'200': {description: ok}}
              /uploads:
                post:
                  operationId: upload
                  requestBody: {required: true, content: {multipart/form-data: {schema: {type: object}}}}
                  responses: {'200': {description: ok}}
            components:
              securitySchemes:
                key: {type: apiKey, in: query, name: api_key}
              schemas:
                Pet:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
                    age: {type: integer, nullable: true}
                    owner: {$ref: '#/components/schemas/Owner'}
                Owner:
                  type: object
                  properties:
                    name: {type: string}
                    pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}
                    elsewhere: {$ref: 'http://169.254.169.254/schema.json'}
            """;

    @Inject
    TestOrganizations organizations;

    private final AtomicReference<ScriptedServer.Script> script =
            new AtomicReference<>(ScriptedServer.answering(200, "application/json", "{\"name\":\"Rex\",\"age\":3}"));
    private ScriptedServer server;
    private ToolCatalogClient catalogue;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer((request, out) -> script.get().answer(request, out));
        catalogue = new ToolCatalogClient(organizations);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private JsonNode add(Map<String, Object> credentials) {
        return catalogue.add(
                "openapi",
                Map.of(
                        "document", DESCRIPTION,
                        "server_url", server.url("/v1"),
                        "credentials", credentials));
    }

    private JsonNode call(JsonNode provider, String tool, Map<String, Object> arguments) {
        return catalogue.call(catalogue.tool(provider, tool), arguments);
    }

    private ScriptedServer.Received sent() {
        return server.received().getLast();
    }

    @Test
    void parametersGoWhereTheyBelong() {
        JsonNode outcome = call(
                add(Map.of()),
                "getPet",
                Map.of(
                        "petId",
                        "a/b ?c",
                        "tags",
                        List.of("x y", "z"),
                        "fields",
                        List.of("p", "q"),
                        "filter",
                        Map.of("min", 3),
                        "kind",
                        "dog",
                        "X-Trace",
                        7));

        assertThat(outcome.at("/structured/name").asText())
                .as(outcome.toString())
                .isEqualTo("Rex");
        assertThat(sent().line()).startsWith("GET /v1/pets/a%2Fb%20%3Fc?");
        assertThat(sent().line()).contains("tags=x%20y", "tags=z", "fields=p,q", "filter%5Bmin%5D=3", "kind=dog");
        assertThat(sent().header("X-Trace")).isEqualTo("7");
        assertThat(sent().header("Idempotency-Key")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", ""})
    void aPathCannotBeLeft(String id) {
        JsonNode outcome = call(add(Map.of()), "getPet", Map.of("petId", id));

        assertThat(outcome.at("/error/error").asText()).isEqualTo("Invalid arguments");
        assertThat(server.received()).isEmpty();
    }

    @Test
    void bodiesAreMadeOfTheirMembers() {
        JsonNode provider = add(Map.of());

        var _ = call(provider, "addPet", Map.of("name", "Tom", "owner", Map.of("name", "Ann")));
        String json = sent().body();
        var _ = call(provider, "sendForm", Map.of("a", "x&y", "b", 2));

        assertThat(json).isIn("{\"name\":\"Tom\",\"owner\":{\"name\":\"Ann\"}}");
        assertThat(sent().body()).isEqualTo("a=x%26y&b=2");
        assertThat(sent().header("Content-Type")).isEqualTo("application/x-www-form-urlencoded");
    }

    @Test
    void argumentsAreCheckedByTheSchema() {
        JsonNode provider = add(Map.of());

        catalogue.attempt(catalogue.tool(provider, "addPet"), Map.of("age", 3)).expect(400);
        catalogue
                .attempt(catalogue.tool(provider, "getPet"), Map.of("petId", "1", "kind", "fish"))
                .expect(400);
        catalogue
                .attempt(catalogue.tool(provider, "getPet"), Map.of("petId", "1", "Authorization", "x"))
                .expect(400);
        assertThat(server.received()).isEmpty();
    }

    @Test
    void credentialsAreSentButNeverReturned() {
        JsonNode provider = add(Map.of("bearer_token", "s3cret-bearer", "api_key", "s3cret-key"));
        script.set((request, out) -> ScriptedServer.write(
                out, 403, "text/plain", "no: " + request.header("Authorization") + " " + request.line()));

        JsonNode outcome = call(provider, "getPet", Map.of("petId", "1"));

        assertThat(sent().header("Authorization")).isEqualTo("Bearer s3cret-bearer");
        assertThat(sent().line()).contains("api_key=s3cret-key");
        assertThat(outcome.at("/error/detail").asText())
                .contains("no: Bearer ***")
                .doesNotContain("s3cret");
        assertThat(provider.at("/credentials_set").toString()).isEqualTo("[\"bearer_token\",\"api_key\"]");
        assertThat(provider.toString()).doesNotContain("s3cret");
    }

    @Test
    void basicAuthenticationIsSent() {
        var _ = call(add(Map.of("username", "ann", "password", "p:w")), "getPet", Map.of("petId", "1"));

        assertThat(sent().header("Authorization")).isEqualTo("Basic YW5uOnA6dw==");
    }

    @ParameterizedTest
    @CsvSource({"400,false", "401,false", "404,false", "302,false", "429,true", "500,true", "503,true"})
    void statusesAreFailuresOfTheirKind(int status, boolean transientFailure) {
        script.set(ScriptedServer.answering(status, "text/html", "<b>no</b>", "Retry-After: 7", "Location: /x"));

        JsonNode outcome = call(add(Map.of()), "getPet", Map.of("petId", "1"));

        assertThat(outcome.at("/error/is_transient").asBoolean()).isEqualTo(transientFailure);
        assertThat(outcome.at("/error/error").asText()).isEqualTo("Tool error " + status);
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void answersThatAreNotJsonAreTextOrFiles() {
        JsonNode provider = add(Map.of());
        script.set(ScriptedServer.answering(200, "text/plain; charset=utf-8", "plain text"));
        JsonNode text = call(provider, "getPet", Map.of("petId", "1"));
        script.set(ScriptedServer.answering(200, "application/pdf", "%PDF"));
        JsonNode file = call(provider, "getPet", Map.of("petId", "1"));

        assertThat(text.at("/text").asText()).isEqualTo("plain text");
        assertThat(file.at("/files/0/content_type").asText()).isEqualTo("application/pdf");
    }

    @Test
    void anAnswerOfAnySizeIsCut() {
        script.set((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8));
            byte[] chunk = new byte[64 * 1024];
            for (int i = 0; i < 200; i++) {
                out.write(chunk);
            }
            throw new IOException("enough");
        });

        JsonNode outcome = call(add(Map.of()), "getPet", Map.of("petId", "1"));

        assertThat(outcome.at("/error/error").asText()).isEqualTo("Answer too large");
    }

    @Test
    void unsupportedOperationsAreSkippedWithAWarning() {
        JsonNode provider = add(Map.of());

        assertThat(catalogue.tools(provider)).containsOnlyKeys("getPet", "addPet", "sendForm");
        assertThat(provider.at("/warnings/0").asText()).contains("POST /uploads");
    }

    @Test
    void aDescriptionIsReadFromItsUrl() {
        script.set(ScriptedServer.answering(
                200, "application/yaml", DESCRIPTION.replace("paths:\n", "servers: [{url: /api}]\npaths:\n")));
        JsonNode provider = catalogue.add("openapi", Map.of("url", server.url("/docs/openapi.yaml")));
        script.set(ScriptedServer.answering(200, "application/json", "{}"));

        var _ = call(provider, "getPet", Map.of("petId", "1"));

        assertThat(sent().line()).startsWith("GET /api/pets/1 ");
    }

    @Test
    void aRemovedToolKeepsItsIdAndIsUnavailable() {
        script.set(ScriptedServer.answering(
                200, "application/yaml", DESCRIPTION.replace("paths:\n", "servers: [{url: /api}]\npaths:\n")));
        JsonNode provider = catalogue.add("openapi", Map.of("url", server.url("/openapi.yaml")));
        Map<String, JsonNode> before = catalogue.tools(provider);
        script.set(ScriptedServer.answering(200, "application/json", """
                {"openapi": "3.1.0", "servers": [{"url": "/"}], "paths":
                 {"/new": {"get": {"operationId": "newOne"}}, "/forms": {"post": {"operationId": "sendForm"}}}}"""));

        var _ = catalogue.refresh(provider);

        Map<String, JsonNode> after = catalogue.tools(provider);
        assertThat(after.get("getPet").at("/available").asBoolean()).isFalse();
        assertThat(after.get("sendForm").at("/tool_id"))
                .isEqualTo(before.get("sendForm").at("/tool_id"));
        assertThat(before.values())
                .extracting(tool -> tool.at("/tool_id").asInt())
                .doesNotContain(after.get("newOne").at("/tool_id").asInt());
        catalogue
                .attempt(before.get("getPet").at("/tool_id").asInt(), Map.of("petId", "1"))
                .expect(409);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "not: [closed",
                "openapi: 2.0\npaths: {}",
                "{\"openapi\": \"3.0.0\"}",
                "[1]",
                "a: &a [*a]\npaths: {}\nopenapi: 3.0.0",
                "? [a]\n: b\npaths: {}\nopenapi: 3.0.0",
                "!!javax.script.ScriptEngineManager []",
            })
    void descriptionsWithFaultsAreRefused(String document) {
        assertThat(catalogue
                        .tryAdd("openapi", Map.of("document", document, "server_url", server.url("/")))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/document");
    }

    @Test
    void operationsOfALargeDescriptionAreChosen() {
        String operations = IntStream.range(0, 600)
                .mapToObj(i ->
                        "\"/p%d\": {\"get\": {\"operationId\": \"op%d\", \"tags\": [\"t%d\"], \"description\": \"%s\"}}"
                                .formatted(i, i, i % 100, "x".repeat(4_000)))
                .collect(Collectors.joining(","));
        String document = "{\"openapi\": \"3.0.0\", \"paths\": {" + operations + "}}";
        Map<String, Object> fields = Map.of("document", document, "server_url", server.url("/"));

        JsonNode offered = catalogue
                .tenant()
                .owner()
                .browser()
                .post(catalogue.tenant().path() + "/tool-providers/operations")
                .json(Map.of("document", document))
                .send()
                .expect(200)
                .json();
        JsonNode provider = catalogue.add(
                "openapi",
                Map.of(
                        "document",
                        document,
                        "server_url",
                        server.url("/"),
                        "operations",
                        List.of("op599", "op598"),
                        "tags",
                        List.of("t7")));
        Map<String, JsonNode> before = catalogue.tools(provider);
        JsonNode changed = catalogue
                .tenant()
                .owner()
                .browser()
                .patch(catalogue.path(provider))
                .json(Map.of("operations", List.of("op599")))
                .send()
                .expect(200)
                .json();

        assertThat(offered.at("/operations")).hasSize(600);
        assertThat(offered.at("/operations/7/tags/0").asText()).isEqualTo("t7");
        assertThat(before).containsOnlyKeys("op599", "op598", "op7", "op107", "op207", "op307", "op407", "op507");
        assertThat(provider.at("/tags").toString()).isEqualTo("[\"t7\"]");
        assertThat(changed.at("/operations").toString()).isEqualTo("[\"op599\"]");
        assertThat(changed.at("/tools").asInt()).isEqualTo(1);
        assertThat(catalogue.add("openapi", fields).at("/tools").asInt()).isEqualTo(ToolDiscovery.MAX_TOOLS);
        assertThat(catalogue
                        .tryAdd("openapi", Map.of("document", document, "operations", List.of(""), "tags", List.of(1)))
                        .status())
                .isEqualTo(400);
        for (int size : List.of(JsonBodyReader.MAX_LARGE_BODY, 22 * 1024 * 1024)) {
            assertThat(catalogue
                            .tryAdd("openapi", Map.of("document", "x".repeat(size)))
                            .expect(413)
                            .text("/detail"))
                    .isEqualTo("The body is larger than " + (JsonBodyReader.MAX_LARGE_BODY >> 20) + " MiB.");
        }
    }
}
