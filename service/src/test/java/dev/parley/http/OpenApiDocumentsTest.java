package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each OpenAPI document serves one audience, needs no other document, and makes good clients. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OpenApiDocumentsTest {
    private static final Pattern PARAMETER = Pattern.compile("([^/{}]+)/\\{([^}]+)}");

    private final JsonNode developer = ApiOperation.document("/openapi.json");
    private final JsonNode dashboard = ApiOperation.document("/openapi/dashboard.json");

    @Test
    void eachDocumentHasTheRoutesOfItsAudience() {
        assertThat(developer.get("paths").propertyStream().map(Map.Entry::getKey))
                .contains("/developer/api/messages", "/developer/resume/{token}")
                .allMatch(path -> path.startsWith("/developer/"));
        assertThat(dashboard.get("paths").propertyStream().map(Map.Entry::getKey))
                .contains("/dashboard/api/me", "/schemas/workflow-definition.json")
                .noneMatch(path -> path.startsWith("/developer/"));
        assertThat(developer.at("/components/securitySchemes").fieldNames())
                .toIterable()
                .containsExactly("apiKey");
        assertThat(dashboard.at("/components/securitySchemes").fieldNames())
                .toIterable()
                .containsExactly("session");
    }

    @Test
    void everyComponentAndTagIsUsedAndExists() {
        for (JsonNode document : List.of(developer, dashboard)) {
            Set<String> components = new TreeSet<>();
            for (String kind : List.of("schemas", "responses", "headers", "examples")) {
                document.at("/components/" + kind)
                        .fieldNames()
                        .forEachRemaining(name -> components.add("#/components/" + kind + "/" + name));
            }
            Set<String> references = new TreeSet<>(document.findValuesAsText("$ref"));
            assertThat(references).isEqualTo(components);
            Set<String> tags = new HashSet<>();
            document.get("paths")
                    .forEach(item ->
                            item.forEach(operation -> operation.path("tags").forEach(tag -> tags.add(tag.asText()))));
            assertThat(document.get("tags").findValuesAsText("name")).containsExactlyInAnyOrderElementsOf(tags);
            assertThat(document.get("tags").findValuesAsText("description")).hasSameSizeAs(tags);
            assertThat(document.at("/servers/0/url").asText()).isEqualTo("/");
            assertThat(document.at("/info/description").asText()).isNotEmpty();
        }
    }

    @Test
    void operationIdsAreUniqueNames() {
        List<String> all = Stream.of(developer, dashboard)
                .flatMap(document -> document.findValuesAsText("operationId").stream())
                .toList();
        assertThat(all)
                .hasSizeGreaterThan(150)
                .doesNotHaveDuplicates()
                .allMatch(id -> id.matches("[a-z]+([A-Z][a-z0-9]+)*"));
    }

    /** Generated clients name their methods after these. They are part of version 1. */
    @Test
    void operationIdsOfTheDeveloperApiStay() {
        assertThat(developer.findValuesAsText("operationId"))
                .containsExactlyInAnyOrder(
                        "cancelWorkflowInstance",
                        "createConversation",
                        "createUploadUrl",
                        "followConversationEvents",
                        "followWorkflowInstanceEvents",
                        "getConversation",
                        "getMediaFile",
                        "getWorkflowInstanceStatus",
                        "listConversations",
                        "listMessages",
                        "listWorkflowInstanceAttempts",
                        "listWorkflowInstanceLogs",
                        "listWorkflowInstances",
                        "pauseWorkflowInstance",
                        "rerunWorkflowInstance",
                        "resumeTask",
                        "resumeWorkflowInstance",
                        "retryWorkflowInstance",
                        "sendMessage",
                        "terminateWorkflowInstance",
                        "triggerWorkflow");
    }

    @Test
    void anIdHasOneNameInAllPaths() {
        for (JsonNode document : List.of(developer, dashboard)) {
            Map<String, Set<String>> names = new HashMap<>();
            document.get("paths")
                    .fieldNames()
                    .forEachRemaining(path -> PARAMETER.matcher(path).results().forEach(found -> names.computeIfAbsent(
                                    found.group(1), _ -> new TreeSet<>())
                            .add(found.group(2))));
            List<Map.Entry<String, Set<String>>> several = new ArrayList<>(names.entrySet());
            several.removeIf(each -> each.getValue().size() == 1);
            assertThat(several).isEmpty();
            assertThat(names.values()).doesNotContain(Set.of("id"));
        }
    }

    @Test
    void everyJsonBodyOfARequestAndOfASuccessHasAnExample() {
        for (JsonNode document : List.of(developer, dashboard)) {
            List<String> without = new ArrayList<>();
            for (ApiOperation operation : ApiOperation.all(document)) {
                List<JsonNode> bodies =
                        new ArrayList<>(List.of(operation.description().path("requestBody")));
                operation
                        .description()
                        .get("responses")
                        .propertyStream()
                        .filter(response -> response.getKey().startsWith("2"))
                        .forEach(response -> bodies.add(response.getValue()));
                for (JsonNode body : bodies) {
                    JsonNode json = body.at("/content/application~1json");
                    boolean isDocument = json.at("/schema/type").asText().equals("object"); // Of a workflow.
                    if (json.has("schema") && !isDocument && !json.has("example") && !json.has("examples")) {
                        without.add(operation.name());
                    }
                }
            }
            assertThat(without).isEmpty();
        }
        assertThat(developer
                        .at("/components/examples/TriggerRequest/value/human_msg")
                        .asText())
                .startsWith("Claim");
    }
}
