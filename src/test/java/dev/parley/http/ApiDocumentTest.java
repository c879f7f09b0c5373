package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.media.TestFiles;
import dev.parley.organization.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The OpenAPI document: docs/openapi.json is the one that is served, and real answers are as it says. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ApiDocumentTest {
    private static final Path WRITTEN = Path.of("docs/openapi.json");
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    /** A web API as small as can be. */
    private static final String OPENAPI = """
            {"openapi": "3.1.0", "servers": [{"url": "http://127.0.0.1:1"}], "paths": {"/a": {"get": {}}}}""";

    /** In this order, and below by the length of the path: what takes away goes last, from the inside out. */
    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");

    @Inject
    TestOrganizations organizations;

    private final JsonNode document =
            new Api().get("/openapi.json").send().expect(200).json();

    private record Operation(String method, String path, JsonNode description) {
        String name() {
            return method.toUpperCase(java.util.Locale.ROOT) + " " + path;
        }
    }

    @Test
    void theDocumentInTheDocsIsTheOneThatIsServed() throws IOException {
        String served = pretty(document);
        if (Boolean.getBoolean("parley.write-docs")) {
            Files.writeString(WRITTEN, served);
        }
        assertThat(Files.readString(WRITTEN))
                .as("docs/openapi.json; -Dparley.write-docs=true writes it")
                .isEqualTo(served);
    }

    @Test
    void answersAreAsTheDocumentSays() {
        Fixture fixture = new Fixture(organizations);
        List<String> wrong = new ArrayList<>();
        for (Operation operation : operations()) {
            Api.Answer answer = fixture.call(operation);
            check(operation, answer, wrong);
            if (fixture.bodies.containsKey(operation.name()) && answer.status() >= 300) {
                wrong.add(operation.name() + " was to succeed, but: " + answer.status() + " " + answer.body());
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void answersToStrangersAreAsTheDocumentSays() {
        List<String> wrong = new ArrayList<>();
        for (Operation operation : operations()) {
            String path = operation.path().replaceAll("\\{[^}]+}", "0192f0c1a2b37c4d8e5f60718293a4b5");
            Api client = operation.path().startsWith("/dashboard") ? Api.dashboard() : new Api();
            check(operation, client.method(method(operation), path).json("{}").send(), wrong);
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void theViewerNeedsNothingFromElsewhere() {
        String page = new Api().get("/docs/").send().expect(200).body();
        assertThat(page).contains("swagger-ui").doesNotContain("http://", "https://", "src=\"//");
        page.lines()
                .filter(line -> line.contains("src=\"") || line.contains("href=\""))
                .map(line -> line.replaceAll(".*(?:src|href)=\"([^\"#?]*).*", "$1"))
                .filter(link -> link.matches("[\\w./-]+\\.(js|css|png)"))
                .forEach(link -> new Api()
                        .get(link.startsWith("/") ? link : "/docs/" + link.replaceFirst("^\\./", ""))
                        .send()
                        .expect(200));
    }

    /** Sets up what the paths name, and knows a body for each operation that is to succeed. */
    private static final class Fixture {
        private final Api browser;
        private final String key;
        private final Map<String, String> parameters = new HashMap<>();
        private final Map<String, Object> bodies = new HashMap<>();

        Fixture(TestOrganizations organizations) {
            TestOrganizations.Tenant tenant = organizations.create();
            browser = tenant.owner().browser();
            key = organizations.key(tenant.id());
            parameters.put("orgId", tenant.id().text());
            parameters.put("userId", tenant.member().id().text());
            String org = tenant.path();
            parameters.put(
                    "teamId", post(org + "/teams", Map.of("name", "Team")).text("/id"));
            parameters.put("keyId", post(org + "/api-keys", Map.of("name", "k")).text("/id"));
            post(org + "/code-artifacts", code());
            parameters.put("artifactId", "1");
            String document = example("invoice-approval", tenant.owner().id().text());
            workflow(org, document);
            webhooks(org);
            lake(org);
            conversation();
            file();
            delivery(org);
            paths(document);
        }

        private void workflow(String org, String document) {
            String workflow = post(org + "/workflows", document).text("/id");
            browser.post(org + "/workflows/" + workflow + "/publish").send().expect(200);
            parameters.put("workflowId", workflow);
            parameters.put("workflow_id", workflow);
            parameters.put("version", "1");
            String instance = developer("/workflows/" + workflow + "/trigger/sync", Map.of("human_msg", "Invoice 7"))
                    .text("/workflow_instance_id");
            parameters.put("workflow_instance_id", instance);
            parameters.put("instanceId", instance);
            parameters.put(
                    "ticketId",
                    Tenant.eventually(
                                    () -> browser.get(org + "/tickets").send(),
                                    answer -> !answer.json().at("/items/0/id").isMissingNode())
                            .text("/items/0/id"));
        }

        private void webhooks(String org) {
            Map<String, Object> endpoint =
                    Map.of("url", "http://127.0.0.1:9/hooks", "event_types", java.util.List.of("message.created"));
            parameters.put(
                    "endpointId", post(org + "/webhook-endpoints", endpoint).text("/id"));
            bodies.put("POST /dashboard/api/organizations/{orgId}/webhook-endpoints", endpoint);
            bodies.put(
                    "PATCH /dashboard/api/organizations/{orgId}/webhook-endpoints/{endpointId}",
                    Map.of("description", "Changed"));
        }

        private void lake(String org) {
            Map<String, Object> lake = Map.of("name", "Orders", "format", "csv");
            parameters.put("lakeId", post(org + "/data-lakes", lake).text("/data_lake/id"));
            bodies.put("POST /dashboard/api/organizations/{orgId}/data-lakes", lake);
        }

        private void delivery(String org) {
            parameters.put(
                    "deliveryId",
                    Tenant.eventually(
                                    () -> browser.get(org + "/webhook-deliveries")
                                            .send(),
                                    answer -> !answer.json().at("/items/0/id").isMissingNode())
                            .text("/items/0/id"));
        }

        private void conversation() {
            String conversation = developer("/conversations", Map.of()).text("/id");
            parameters.put("conversation_id", conversation);
            parameters.put("conversationId", conversation);
            Map<String, Object> message =
                    Map.of("conversation_id", conversation, "content_type", "text", "content", "hello");
            developer("/messages", message);
            bodies.put("POST /developer/api/messages", message);
        }

        private void file() {
            Map<String, Object> wanted = Map.of("filename", "a.png", "content_type", "image/png");
            bodies.put("POST /developer/api/media/presigned-url", wanted);
            bodies.put("POST /dashboard/api/organizations/{orgId}/media/presigned-url", wanted);
            var tenant = new Tenant(
                    dev.parley.id.OrganizationId.parse(parameters.get("orgId")).orElseThrow(),
                    dev.parley.id.UserId.next(),
                    dev.parley.id.ApiKeyId.next(),
                    key);
            parameters.put(
                    "path",
                    TestFiles.sent(tenant, "a.png", "image/png", TestFiles.PNG).text("/metadata/file/path"));
        }

        private void paths(String document) {
            String org = "/dashboard/api/organizations/{orgId}";
            bodies.put("POST /developer/api/conversations", Map.of("metadata", Map.of("a", 1)));
            bodies.put("POST /developer/api/workflows/{workflow_id}/trigger/sync", Map.of("human_msg", "Invoice 8"));
            bodies.put("PATCH " + org, Map.of("name", "Renamed"));
            bodies.put("POST " + org + "/api-keys", Map.of("name", "another"));
            bodies.put(
                    "POST " + org + "/members",
                    Map.of("email", parameters.get("userId") + "@new.example", "name", "N", "role", "member"));
            bodies.put("PATCH " + org + "/members/{userId}", Map.of("role", "admin"));
            bodies.put("POST " + org + "/teams", Map.of("name", "Another"));
            bodies.put("PUT " + org + "/teams/{teamId}/members/{userId}", Map.of());
            bodies.put("POST " + org + "/code-artifacts", code());
            bodies.put("PUT " + org + "/code-artifacts/{artifactId}", code());
            bodies.put("POST " + org + "/code-artifacts/{artifactId}/dry-run", Map.of("inputs", Map.of("x", 1)));
            bodies.put(
                    "POST " + org + "/code-artifacts/dry-run",
                    Map.of("language", "javascript", "source", "function main() { return {}; }"));
            bodies.put("POST " + org + "/workflows", document);
            bodies.put("PUT " + org + "/workflows/{workflowId}", document);
            bodies.put("POST " + org + "/workflows/validate", document);
            parameters.put("toolId", "1");
            bodies.put(
                    "POST " + org + "/tool-providers",
                    Map.of("name", "mine", "kind", "mcp", "url", "http://127.0.0.1:1/mcp"));
            parameters.put(
                    "providerId",
                    post(
                                    org.replace("{orgId}", parameters.get("orgId")) + "/tool-providers",
                                    Map.of("name", "api", "kind", "openapi", "document", OPENAPI))
                            .text("/id"));
            bodies.put("PATCH " + org + "/tool-providers/{providerId}", Map.of("description", "Mine"));
            bodies.put(
                    "POST " + org + "/tools/{toolId}/try", Map.of("arguments", Map.of("url", "http://127.0.0.1:1/")));
            bodies.put("POST " + org + "/tickets/{ticketId}/comment", Map.of("text", "On it"));
        }

        private static Map<String, Object> code() {
            return Map.of(
                    "name", "Code", "language", "javascript", "source", "function main(i) { return { y: i.x }; }");
        }

        private String example(String name, String user) {
            try {
                return Files.readString(Path.of("examples", name + ".json"))
                        .replace("{{user}}", user)
                        .replace("{{team}}", parameters.get("teamId"));
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        private Api.Answer post(String path, Object body) {
            return browser.post(path).json(body).send().expect(201);
        }

        private Api.Answer developer(String path, Object body) {
            Api.Answer answer =
                    new Api().post("/developer/api" + path).key(key).json(body).send();
            assertThat(answer.status()).as(answer.body()).isLessThan(300);
            return answer;
        }

        Api.Answer call(Operation operation) {
            String path = operation.path();
            for (Map.Entry<String, String> parameter : parameters.entrySet()) {
                path = path.replace("{" + parameter.getKey() + "}", parameter.getValue());
            }
            path = path.replaceAll("\\{[^}]+}", "0192f0c1a2b37c4d8e5f60718293a4b5");
            Api.Request request = operation.path().startsWith("/dashboard")
                    ? browser.method(method(operation), path)
                    : new Api().method(method(operation), path).key(key);
            Object body = bodies.get(operation.name());
            if (body == null && !operation.description().at("/requestBody").isMissingNode()) {
                body = "{}";
            }
            return body == null ? request.send() : request.json(body).send();
        }
    }

    private List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        document.at("/paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(member -> METHODS.contains(member.getKey()))
                .filter(member -> !path.getKey().endsWith("/logout"))
                // Live streams do not end; LiveEventsTest reads them.
                .filter(member -> !path.getKey().endsWith("/events"))
                .forEach(member -> all.add(new Operation(member.getKey(), path.getKey(), member.getValue()))));
        all.sort(Comparator.<Operation>comparingInt(one -> METHODS.indexOf(one.method()))
                // A ticket closes with its instance, so it comes before what ends that.
                .thenComparing(one -> !one.path().contains("/tickets/"))
                .thenComparing(
                        Comparator.comparingInt((Operation one) -> one.path().length())
                                .reversed())
                .thenComparing(Operation::path));
        assertThat(all).hasSizeGreaterThan(30);
        return all;
    }

    private void check(Operation operation, Api.Answer answer, List<String> wrong) {
        String name = operation.name() + " → " + answer.status();
        JsonNode response = operation.description().at("/responses/" + answer.status());
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
            return; // a file, of whatever type
        }
        JsonNode schema = response.at("/content").path(type).path("schema");
        if (schema.isMissingNode()) {
            wrong.add(name + " documents no " + type);
            return;
        }
        ObjectNode root = StrictJson.mapper().createObjectNode();
        root.set("components", document.get("components"));
        root.putArray("allOf").add(schema);
        SCHEMAS.getSchema(root.toString(), InputFormat.JSON)
                .validate(answer.body(), InputFormat.JSON)
                .forEach(fault -> wrong.add(name + ": " + fault.getInstanceLocation() + " " + fault.getMessage()));
    }

    private static String method(Operation operation) {
        return operation.method().toUpperCase(java.util.Locale.ROOT);
    }

    /** Sorted by name, so that the order in which the build finds classes does not show. */
    private static String pretty(JsonNode tree) throws IOException {
        JsonMapper mapper = JsonMapper.builder()
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .build();
        var printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        return mapper.writer(printer).writeValueAsString(mapper.treeToValue(tree, Object.class)) + "\n";
    }
}
