package dev.parley.workflow.definition.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.tool.ToolCatalogClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The workflows that use a tool, a provider, a code artifact or a data lake. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class WorkflowReferencesTest {
    private static final String LAKE = "0192f0c1a2b37c4d8e5f60718293a4b5";
    private static final String DOCUMENT = """
            {"openapi": "3.1.0", "servers": [{"url": "https://api.example.com"}],
             "paths": {"/a": {"get": {"operationId": "readA"}}, "/b": {"get": {"operationId": "readB"}}}}""";

    @Inject
    TestOrganizations organizations;

    private ToolCatalogClient catalogue;
    private TestOrganizations.Tenant tenant;
    private Api member;

    @BeforeEach
    void makeOrganization() {
        catalogue = new ToolCatalogClient(organizations);
        tenant = catalogue.tenant();
        member = tenant.member().browser();
    }

    private String save(String name, List<Map<String, Object>> tasks) {
        return member.post(tenant.path() + "/workflows?allow_invalid=true")
                .json(document(name, tasks))
                .send()
                .expect(201)
                .text("/id");
    }

    private Map<String, Object> document(String name, List<Map<String, Object>> tasks) {
        Map<String, Object> rule = Map.of(
                "rule_type",
                "Exception",
                "assignment_type",
                "User",
                "assignee_id",
                tenant.owner().id().text());
        return Map.of("name", name, "assignment_rules", List.of(rule), "tasks", tasks);
    }

    private static Map<String, Object> aiTask(List<Integer> tools) {
        return Map.of(
                "id",
                "ask",
                "kind",
                "AI",
                "name",
                "Ask",
                "instructions",
                "Answer.",
                "tools",
                tools,
                "input_parameters",
                List.of(),
                "expected_output",
                List.of(Map.of("name", "answer", "type", "STRING", "description", "d")));
    }

    private JsonNode usage(String kind, Object id) {
        return member.get(tenant.path() + "/workflow-references?kind=" + kind + "&ids=" + id)
                .send()
                .expect(200)
                .json()
                .at("/items/0");
    }

    private static List<String> uses(JsonNode usage) {
        List<String> uses = new ArrayList<>();
        usage.at("/workflows")
                .forEach(workflow -> uses.add(workflow.at("/name").asText()
                        + (workflow.at("/in_draft").asBoolean() ? " draft" : "")
                        + (workflow.at("/in_published").asBoolean() ? " published" : "")));
        return uses;
    }

    @Test
    void agentsThatAssignToATeamAreListed() {
        Map<String, Object> document = new HashMap<>(document("Assigns", List.of(aiTask(List.of()))));
        document.put(
                "assignment_rules",
                List.of(Map.of("rule_type", "Human Feedback", "assignment_type", "Team", "assignee_id", "77")));
        member.post(tenant.path() + "/workflows?allow_invalid=true")
                .json(document)
                .send()
                .expect(201);
        assertThat(uses(usage("team", 77))).containsExactly("Assigns draft");
        assertThat(uses(usage("team", 78))).isEmpty();
    }

    @Test
    void draftsAndPublishedVersionsCountUntilTheyAreReplaced() {
        JsonNode provider = catalogue.add("openapi", Map.of("document", DOCUMENT));
        int provided = provider.at("/id").asInt();
        int a = catalogue.tool(provider, "readA");
        int b = catalogue.tool(provider, "readB");
        String both = save("Both", List.of(aiTask(List.of(a, b))));
        member.post(tenant.path() + "/workflows/" + both + "/publish").send().expect(200);
        member.put(tenant.path() + "/workflows/" + both)
                .json(document("Both", List.of(aiTask(List.of(b)))))
                .send()
                .expect(200);
        String draft = save("Draft", List.of(aiTask(List.of(a, 1))));

        assertThat(uses(usage("tool", a))).containsExactly("Draft draft", "Both published");
        assertThat(uses(usage("tool", b))).containsExactly("Both draft published");
        assertThat(uses(usage("tool_provider", provided))).containsExactly("Draft draft", "Both draft published");
        assertThat(uses(usage("tool_provider", 1))).containsExactly("Draft draft");
        assertThat(uses(usage("tool", 77))).isEmpty();

        JsonNode limited = member.get(tenant.path() + "/workflow-references?kind=tool&limit=1&ids=77," + a + "," + b)
                .send()
                .expect(200)
                .json();
        assertThat(limited.at("/items").findValuesAsText("total")).containsExactly("0", "2", "1");
        assertThat(limited.at("/items/1/workflows")).hasSize(1);

        member.delete(tenant.path() + "/workflows/" + draft).send().expect(204);
        assertThat(usage("tool", a).at("/total").asInt()).isEqualTo(1);
        member.post(tenant.path() + "/workflows/" + both + "/publish").send().expect(200);
        assertThat(uses(usage("tool", a))).isEmpty();
    }

    @Test
    void codeAndDataLakesAreFoundInAnySpelling() {
        Map<String, Object> coder = Map.of("id", "c", "kind", "Coder", "code_artifact_id", 5);
        Map<String, Object> reader = Map.of(
                "input_parameters",
                List.of(Map.of("data_lake_id", "0192F0C1-A2B3-7C4D-8E5F-60718293A4B5"), Map.of("data_lake_id", 7)));
        var _ = save("Mixed", List.of(coder, reader));

        assertThat(uses(usage("code_artifact", 5))).containsExactly("Mixed draft");
        assertThat(uses(usage("data_lake", LAKE))).containsExactly("Mixed draft");
        Api stranger = organizations.create().owner().browser();
        stranger.get(tenant.path() + "/workflow-references?kind=data_lake&ids=" + LAKE)
                .send()
                .expect(404);
        for (String bad : List.of(
                "kind=tool",
                "kind=tool&ids=",
                "kind=tool&ids=a/b",
                "kind=tool&ids=1&limit=0",
                "kind=x&ids=1",
                "ids=1")) {
            member.get(tenant.path() + "/workflow-references?" + bad).send().expect(400);
        }
    }
}
