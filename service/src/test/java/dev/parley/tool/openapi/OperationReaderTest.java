package dev.parley.tool.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.egress.EgressRequest;
import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.DiscoveredTool;
import dev.parley.tool.source.OfferedOperation;
import dev.parley.tool.source.OperationSelection;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolDiscovery;
import dev.parley.tool.source.ToolFailure;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptions as they are published. docs/guides/tools.md lists what was tried. */
class OperationReaderTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private static ToolDiscovery read(String text) throws ToolFailure {
        return new OperationReader(OpenApiDescription.read(text), null, "https://api.example.com").read(null);
    }

    private static DiscoveredTool operation(String operation, String components) throws ToolFailure {
        return read("{\"openapi\": \"3.1.0\", \"components\": {\"schemas\": {" + components
                        + "}}, \"paths\": {\"/x\": {\"post\": {\"operationId\": \"go\", " + operation + "}}}}")
                .tools()
                .getFirst();
    }

    private static DiscoveredTool body(String type, String media, String components) throws ToolFailure {
        return operation(
                "\"requestBody\": {\"required\": true, \"content\": {\"" + type + "\": " + media + "}}", components);
    }

    private static EgressRequest request(DiscoveredTool tool, String arguments) throws ToolFailure {
        return OperationRequest.of(
                StrictJson.readTrusted(tool.binding(), OpenApiOperation.class),
                new ToolCall(StrictJson.readObject(arguments), "key", Deadline.in(Duration.ofSeconds(1))),
                ToolCredentials.NONE);
    }

    private static String sent(DiscoveredTool tool, String arguments) throws ToolFailure {
        return new String(request(tool, arguments).body().bytes(), StandardCharsets.UTF_8);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"style": "deepObject", "explode": true} | {"k": "v"}                                  | p[k]=v
            {"style": "deepObject"}                  | {"a": {"b": 1, "c": [2, {"d": true}]}}      | p[a][b]=1&p[a][c][0]=2&p[a][c][1][d]=true
            {"style": "deepObject", "explode": true} | [{"price": "x", "quantity": 2}]             | p[0][price]=x&p[0][quantity]=2
            {"style": "deepObject", "explode": true} | ["a", "b"]                                  | p[0]=a&p[1]=b
            {"style": "deepObject", "explode": true} | "text"                                      | p=text
            {"style": "deepObject", "explode": true} | {"a": null}                                 | p[a]=
            {"style": "form", "explode": true}       | {"a": 1, "b": 2}                            | a=1&b=2
            {"style": "form", "explode": false}      | [1, 2]                                      | p=1,2
            {"explode": false}                       | [1, 2]                                      | p=1,2
            {"style": "spaceDelimited"}              | [1, 2]                                      | p=1 2
            {"style": "pipeDelimited"}               | [1, 2]                                      | 'p=1|2'
            {"contentType": "application/json"}      | {"a": 1}                                    | p={"a":1}
            {}                                       | {"a": 1}                                    | p={"a":1}
            {}                                       | [1, 2]                                      | p=1&p=2
            """)
    void membersOfAFormAreWrittenAsTheDescriptionSays(String encoding, String value, String form) throws ToolFailure {
        DiscoveredTool tool = body(
                FORM,
                "{\"schema\": {\"type\": \"object\", \"properties\": {\"p\": {}}}, \"encoding\": {\"p\": " + encoding
                        + "}}",
                "");

        assertThat(decoded(sent(tool, "{\"p\": " + value + "}"))).isEqualTo(form);
    }

    @Test
    void objectsAndArraysInAQueryAreWrittenInBrackets() throws ToolFailure {
        DiscoveredTool tool = operation("""
                "parameters": [{"name": "expand", "in": "query", "style": "deepObject", "explode": true, "schema": {}},
                  {"name": "created", "in": "query", "style": "deepObject", "schema": {}}]""", "");

        assertThat(decoded(request(tool, "{\"expand\": [\"a\", \"b\"], \"created\": {\"gte\": 1, \"in\": {\"x\": 2}}}")
                        .url()))
                .endsWith("/x?expand[0]=a&expand[1]=b&created[gte]=1&created[in][x]=2");
    }

    @Test
    void propertiesOfResponsesAreNeitherRequiredNorOffered() throws ToolFailure {
        String pet = """
                "Pet": {"type": "object", "required": ["id", "name", "etag", "owner"], "properties": {
                  "id": {"type": "string", "readOnly": true}, "name": {"type": "string"},
                  "etag": {"$ref": "#/components/schemas/Etag"},
                  "password": {"type": "string", "writeOnly": true},
                  "owner": {"type": "object", "required": ["id", "mail"], "properties": {
                    "id": {"type": "integer", "readOnly": true}, "mail": {"type": "string"}}}}},
                "Etag": {"type": "string", "readOnly": true}""";
        String reference = "{\"schema\": {\"$ref\": \"#/components/schemas/Pet\"}}";
        DiscoveredTool tool = operation(
                "\"requestBody\": {\"required\": true, \"content\": {\"application/json\": " + reference
                        + "}}, \"responses\": {\"200\": {\"content\": {\"application/json\": " + reference + "}}}",
                pet);

        assertThat(StrictJson.write(tool.inputSchema()))
                .contains("\"required\":[\"name\",\"owner\"]", "\"required\":[\"mail\"]", "password")
                .doesNotContain("\"id\"", "etag");
        assertThat(StrictJson.write(tool.outputSchema()))
                .contains("\"id\"", "etag")
                .doesNotContain("password");
    }

    @Test
    void partsOfAllOfAreMerged() throws ToolFailure {
        DiscoveredTool tool = body("application/json", "{\"schema\": {\"$ref\": \"#/components/schemas/New\"}}", """
                "Base": {"type": "object", "additionalProperties": false, "properties": {
                  "id": {"type": "string", "readOnly": true}, "kind": {"type": "string"}}},
                "New": {"allOf": [{"$ref": "#/components/schemas/Base"},
                  {"type": "object", "required": ["id", "size"], "properties": {"size": {"type": "integer"},
                   "kind": {"enum": ["a", "b"]}}},
                  {"required": ["kind"]}]}""");

        assertThat(StrictJson.write(tool.inputSchema()))
                .contains("\"size\":{\"type\":\"integer\"}", "\"kind\":{\"enum\":[\"a\",\"b\"],\"type\":\"string\"}")
                .contains("\"required\":[\"kind\",\"size\"]")
                .doesNotContain("allOf", "\"id\"");
        assertThat(sent(tool, "{\"body\": {\"id\": \"no\", \"size\": 1, \"kind\": \"a\"}}"))
                .isEqualTo("{\"size\":1,\"kind\":\"a\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"type": "string", "nullable": true}                                    | {"type":["string","null"]}
            {"type": "string", "nullable": true, "enum": ["a"]}                     | {"type":["string","null"],"enum":["a",null]}
            {"nullable": true, "allOf": [{"$ref": "#/components/schemas/S"}]}       | {"type":["string","null"]}
            {"$ref": "#/components/schemas/S", "nullable": true}                    | {"type":["string","null"]}
            {"nullable": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}  | {"anyOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"type":"null"}]}
            {"type": ["string", "null"]}                                            | {"type":["string","null"]}
            {"type": ["string", null]}                                              | {"type":["string","null"]}
            {"type": ["string"]}                                                    | {"type":"string"}
            {"const": "x"}                                                          | {"const":"x"}
            {"$ref": "#/components/schemas/S", "description": "D", "maxLength": 3}  | {"type":"string","description":"D","maxLength":3}
            {"type": "integer", "minimum": 1, "exclusiveMinimum": true}             | {"type":"integer","exclusiveMinimum":1}
            """)
    void schemasOfBothVersionsAreUnderstood(String schema, String result) throws ToolFailure {
        DiscoveredTool tool = operation(
                "\"parameters\": [{\"name\": \"p\", \"in\": \"query\", \"schema\": " + schema + "}]",
                "\"S\": {\"type\": \"string\"}");

        assertThat(StrictJson.readObject(result))
                .isEqualTo(((java.util.Map<?, ?>) tool.inputSchema().get("properties")).get("p"));
    }

    @Test
    void placeholdersWithoutAParameterAreArguments() throws ToolFailure {
        DiscoveredTool tool = read("""
                {"openapi": "3.0.0", "paths": {"/users/{userId}/posts/{postId}": {
                  "parameters": [{"name": "userId", "in": "path", "required": true, "schema": {"type": "integer"}}],
                  "delete": {"operationId": "drop"}}}}""").tools().getFirst();

        assertThat(request(tool, "{\"userId\": 1, \"postId\": \"a b\"}").url()).endsWith("/users/1/posts/a%20b");
        assertThat(tool.inputSchema().get("required").toString()).contains("userId", "postId");
    }

    @Test
    void operationsWithTheSameIdKeepDifferentNames() throws ToolFailure {
        assertThat(read("""
                {"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "list"}}, "/b": {"get":
                  {"operationId": "list"}}, "/c": {"get": {"operationId": "has spaces"}}}}""").tools()).extracting(DiscoveredTool::name).containsExactly("list", "get_b", "get_c");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"url": "https://{r}.example.com/{v}", "variables": {"r": {"default": "eu"}, "v": {"enum": ["v2"]}}} |                              | https://eu.example.com/v2/x
            {"url": "//api.example.com/v1"}                                                                      |                              | https://api.example.com/v1/x
            {"url": " https://api.example.com/v1/ "}                                                             |                              | https://api.example.com/v1/x
            {"url": "/v1"}                                                                                       | https://h.example/d/api.json | https://h.example/v1/x
            {"url": "v1"}                                                                                        | https://h.example/d/api.json | https://h.example/d/v1/x
            {"url": "../v1"}                                                                                     | https://h.example/d/api.json | https://h.example/v1/x
            {"url": ""}                                                                                          | https://h.example/d/api.json | https://h.example/x
            """)
    void addressesOfServersAreResolved(String server, String from, String url) throws ToolFailure {
        String text = "{\"openapi\": \"3.0.0\", \"servers\": [" + server
                + "], \"paths\": {\"/x\": {\"get\": {\"operationId\": \"go\"}}}}";
        DiscoveredTool tool = new OperationReader(OpenApiDescription.read(text), from, null)
                .read(null)
                .tools()
                .getFirst();

        assertThat(request(tool, "{}").url()).isEqualTo(url);
    }

    @Test
    void aRelativeAddressOfAnUploadedDescriptionIsRefused() {
        assertThatThrownBy(() -> new OperationReader(
                                OpenApiDescription.read(
                                        "{\"openapi\": \"3.0.0\", \"servers\": [{\"url\": \"/v1\"}], \"paths\": {\"/x\": {\"get\": {}}}}"),
                                null,
                                null)
                        .read(null))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("server_url");
    }

    private static String manyOperations(int count, int padding) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        "\"/p%d\": {\"get\": {\"operationId\": \"op%d\", \"tags\": [\"t%d\"], \"summary\": \"Sum %d\", \"description\": \"%s\"}}"
                                .formatted(i, i, i % 10, i, "x".repeat(padding)))
                .collect(Collectors.joining(",", "{\"openapi\": \"3.0.0\", \"paths\": {", "}}"));
    }

    @Test
    void operationsAreChosenByNameAndTag() throws ToolFailure {
        var description = OpenApiDescription.read(manyOperations(5_100, 3_000));
        List<OfferedOperation> offered = new OperationReader(description, null, "https://a.example").offered();
        ToolDiscovery chosen = new OperationReader(description, null, "https://a.example")
                .read(new OperationSelection(List.of("op4999", "op7", "gone"), List.of("t3")));
        ToolDiscovery all = new OperationReader(description, null, "https://a.example").read(null);

        assertThat(offered).hasSize(5_000);
        assertThat(offered.get(12))
                .isEqualTo(new OfferedOperation("op12", "GET", "/p12", "Sum 12", List.of("t2"), false));
        assertThat(chosen.tools()).hasSize(ToolDiscovery.MAX_TOOLS);
        assertThat(chosen.tools()).extracting(DiscoveredTool::name).contains("op7", "op3");
        assertThat(chosen.warnings()).anyMatch(warning -> warning.contains("'gone'"));
        assertThat(all.tools()).hasSize(ToolDiscovery.MAX_TOOLS);
        assertThat(all.warnings().getLast()).contains("too many");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 200, 201, 300, 5_000})
    void everyOfferedChoiceMayBeChosen(int length) throws ToolFailure {
        String tag = "\uD83D\uDE00".repeat(length / 2) + "t".repeat(length % 2);
        var description = OpenApiDescription.read(
                "{\"openapi\": \"3.0.0\", \"paths\": {\"/" + "p".repeat(1_500) + "\": {\"get\": {\"operationId\": \""
                        + "o".repeat(length) + "\", \"tags\": [\"" + tag + "\", \"\", \" \"]}}}}");
        OfferedOperation offered = new OperationReader(description, null, "https://a.example")
                .offered()
                .getFirst();

        assertThat(offered.tags()).hasSize(1);
        for (String choice : List.of(offered.name(), offered.tags().getFirst())) {
            assertThat(choice).isNotBlank().hasSizeLessThanOrEqualTo(OfferedOperation.MAX_CHOICE_LENGTH);
        }
        assertThat(new OperationReader(description, null, "https://a.example")
                        .read(new OperationSelection(List.of(), offered.tags()))
                        .tools())
                .hasSize(1);
    }
}
