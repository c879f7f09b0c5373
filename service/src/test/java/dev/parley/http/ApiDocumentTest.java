package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.http.json.StrictJson;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The documents in docs/ equal the served ones, and real responses match them. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ApiDocumentTest {
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    @Inject
    TestOrganizations organizations;

    private final JsonNode document = ApiOperation.documents();

    @ParameterizedTest
    @CsvSource({"../docs/openapi.json, /openapi.json", "../docs/openapi-dashboard.json, /openapi/dashboard.json"})
    void theDocumentInTheDocsIsTheOneThatIsServed(Path written, String path) throws IOException {
        String served = pretty(ApiOperation.document(path));
        if (Boolean.getBoolean("parley.write-docs")) {
            Files.writeString(written, served);
        }
        assertThat(Files.readString(written))
                .as(written + "; -Dparley.write-docs=true writes it")
                .isEqualTo(served);
    }

    @Test
    void defaultsAndExamplesFitTheirSchemas() {
        var meta = SCHEMAS.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        List<String> wrong = new ArrayList<>();
        checkSchemas(document.path("paths"), "/paths", meta, wrong);
        checkSchemas(document.at("/components/schemas"), "/components/schemas", meta, wrong);
        checkSchemas(document.at("/components/responses"), "/components/responses", meta, wrong);
        assertThat(wrong).isEmpty();
    }

    private void checkSchemas(JsonNode node, String at, Schema meta, List<String> wrong) {
        boolean isSchema = node.has("type") || node.has("$ref") || node.has("properties") || node.has("anyOf");
        if (isSchema && !at.endsWith("/properties")) {
            meta.validate(node.toString(), InputFormat.JSON)
                    .forEach(violation -> wrong.add(at + ": " + violation.getMessage()));
            List<JsonNode> values = new ArrayList<>();
            node.path("examples").forEach(values::add);
            if (node.has("default")) {
                values.add(node.get("default"));
            }
            checkValues(node, values, at, wrong);
        } else if (node.has("schema")) {
            List<JsonNode> values = new ArrayList<>(node.path("examples").findValues("value"));
            node.path("examples")
                    .findValuesAsText("$ref")
                    .forEach(ref -> values.add(document.at(ref.substring(1)).get("value")));
            if (node.has("example")) {
                values.add(node.get("example"));
            }
            checkValues(node.get("schema"), values, at, wrong);
        }
        node.properties().stream()
                .filter(member -> !member.getKey().startsWith("example")
                        && !member.getKey().equals("default"))
                .forEach(member -> checkSchemas(member.getValue(), at + "/" + member.getKey(), meta, wrong));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            checkSchemas(node.get(i), at + "/" + i, meta, wrong);
        }
    }

    private void checkValues(JsonNode schema, List<JsonNode> values, String at, List<String> wrong) {
        if (values.isEmpty()) {
            return;
        }
        ObjectNode root = schema.deepCopy();
        root.set("components", document.get("components"));
        Schema compiled = SCHEMAS.getSchema(root.toString(), InputFormat.JSON);
        for (JsonNode value : values) {
            compiled.validate(value.toString(), InputFormat.JSON)
                    .forEach(violation -> wrong.add(at + ": " + value + ": " + violation.getMessage()));
        }
    }

    @Test
    void responsesMatchTheDocument() {
        ApiFixture fixture = new ApiFixture(organizations);
        List<String> wrong = new ArrayList<>();
        for (ApiOperation operation : ApiOperation.all(document)) {
            Api.Answer answer = fixture.call(operation);
            check(operation, answer, wrong);
            if (fixture.bodies.containsKey(operation.name()) && answer.status() >= 300) {
                wrong.add(operation.name() + " was to succeed, but: " + answer.status() + " " + answer.body());
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void unauthenticatedResponsesMatchTheDocument() {
        List<String> wrong = new ArrayList<>();
        for (ApiOperation operation : ApiOperation.all(document)) {
            String path = operation.path().replaceAll("\\{[^}]+}", "0192f0c1a2b37c4d8e5f60718293a4b5");
            Api client = operation.isDashboard() ? Api.dashboard() : new Api();
            Api.Answer answer =
                    client.method(operation.httpMethod(), path).json("{}").send();
            check(operation, answer, wrong);
            boolean requiresSession = answer.body().contains("\"Not signed in\"");
            if (operation.isDashboard()
                    && requiresSession != operation.description().has("security")) {
                wrong.add(operation.name() + " requires a session: " + requiresSession);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void responsesToInvalidRequestsMatchTheDocument() {
        ApiFixture fixture = new ApiFixture(organizations);
        List<String> wrong = new ArrayList<>();
        for (ApiOperation operation : ApiOperation.all(document)) {
            if (!operation.description().has("security") && !operation.path().contains("/api/")) {
                continue; // A static page.
            }
            check(operation, fixture.refused(operation, request -> request.header("Accept", "text/plain")), wrong);
            check(operation, fixture.refused(operation, request -> request.header("Idempotency-Key", "")), wrong);
            if (!operation.method().equals("get")) {
                check(operation, fixture.refused(operation, request -> request.json("{\"?\": 1}")), wrong);
                check(operation, fixture.refused(operation, request -> request.body("text/plain", "x")), wrong);
                check(operation, fixture.refused(operation, request -> request.json(" ".repeat(1 << 21))), wrong);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private void check(ApiOperation operation, Api.Answer answer, List<String> wrong) {
        String name = operation.name() + " → " + answer.status();
        JsonNode response = operation.response(document, Integer.toString(answer.status()));
        if (answer.status() >= 500 || response.isMissingNode()) {
            wrong.add(name + " is not documented: " + answer.body());
            return;
        }
        if (answer.body().isEmpty()) {
            if (response.has("content")) {
                wrong.add(name + " has no body");
            }
            return;
        }
        String type = answer.header("Content-Type").replaceFirst(";.*", "");
        if (response.at("/content").has("*/*")) {
            return; // a file of any type
        }
        JsonNode schema = response.at("/content").path(type).path("schema");
        if (schema.isMissingNode()) {
            wrong.add(name + " documents no " + type);
            return;
        }
        if (!type.endsWith("json")) {
            return;
        }
        ObjectNode root = StrictJson.mapper().createObjectNode();
        root.set("components", document.get("components"));
        root.putArray("allOf").add(schema);
        SCHEMAS.getSchema(root.toString(), InputFormat.JSON)
                .validate(answer.body(), InputFormat.JSON)
                .forEach(violation ->
                        wrong.add(name + ": " + violation.getInstanceLocation() + " " + violation.getMessage()));
    }

    /** Sorted by name, so that the build's order of classes does not matter. */
    private static String pretty(JsonNode tree) throws IOException {
        JsonMapper mapper = JsonMapper.builder()
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .build();
        var printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        return mapper.writer(printer).writeValueAsString(mapper.treeToValue(tree, Object.class)) + "\n";
    }
}
