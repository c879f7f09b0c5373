package dev.parley.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.egress.ScriptedServer;
import dev.parley.http.json.StrictJson;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The serialisation of arguments according to an operation's parameters. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OpenApiCallTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    @Inject
    TestOrganizations organizations;

    private ScriptedServer server;
    private ToolCatalogClient catalogue;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(ScriptedServer.answering(200, "application/json", "{}"));
        catalogue = new ToolCatalogClient(organizations);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /** A provider with one operation, {@code call}. */
    private JsonNode add(String path, String operation, String rest, Map<String, Object> credentials) {
        String document = """
                {"openapi": "3.1.0", "paths": {"%s": {"post": {"operationId": "call", %s}}} %s}""".formatted(path, operation, rest);
        return catalogue.add(
                "openapi", Map.of("document", document, "server_url", server.url("/"), "credentials", credentials));
    }

    private JsonNode schema(JsonNode provider) {
        return catalogue.tools(provider).get("call").at("/input_schema");
    }

    private ScriptedServer.Received sent(JsonNode provider, String arguments) {
        JsonNode outcome = catalogue.call(catalogue.tool(provider, "call"), StrictJson.readObject(arguments));
        assertThat(outcome.at("/error").isNull() || outcome.at("/error").isMissingNode())
                .as(outcome.toString())
                .isTrue();
        return server.received().getLast();
    }

    private ScriptedServer.Received sent(String path, String operation, String arguments) {
        return sent(add(path, operation, "", Map.of()), arguments);
    }

    private static String parameter(String in, String more) {
        return """
                "parameters": [{"name": "p", "in": "%s", "required": true, %s}]""".formatted(in, more);
    }

    private static String body(boolean required, String type, String schema) {
        return """
                "requestBody": {"required": %s, "content": {"%s": {"schema": %s}}}""".formatted(required, type, schema);
    }

    @Test
    void theRequestIsShownWithoutCredentialsAndNotSent() {
        String operation = parameter("query", "\"schema\": {\"type\": \"string\"}") + ", "
                + body(
                        true,
                        "application/json",
                        "{\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"integer\"}}}");
        JsonNode provider = add("/x", operation, "", Map.of("bearer_token", "secret-token"));

        JsonNode request = catalogue
                .tenant()
                .owner()
                .browser()
                .post(catalogue.tenant().path() + "/tools/" + catalogue.tool(provider, "call") + "/request")
                .json(Map.of("arguments", Map.of("p", "a b", "n", 7)))
                .send()
                .expect(200)
                .json();

        assertThat(request.path("method").asText()).isEqualTo("POST");
        assertThat(request.path("url").asText()).endsWith("/x?p=a%20b");
        assertThat(request.path("body").asText()).isEqualTo("{\"n\":7}");
        assertThat(request.path("headers").findValuesAsText("name")).containsExactly("Accept", "Content-Type");
        assertThat(request.toString()).doesNotContain("secret-token");
        assertThat(server.received()).isEmpty();
    }

    @Test
    void aParameterWithAMediaTypeIsJsonText() {
        String content = """
                "content": {"application/json; charset=utf-8": {"schema": {}}}""";

        assertThat(sent("/x", parameter("query", content), "{\"p\": {\"a\": [1, \"x&y\"]}}")
                        .line())
                .contains(" /x?p=%7B%22a%22%3A%5B1%2C%22x%26y%22%5D%7D ");
        assertThat(sent("/x", parameter("query", content), "{\"p\": [1, 2]}").line())
                .contains(" /x?p=%5B1%2C2%5D ");
        assertThat(sent("/x", parameter("query", content), "{\"p\": \"a\"}").line())
                .contains(" /x?p=%22a%22 ");
        assertThat(sent("/x/{p}", parameter("path", content), "{\"p\": {\"a\": 1}}")
                        .line())
                .contains(" /x/%7B%22a%22%3A1%7D ");
        assertThat(sent("/x", parameter("header", content), "{\"p\": {\"a\": 1}}")
                        .header("p"))
                .isEqualTo("{\"a\":1}");
        assertThat(sent("/x", parameter("cookie", content), "{\"p\": [1]}").header("Cookie"))
                .isEqualTo("p=%5B1%5D");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            simple | false | "a/b"            | a%2Fb
            simple | false | ["x", "y"]       | x,y
            simple | false | {"r": 1, "g": 2} | r,1,g,2
            simple | true  | {"r": 1, "g": 2} | r=1,g=2
            label  | false | "x"              | .x
            label  | false | ["x", "y"]       | .x,y
            label  | true  | ["x", "y"]       | .x.y
            label  | false | {"r": 1, "g": 2} | .r,1,g,2
            label  | true  | {"r": 1, "g": 2} | .r=1.g=2
            matrix | false | "x;y"            | ;p=x%3By
            matrix | false | ["x", "y"]       | ;p=x,y
            matrix | true  | ["x", "y"]       | ;p=x;p=y
            matrix | false | {"r": 1, "g": 2} | ;p=r,1,g,2
            matrix | true  | {"r": 1, "g": 2} | ;r=1;g=2
            """)
    void pathsHaveTheirStyles(String style, boolean explode, String value, String written) {
        String said = """
                "style": "%s", "explode": %s, "schema": {}""".formatted(style, explode);

        assertThat(sent("/x/{p}/y", parameter("path", said), "{\"p\": " + value + "}")
                        .line())
                .isEqualTo("POST /x/" + written + "/y HTTP/1.1");
    }

    @Test
    void headersAndQueriesHaveTheirStyles() {
        String object = "{\"p\": {\"r\": 1, \"g\": 2}}";

        assertThat(sent("/x", parameter("header", "\"explode\": true, \"schema\": {}"), object)
                        .header("p"))
                .isEqualTo("r=1,g=2");
        assertThat(sent("/x", parameter("header", "\"schema\": {}"), object).header("p"))
                .isEqualTo("r,1,g,2");
        assertThat(sent("/x", parameter("query", "\"style\": \"pipeDelimited\", \"schema\": {}"), object)
                        .line())
                .contains("?p=r%7C1%7Cg%7C2 ");
        assertThat(sent("/x", parameter("query", "\"style\": \"matrix\", \"schema\": {}"), object)
                        .line())
                .as("a style that is none of a query's")
                .contains("?r=1&g=2 ");
    }

    @Test
    void aBodyThatMustBeThereIsSentWithoutMembers() {
        String optional = "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\"}}}";

        ScriptedServer.Received required = sent("/x", body(true, "application/json", optional), "{}");
        assertThat(required.body()).isEqualTo("{}");
        assertThat(required.header("Content-Type")).isEqualTo("application/json");
        ScriptedServer.Received form = sent("/x", body(true, FORM, optional), "{}");
        assertThat(form.body()).isEmpty();
        assertThat(form.header("Content-Type")).isEqualTo(FORM);
        ScriptedServer.Received left = sent("/x", body(false, "application/json", optional), "{}");
        assertThat(left.body()).isEmpty();
        assertThat(left.header("Content-Type")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json; charset=utf-8       | application/json; charset=utf-8
            Application/JSON                      | Application/JSON
            application/problem+json              | application/problem+json
            application/vnd.api+json; version=1   | application/vnd.api+json; version=1
            application/*                         | application/json
            application/*+json                    | application/json
            */*                                   | application/json
            """)
    void mediaTypesOfJsonAreKnown(String offered, String used) {
        ScriptedServer.Received sent = sent(
                "/x",
                body(true, offered, "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"integer\"}}}"),
                "{\"a\": 1}");

        assertThat(sent.body()).isEqualTo("{\"a\":1}");
        assertThat(sent.header("Content-Type")).isEqualTo(used);
    }

    @Test
    void theAnswersSchemaIsFoundByAnyMediaTypeOfJson() {
        JsonNode provider = add("/x", """
                "responses": {"200": {"content": {"text/html": {}, "application/hal+json; charset=utf-8":
                 {"schema": {"type": "object", "title": "T"}}}}}""", "", Map.of());

        assertThat(catalogue
                        .tools(provider)
                        .get("call")
                        .at("/output_schema/title")
                        .asText())
                .isEqualTo("T");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "additionalProperties": true
            "additionalProperties": {"type": "integer"}
            "allOf": [{"properties": {"b": {"type": "integer"}}}]
            """)
    void aBodyOfMoreMembersThanAreListedIsOneArgument(String more) {
        JsonNode provider = add("/x", body(true, "application/json", """
                        {"type": "object", "properties": {"a": {"type": "integer"}}, %s}""".formatted(more)), "", Map.of());

        assertThat(sent(provider, "{\"body\": {\"a\": 1, \"b\": 2}}").body()).isEqualTo("{\"a\":1,\"b\":2}");
    }

    @Test
    void aParameterNamedBodyCoexistsWithTheBody() {
        JsonNode provider =
                add("/x/{body}", """
                "parameters": [{"name": "body", "in": "path", "required": true, "schema": {"type": "string"}},
                               {"name": "body", "in": "query", "schema": {"type": "string"}}],
                """ + body(true, "application/json", "{\"type\": \"array\"}"), "", Map.of());

        assertThat(schema(provider).at("/required").toString()).isEqualTo("[\"body\",\"request_body\"]");
        ScriptedServer.Received sent =
                sent(provider, "{\"body\": \"one\", \"body_query\": \"two\", \"request_body\": [3]}");
        assertThat(sent.line()).contains(" /x/one?body=two ");
        assertThat(sent.body()).isEqualTo("[3]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "security": [{"second": []}]            | ''                               | X-Second
            "security": [{"token": [], "first": []}] | , "security": [{"second": []}]   | X-First
            "summary": "s"                          | , "security": [{"second": []}]   | X-Second
            "summary": "s"                          | ''                               | X-First
            """)
    void theKeyIsSentInTheDeclaredLocation(String operation, String rest, String header) {
        String schemes = """
                , "components": {"securitySchemes": {
                  "token": {"type": "http", "scheme": "bearer"},
                  "first": {"type": "apiKey", "in": "header", "name": "X-First"},
                  "second": {"type": "apiKey", "in": "header", "name": "X-Second"}}}""";
        ScriptedServer.Received sent = sent(add("/x", operation, schemes + rest, Map.of("api_key", "k3y")), "{}");

        assertThat(sent.header(header)).isEqualTo("k3y");
        assertThat(sent.header(header.equals("X-First") ? "X-Second" : "X-First"))
                .isEmpty();
    }

    @Test
    void aKeyWithoutADeclaredLocationIsSentInTheDefaultHeader() {
        assertThat(sent(add("/x", "\"summary\": \"s\"", "", Map.of("api_key", "k3y")), "{}")
                        .header("X-API-Key"))
                .isEqualTo("k3y");
    }
}
