package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rules that the generated OpenAPI document must follow for all endpoints. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OpenApiTest {
    @Inject
    TestOrganizations organizations;

    private final JsonNode document = ApiOperation.documents();

    @Test
    void itIsOpenApi31() {
        assertThat(document.at("/openapi").asText()).startsWith("3.1");
        assertThat(document.at("/components/securitySchemes").properties()).hasSize(2);
    }

    @Test
    void everyOperationHasASummaryASecuritySchemeAndItsErrors() {
        List<String> wrong = new ArrayList<>();
        document.at("/paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(member ->
                        List.of("get", "post", "put", "patch", "delete").contains(member.getKey()))
                .forEach(operation -> check(path.getKey(), operation.getKey(), operation.getValue(), wrong)));
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyPropertyHasASnakeCaseName() {
        List<String> names = new ArrayList<>();
        document.at("/components/schemas")
                .forEach(schema -> schema.at("/properties").fieldNames().forEachRemaining(names::add));
        assertThat(names).isNotEmpty().allMatch(name -> name.matches("[a-z0-9_]+"));
    }

    @Test
    void errorsHaveTheOneShape() {
        JsonNode problem = document.at("/components/schemas/Problem");
        assertThat(problem.at("/properties").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "error",
                        "detail",
                        "code",
                        "errors",
                        "changed_by",
                        "changed_at",
                        "etag",
                        "status",
                        "workflow_instance_status",
                        "sheets",
                        "workflows");
        assertThat(problem.at("/properties/code/enum").valueStream().map(JsonNode::asText))
                .contains("rate_limited", "revision_conflict")
                .doesNotContain("authentication_failed");
        assertThat(document.at("/components/schemas/ViolationCode/enum")
                        .valueStream()
                        .map(JsonNode::asText))
                .contains("too_long", "type_mismatch");
        assertThat(problem.at("/required").valueStream().map(JsonNode::asText)).containsExactly("error");
        assertThat(document.at("/components/schemas/Violation/required")
                        .valueStream()
                        .map(JsonNode::asText))
                .containsExactly("code", "detail", "error", "path");
    }

    @Test
    void everyPostOfTheDeveloperApiTakesAnIdempotencyKey() {
        List<String> posts = new ArrayList<>();
        List<String> without = new ArrayList<>();
        document.at("/paths").properties().stream()
                .filter(path -> path.getKey().startsWith("/developer/api")
                        && path.getValue().has("post"))
                .forEach(path -> {
                    posts.add(path.getKey());
                    JsonNode operation = path.getValue().get("post");
                    boolean taken = operation
                            .at("/parameters")
                            .valueStream()
                            .anyMatch(one -> one.path("name").asText().equals(IdempotencyKeys.HEADER)
                                    && one.path("in").asText().equals("header"));
                    if (!taken || !operation.at("/responses").has("409")) {
                        without.add(path.getKey());
                    }
                });
        assertThat(posts).contains("/developer/api/messages").hasSizeGreaterThan(8);
        assertThat(without).isEmpty();
    }

    @Test
    void everySchemaOfAResponseSaysWhichMembersItAlwaysHas() {
        Set<String> requests = named(ApiOperation.all(document), "/requestBody");
        Set<String> responses = named(ApiOperation.all(document), "/responses");
        assertThat(responses).contains("Message", "Conversation", "TicketDetails", "Problem");
        assertThat(responses.stream()
                        .filter(name ->
                                hasMembers(name) && schema(name).at("/required").isEmpty()))
                .isEmpty();
        assertThat(requests).contains("MessageRequest", "ConversationRequest", "TriggerRequest");
        assertThat(requests.stream().filter(name -> hasMembers(name) && responses.contains(name)))
                .as("schemas of requests and of responses alike")
                .isEmpty();
    }

    @Test
    void everySchemaOfARequestIsClosed() {
        assertThat(named(ApiOperation.all(document), "/requestBody").stream()
                        .filter(name -> hasMembers(name)
                                && !schema(name).at("/additionalProperties").equals(BooleanNode.FALSE)))
                .isEmpty();
        assertThat(ApiOperation.all(document).stream()
                        .filter(operation -> operation.description().has("requestBody"))
                        .filter(operation -> !operation
                                .description()
                                .at("/requestBody/content/application~1json/schema")
                                .has("$ref"))
                        .map(ApiOperation::path))
                .as("free objects: definitions of workflows, which have a JSON Schema of their own, and events")
                .isNotEmpty()
                .allMatch(path -> path.contains("/workflows") || path.startsWith("/developer/resume"));
    }

    @Test
    void noWrapperOfTheCodeIsInTheDocument() {
        assertThat(schema("RawJson").isMissingNode()).isTrue();
        for (String name : named(ApiOperation.all(document), "/responses")) {
            List<String> members = new ArrayList<>();
            schema(name).at("/properties").fieldNames().forEachRemaining(members::add);
            assertThat(members).as(name).isNotEqualTo(List.of("text"));
        }
        for (String free : List.of(
                "Conversation/properties/config",
                "Conversation/properties/metadata",
                "Message/properties/metadata",
                "TicketDetails/properties/inputs",
                "TicketDetails/properties/answer/anyOf/0",
                "CodeDryRun/properties/result/anyOf/0")) {
            assertThat(document.at("/components/schemas/" + free + "/$ref").asText())
                    .as(free)
                    .isEqualTo("#/components/schemas/JsonObject");
        }
        assertThat(schema("JsonObject").at("/additionalProperties").asBoolean()).isTrue();
    }

    @Test
    void everyParameterHasItsConstraints() {
        List<String> wrong = new ArrayList<>();
        for (ApiOperation operation : ApiOperation.all(document)) {
            for (JsonNode parameter : operation.description().at("/parameters")) {
                JsonNode schema = parameter.path("schema");
                if (schema.has("$ref")) {
                    schema = document.at(schema.get("$ref").asText().substring(1));
                }
                boolean constrained =
                        switch (schema.path("type").asText()) {
                            case "string" ->
                                schema.has("pattern")
                                        || schema.has("minLength")
                                        || schema.has("enum")
                                        || schema.has("format");
                            case "integer" -> schema.has("minimum");
                            case "array" -> schema.path("items").has("$ref");
                            default -> schema.path("type").asText().equals("boolean");
                        };
                boolean isFreeText = operation.path().startsWith("/dashboard/api/oidc");
                if (!constrained && !isFreeText) {
                    wrong.add(operation.name() + " " + parameter);
                }
            }
        }
        assertThat(wrong).isEmpty();
        JsonNode after = parameter("GET /developer/api/conversations/{conversation_id}/messages", "after");
        assertThat("0192f0c1a2b37c4d8e5f60718293a4b5")
                .matches(after.at("/pattern").asText());
        assertThat("").doesNotMatch(after.at("/pattern").asText());
        JsonNode key = parameter("POST /developer/api/messages", IdempotencyKeys.HEADER);
        assertThat(key.at("/minLength").asInt()).isEqualTo(1);
        assertThat(key.at("/maxLength").asInt()).isEqualTo(255);
        assertThat("a b").doesNotMatch(key.at("/pattern").asText());
        assertThat("a!~b").matches(key.at("/pattern").asText());
    }

    @Test
    void everyRequestSaysWhatItRequires() {
        List<String> wrong = new ArrayList<>();
        TestOrganizations.Tenant tenant = organizations.create();
        String key = organizations.key(tenant.id());
        for (ApiOperation operation : ApiOperation.all(document)) {
            JsonNode ref = operation.description().at("/requestBody/content/application~1json/schema/$ref");
            if (ref.isMissingNode() || operation.path().matches(".*/(setup|invitations/.*|login|me.*)")) {
                continue;
            }
            String path = operation
                    .path()
                    .replace("{orgId}", tenant.id().text())
                    .replaceAll("\\{[^}]+}", "0192f0c1a2b37c4d8e5f60718293a4b5");
            Api.Answer answer = (operation.isDashboard()
                            ? tenant.owner().browser().method(operation.httpMethod(), path)
                            : new Api().method(operation.httpMethod(), path).key(key))
                    .json("{}")
                    .send();
            Set<String> missing = answer.json()
                    .at("/errors")
                    .valueStream()
                    .filter(violation -> violation.at("/error").asText().equals("Missing Required Field"))
                    .map(violation -> violation.at("/path").asText().substring(1))
                    .collect(Collectors.toSet());
            Set<String> required = schema(ref.asText().replaceFirst(".*/", ""))
                    .at("/required")
                    .valueStream()
                    .map(JsonNode::asText)
                    .collect(Collectors.toSet());
            // One record serves both creation and change; the latter requires fewer members.
            JsonNode properties = document.at(ref.asText().substring(1)).path("properties");
            missing.removeIf(name -> properties.path(name).toString().contains("equired for a new"));
            if (answer.status() == 400 && !required.containsAll(missing)) {
                wrong.add(operation.name() + " documents " + required + " but requires " + missing);
            }
            if (answer.status() < 300 && !required.isEmpty()) {
                wrong.add(operation.name() + " documents " + required + " but requires nothing");
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void responsesDocumentTheirHeaders() {
        for (ApiOperation operation : ApiOperation.all(document)) {
            operation.description().at("/responses").fieldNames().forEachRemaining(status -> {
                JsonNode headers = operation.response(document, status).at("/headers");
                if (List.of("429", "503").contains(status)) {
                    assertThat(headers.has("Retry-After")).as(operation.name()).isTrue();
                }
                boolean isMessage = operation.name().equals("POST /developer/api/messages");
                assertThat(headers.has("RateLimit"))
                        .as(operation.name() + status)
                        .isEqualTo(isMessage && !status.equals("401"));
                headers.forEach(header -> assertThat(header.has("schema")
                                || document.at(header.path("$ref").asText().substring(1))
                                        .has("schema"))
                        .isTrue());
            });
        }
        assertThat(document.at("/components/responses/RequestInProgress/headers/Retry-After")
                        .isMissingNode())
                .isFalse();
    }

    private boolean hasMembers(String name) {
        return schema(name).has("properties");
    }

    private JsonNode schema(String name) {
        return document.at("/components/schemas/" + name);
    }

    private JsonNode parameter(String operation, String name) {
        return ApiOperation.all(document).stream()
                .filter(one -> one.name().equals(operation))
                .flatMap(one -> one.description().at("/parameters").valueStream())
                .filter(one -> one.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow()
                .path("schema");
    }

    /** The component schemas that a part of the operations references, directly or indirectly. */
    private Set<String> named(List<ApiOperation> operations, String part) {
        Set<String> names = new TreeSet<>();
        List<JsonNode> left = new ArrayList<>();
        operations.forEach(operation -> left.add(operation.description().at(part)));
        while (!left.isEmpty()) {
            for (JsonNode ref : left.removeLast().findValues("$ref")) {
                String to = ref.asText();
                boolean isNew = to.startsWith("#/components/responses/") || names.add(to.replaceFirst(".*/", ""));
                if (isNew && !to.startsWith("#/components/headers/")) {
                    left.add(document.at(to.substring(1)));
                }
            }
        }
        names.removeIf(name -> schema(name).isMissingNode());
        return names;
    }

    private void check(String path, String method, JsonNode operation, List<String> wrong) {
        String name = method + " " + path;
        var described = new ApiOperation(method, path, operation);
        if (!path.startsWith("/developer/api") && !path.startsWith("/dashboard/api")) {
            return;
        }
        if (operation.at("/summary").asText().isEmpty()) {
            wrong.add(name + " has no summary");
        }
        if (operation.at("/responses").properties().stream()
                .noneMatch(response ->
                        response.getKey().startsWith("2") || response.getKey().equals("302"))) {
            wrong.add(name + " does not tell of its success");
        }
        boolean open = path.matches("/dashboard/api/(login|setup|password-resets.*|invitations/.*|oidc.*)");
        if (!open && operation.at("/security").isEmpty()) {
            wrong.add(name + " has no security");
        }
        operation.at("/responses").properties().forEach(response -> {
            boolean error =
                    response.getKey().startsWith("4") || response.getKey().startsWith("5");
            if (error
                    && !described
                            .response(document, response.getKey())
                            .at("/content/application~1json/schema/$ref")
                            .asText()
                            .equals("#/components/schemas/Problem")) {
                wrong.add(name + " " + response.getKey() + " is not a Problem");
            }
        });
        for (String status : new String[] {"401", "503"}) {
            if (operation.at("/responses/" + status).isMissingNode() && !(open && status.equals("401"))) {
                wrong.add(name + " does not tell of " + status);
            }
        }
    }
}
