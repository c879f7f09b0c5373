package dev.parley.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to the catalogue, and its contents. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ToolCatalogueTest {
    private static final String DOCUMENT = """
            {"openapi": "3.1.0", "servers": [{"url": "https://api.example.com"}],
             "paths": {"/a": {"get": {"operationId": "readA"}}, "/b": {"get": {"operationId": "readB"}}}}""";

    @Inject
    TestOrganizations organizations;

    @Inject
    Database database;

    private ToolCatalogClient catalogue;
    private TestOrganizations.Tenant tenant;

    @BeforeEach
    void makeOrganization() {
        catalogue = new ToolCatalogClient(organizations);
        tenant = catalogue.tenant();
    }

    private Api.Answer as(TestOrganizations.TestUser person, String method, String path, Object body) {
        return person.browser().method(method, tenant.path() + path).json(body).send();
    }

    @Test
    void everyOrganizationHasTheBuiltInTools() {
        JsonNode tools = tenant.member()
                .browser()
                .get(tenant.path() + "/tools")
                .send()
                .expect(200)
                .json();
        JsonNode providers = tenant.member()
                .browser()
                .get(tenant.path() + "/tool-providers")
                .send()
                .expect(200)
                .json();

        assertThat(tools.at("/items/0/tool_id").asInt()).isEqualTo(1);
        assertThat(tools.at("/items/0/tool_name").asText()).isEqualTo("http.request");
        assertThat(tools.at("/items/0/provider").asText()).isEqualTo("builtin");
        assertThat(providers.at("/items/0/kind").asText()).isEqualTo("builtin");
        as(tenant.owner(), "PATCH", "/tool-providers/1", Map.of("description", "x"))
                .expect(409);
        as(tenant.owner(), "DELETE", "/tool-providers/1", "").expect(409);
    }

    @Test
    void membersReadAndAdminsManage() {
        JsonNode provider = catalogue.add("openapi", Map.of("document", DOCUMENT));
        String path = "/tool-providers/" + provider.at("/id").asInt();
        int tool = catalogue.tool(provider, "readA");

        as(tenant.member(), "GET", path, "").expect(200);
        as(tenant.member(), "POST", "/tool-providers", Map.of("name", "x", "kind", "mcp"))
                .expect(403);
        as(tenant.member(), "PATCH", path, Map.of()).expect(403);
        as(tenant.member(), "DELETE", path, "").expect(403);
        as(tenant.member(), "POST", path + "/refresh", "").expect(403);
        as(tenant.member(), "POST", "/tools/" + tool + "/try", Map.of("arguments", Map.of()))
                .expect(403);
        as(tenant.admin(), "PATCH", path, Map.of("description", "Two letters")).expect(200);
    }

    @Test
    void anotherOrganizationSeesNothingOfIt() {
        JsonNode provider = catalogue.add("openapi", Map.of("document", DOCUMENT));
        int tool = catalogue.tool(provider, "readA");
        TestOrganizations.Tenant other = organizations.create();
        Api stranger = other.owner().browser();

        stranger.get(catalogue.path(provider)).send().expect(404);
        stranger.get(other.path() + "/tools/" + tool).send().expect(404);
        stranger.get(other.path() + "/tool-providers/" + provider.at("/id").asInt())
                .send()
                .expect(404);
        stranger.post(other.path() + "/tools/" + tool + "/try")
                .json(Map.of("arguments", Map.of()))
                .send()
                .expect(404);
    }

    @Test
    void credentialsAreEncryptedAndOnlyTheirNamesAreReturned() {
        JsonNode provider = catalogue.add(
                "openapi",
                Map.of(
                        "document",
                        DOCUMENT,
                        "credentials",
                        Map.of("bearer_token", "very-s3cret", "headers", Map.of("X-Tenant", "t3nant"))));

        assertThat(provider.at("/credentials_set").toString()).isEqualTo("[\"bearer_token\",\"headers.X-Tenant\"]");
        String row = database.with(handle -> handle.createQuery(
                        "SELECT p::text FROM tool_provider p WHERE organization_id = :organization")
                .bind("organization", tenant.id())
                .mapTo(String.class)
                .one());
        assertThat(row).doesNotContain("s3cret", "t3nant");
        assertThat(row)
                .doesNotContain(java.util.HexFormat.of()
                        .formatHex("very-s3cret".getBytes(java.nio.charset.StandardCharsets.UTF_8)));

        JsonNode kept = as(
                        tenant.owner(),
                        "PATCH",
                        "/tool-providers/" + provider.at("/id").asInt(),
                        Map.of("description", "x"))
                .expect(200)
                .json();
        JsonNode cleared = as(
                        tenant.owner(),
                        "PATCH",
                        "/tool-providers/" + provider.at("/id").asInt(),
                        Map.of("credentials", Map.of()))
                .expect(200)
                .json();
        assertThat(kept.at("/credentials_set")).hasSize(2);
        assertThat(cleared.at("/credentials_set")).isEmpty();
    }

    @Test
    void listsAreFilteredAndPaged() {
        JsonNode provider = catalogue.add("openapi", Map.of("document", DOCUMENT));
        Api browser = tenant.member().browser();
        String id = provider.at("/id").asText();

        assertThat(browser.get(tenant.path() + "/tools?search=READ")
                        .send()
                        .json()
                        .at("/items"))
                .hasSize(2);
        assertThat(browser.get(tenant.path() + "/tools?provider_id=" + id)
                        .send()
                        .json()
                        .at("/items"))
                .hasSize(2);
        assertThat(browser.get(tenant.path() + "/tools?available=false")
                        .send()
                        .json()
                        .at("/items"))
                .isEmpty();
        JsonNode first = browser.get(tenant.path() + "/tools?limit=1").send().json();
        JsonNode second = browser.get(tenant.path() + "/tools?limit=1&after="
                        + first.at("/next").asText())
                .send()
                .json();
        assertThat(second.at("/items/0/tool_id").asInt())
                .isGreaterThan(first.at("/items/0/tool_id").asInt());
        assertThat(browser.get(tenant.path() + "/tools?kind=openapi&search=reada")
                        .send()
                        .json()
                        .at("/items"))
                .hasSize(1);
        assertThat(browser.get(tenant.path() + "/tools?kind=builtin&search=PUBLIC%20address")
                        .send()
                        .json()
                        .at("/items/0/tool_name")
                        .asText())
                .isEqualTo("http.request");
        for (String bad : List.of("provider_id=x", "kind=x", "available=maybe", "limit=0", "after=x")) {
            browser.get(tenant.path() + "/tools?" + bad).send().expect(400);
        }
    }

    @Test
    void deletingAProviderDeletesItsTools() {
        JsonNode provider = catalogue.add("openapi", Map.of("name", "gone", "document", DOCUMENT));
        int tool = catalogue.tool(provider, "readA");

        as(tenant.owner(), "DELETE", "/tool-providers/" + provider.at("/id").asInt(), "")
                .expect(204);

        as(tenant.owner(), "GET", "/tool-providers/" + provider.at("/id").asInt(), "")
                .expect(404);
        assertThat(as(tenant.owner(), "GET", "/tools/" + tool, "")
                        .expect(200)
                        .json()
                        .at("/available")
                        .asBoolean())
                .isFalse();
        JsonNode again = catalogue.add("openapi", Map.of("name", "gone", "document", DOCUMENT));
        assertThat(catalogue.tool(again, "readA")).isNotEqualTo(tool);
    }

    @ParameterizedTest
    @CsvSource({
        "builtin,http.request,1,true",
        "builtin,email.send,2,true",
        "builtin,email.send,1,false",
        "other,http.request,1,false",
        "builtin,http.request,7,false",
        "builtin,http.request,1000,false",
    })
    void aDefinitionNamesAToolByThreeFieldsThatBelongTogether(String provider, String tool, int id, boolean valid) {
        List<Map<String, Object>> inputs = Stream.of("url", "to", "subject", "text")
                .map(name -> Workflows.input(name, "STRING", "human_input", true))
                .toList();
        JsonNode answer = as(tenant.member(), "POST", "/workflows/validate", appWorkflow(provider, tool, id, inputs))
                .expect(200)
                .json();

        assertThat(answer.at("/valid").asBoolean()).as(answer.toString()).isEqualTo(valid);
        assertThat(answer.at("/errors/0/error").asText()).isEqualTo(valid ? "" : "Missing Required Field");
        assertThat(answer.at("/errors/0/path").asText()).isEqualTo(valid ? "" : "/tasks/0/tool_id");
    }

    private Map<String, Object> appWorkflow(String provider, String tool, int id, List<Map<String, Object>> inputs) {
        Map<String, Object> task = Map.of(
                "id",
                "a",
                "kind",
                "App",
                "name",
                "A",
                "instructions",
                "Do it.",
                "provider",
                provider,
                "tool_name",
                tool,
                "tool_id",
                id,
                "input_parameters",
                inputs,
                "expected_output",
                List.of());
        Map<String, Object> rule = Map.of(
                "rule_type",
                "Exception",
                "assignment_type",
                "User",
                "assignee_id",
                tenant.owner().id().text());
        return Map.of("name", "W", "assignment_rules", List.of(rule), "tasks", List.of(task));
    }

    @Test
    void aTaskWithoutARequiredArgumentOfItsToolIsNotPublished() {
        JsonNode provider = catalogue.add("openapi", Map.of("name", "shop", "document", """
                {"openapi": "3.1.0", "servers": [{"url": "https://api.example.com"}], "paths": {"/orders/{order}": {
                  "get": {"operationId": "readOrder", "parameters": [
                    {"name": "order", "in": "path", "required": true, "schema": {"type": "integer"}},
                    {"name": "verbose", "in": "query", "schema": {"type": "boolean"}}]}}}}"""));
        int tool = catalogue.tool(provider, "readOrder");
        String id = as(
                        tenant.member(),
                        "POST",
                        "/workflows?allow_invalid=true",
                        appWorkflow("shop", "readOrder", tool, List.of()))
                .expect(201)
                .text("/id");

        Api.Answer refused =
                as(tenant.member(), "POST", "/workflows/" + id + "/publish", "").expect(400);
        assertThat(refused.text("/errors/0/path")).isEqualTo("/tasks/0/input_parameters");
        assertThat(refused.text("/errors/0/detail")).contains("'readOrder' requires the input 'order'");

        as(
                        tenant.member(),
                        "PUT",
                        "/workflows/" + id,
                        appWorkflow(
                                "shop",
                                "readOrder",
                                tool,
                                List.of(Workflows.input("order", "INTEGER", "human_input", true))))
                .expect(200);
        as(tenant.member(), "POST", "/workflows/" + id + "/publish", "").expect(200);
    }

    @Test
    void aChangeAppliesOnlyToTheSettingsThatItsAuthorHasSeen() {
        JsonNode provider = catalogue.add("openapi", Map.of("document", DOCUMENT));
        Api owner = tenant.owner().browser();
        String path = catalogue.path(provider);
        String tag = owner.get(path).send().expect(200).header("ETag");

        var _ = catalogue.refresh(provider);
        String next = tenant.admin()
                .browser()
                .patch(path)
                .header("If-Match", tag)
                .json(Map.of("description", "Theirs"))
                .send()
                .expect(200)
                .header("ETag");
        Api.Answer refused = owner.patch(path)
                .header("If-Match", tag)
                .json(Map.of("description", "Mine"))
                .send();

        assertThat(refused.status()).isEqualTo(412);
        assertThat(refused.text("/changed_by"))
                .isEqualTo("user:" + tenant.admin().id().text());
        assertThat(refused.text("/etag")).isEqualTo(next).isNotEqualTo(tag);
        owner.delete(path).header("If-Match", tag).send().expect(412);
        assertThat(owner.get(path).send().text("/description")).isEqualTo("Theirs");
        owner.delete(path).header("If-Match", next).send().expect(204);
    }

    @Test
    void toolsOfAProviderThatIsNotEnabledAreNotCalled() {
        JsonNode provider = catalogue.add("openapi", Map.of("name", "paused", "document", DOCUMENT));
        int tool = catalogue.tool(provider, "readA");
        Api owner = tenant.owner().browser();

        owner.patch(catalogue.path(provider))
                .json(Map.of("enabled", false))
                .send()
                .expect(200);

        assertThat(catalogue.tools(provider).get("readA").at("/available").asBoolean())
                .isFalse();
        catalogue.attempt(tool, Map.of()).expect(409);
        owner.post(catalogue.path(provider) + "/refresh").send().expect(409);
        assertThat(as(tenant.member(), "POST", "/workflows/validate", appWorkflow("paused", "readA", tool, List.of()))
                        .expect(200)
                        .json()
                        .at("/valid")
                        .asBoolean())
                .isTrue();
        owner.patch(catalogue.path(provider))
                .json(Map.of("enabled", true))
                .send()
                .expect(200);
        assertThat(catalogue.tools(provider).get("readA").at("/available").asBoolean())
                .isTrue();
    }

    @Test
    void anUnreachableProviderIsStoredOnlyIfTheRequestAllowsIt() {
        Map<String, Object> dead = Map.of("name", "dead", "kind", "mcp", "url", "http://127.0.0.1:1/mcp");

        Api.Answer refused = as(tenant.owner(), "POST", "/tool-providers?allow_unreachable=false", dead);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/errors/0/error")).isEqualTo("Discovery Failed");
        assertThat(refused.text("/errors/0/path")).isEqualTo("/url");
        JsonNode stored =
                as(tenant.owner(), "POST", "/tool-providers", dead).expect(201).json();
        assertThat(stored.at("/status").asText()).isEqualTo("FAILED");
        String path = "/tool-providers/" + stored.at("/id").asInt();
        Map<String, Object> moved = Map.of("url", "http://127.0.0.1:2/mcp");
        as(tenant.owner(), "PATCH", path + "?allow_unreachable=false", moved).expect(400);
        assertThat(as(tenant.owner(), "GET", path, "").text("/url")).endsWith(":1/mcp");
        as(tenant.owner(), "PATCH", path + "?allow_unreachable=maybe", moved).expect(400);
        JsonNode api = catalogue.add("openapi", Map.of("document", DOCUMENT, "server_url", "https://api.example.com"));
        JsonNode changed = as(
                        tenant.owner(),
                        "PATCH",
                        "/tool-providers/" + api.at("/id").asInt(),
                        Map.of("server_url", ""))
                .expect(200)
                .json();
        assertThat(changed.at("/server_url").isNull()).isTrue();
    }

    @Test
    void providerNamesAreUnique() {
        var _ = catalogue.add("openapi", Map.of("name", "crm", "document", DOCUMENT));

        catalogue.tryAdd("openapi", Map.of("name", "crm", "document", DOCUMENT)).expect(409);
        catalogue
                .tryAdd("openapi", Map.of("name", "builtin", "document", DOCUMENT))
                .expect(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"name\":\"x\"}",
                "{\"name\":\"x\",\"kind\":\"builtin\"}",
                "{\"name\":\"x\",\"kind\":\"mcp\"}",
                "{\"name\":\"x\",\"kind\":\"mcp\",\"command\":\"/bin/sh\"}",
                "{\"name\":\"x\",\"kind\":\"mcp\",\"url\":\"https://a.example\",\"command\":\"x\"}",
                "{\"name\":\"x\",\"kind\":\"mcp\",\"url\":\"https://a.example\",\"document\":{}}",
                "{\"name\":\"x\",\"kind\":\"openapi\"}",
                "{\"name\":\"x\",\"kind\":\"openapi\",\"document\":{},\"credentials\":{\"bearer_token\":\"a\\nb\"}}",
                "{\"name\":\"x\",\"kind\":\"openapi\",\"document\":{},\"credentials\":{\"headers\":{\"Host\":\"a\"}}}",
                "{\"name\":\"x\",\"kind\":\"openapi\",\"document\":{},\"credentials\":{\"headers\":{\"A\":null}}}",
                "{\"name\":\"x\",\"kind\":\"openapi\",\"document\":{},\"credentials\":{\"headers\":{\"A\":5}}}",
                "{\"name\":\"x\",\"kind\":\"openapi\",\"document\":{},\"credentials\":[]}",
                "{\"name\":\"x\",\"kind\":\"openapi\",\"document\":7}",
                "{\"name\":\"x\",\"kind\":\"openapi\",\"document\":null}",
                "{\"name\":\"x\",\"kind\":\"openapi\",\"url\":5}",
                "{\"name\":\"x\",\"kind\":\"openapi\",\"surprise\":5}",
            })
    void requestsWithFaultsAre400(String body) {
        as(tenant.owner(), "POST", "/tool-providers", body).expect(400);
    }

    @Test
    void aMissingArgumentIsReportedAtItsField() {
        assertThat(as(tenant.owner(), "POST", "/tools/1/try", Map.of("arguments", Map.of()))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/arguments/url");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"arguments\":null}", "{\"arguments\":[]}", "{\"arguments\":{\"url\":5}}"})
    void trialsWithFaultsAre400(String body) {
        as(tenant.owner(), "POST", "/tools/1/try", body).expect(400);
    }
}
