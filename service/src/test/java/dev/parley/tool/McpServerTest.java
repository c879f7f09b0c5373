package dev.parley.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** MCP providers with the protocol's own reference server. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class McpServerTest {
    private static EverythingServer server;

    @Inject
    TestOrganizations organizations;

    private ToolCatalogClient catalogue;
    private JsonNode provider;

    @BeforeAll
    static void startServer() {
        server = new EverythingServer();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void addProvider() {
        catalogue = new ToolCatalogClient(organizations);
        provider = catalogue.add("mcp", Map.of("url", server.url()));
    }

    @Test
    void itsToolsAreListedWithTheirSchemas() {
        Map<String, JsonNode> tools = catalogue.tools(provider);

        assertThat(tools).containsKeys("echo", "get-sum", "get-structured-content", "get-tiny-image");
        assertThat(tools.get("get-sum").at("/input_schema/properties/a/type").asText())
                .isEqualTo("number");
        assertThat(tools.get("get-sum").at("/available").asBoolean()).isTrue();
        assertThat(provider.at("/tools").asInt()).isEqualTo(tools.size());
    }

    @Test
    void aToolIsCalled() {
        JsonNode outcome = catalogue.call(catalogue.tool(provider, "echo"), Map.of("message", "good morning"));

        assertThat(outcome.at("/succeeded").asBoolean()).as(outcome.toString()).isTrue();
        assertThat(outcome.at("/text").asText()).isEqualTo("Echo: good morning");
    }

    @Test
    void structuredContentAndFilesAreReturned() {
        JsonNode weather =
                catalogue.call(catalogue.tool(provider, "get-structured-content"), Map.of("location", "New York"));
        JsonNode image = catalogue.call(catalogue.tool(provider, "get-tiny-image"), Map.of());

        assertThat(weather.at("/structured/temperature").isNumber())
                .as(weather.toString())
                .isTrue();
        assertThat(image.at("/files/0/content_type").asText()).isEqualTo("image/png");
        assertThat(image.at("/files/0/size").asInt()).isPositive();
    }

    @Test
    void argumentsThatDoNotFitTheSchemaAreRefusedBeforeTheCall() {
        var answer = catalogue.attempt(catalogue.tool(provider, "get-sum"), Map.of("a", "one", "b", 2));

        assertThat(answer.expect(400).text("/errors/0/path")).isEqualTo("/arguments/a");
    }

    @Test
    void aRestartedServerGetsANewSession() {
        int echo = catalogue.tool(provider, "echo");
        assertThat(catalogue
                        .call(echo, Map.of("message", "one"))
                        .at("/succeeded")
                        .asBoolean())
                .isTrue();

        server.restart();

        JsonNode again = catalogue.call(echo, Map.of("message", "two"));
        assertThat(again.at("/text").asText()).as(again.toString()).isEqualTo("Echo: two");
    }

    @Test
    void aServerThatDiesDuringACallIsATransientFailure() throws InterruptedException, ExecutionException {
        int slow = catalogue.tool(provider, "trigger-long-running-operation");
        assertThat(catalogue
                        .call(catalogue.tool(provider, "echo"), Map.of("message", "one"))
                        .at("/succeeded")
                        .asBoolean())
                .isTrue();
        long before = server.requests(); // The session exists: the next request is the call itself.
        var call = CompletableFuture.supplyAsync(
                () -> catalogue.call(slow, Map.of("duration", 20, "steps", 40)),
                task -> Thread.ofVirtual().start(task));
        Tenant.eventually(server::requests, requests -> requests > before);

        server.restart();

        JsonNode outcome = call.get();
        assertThat(outcome.at("/succeeded").asBoolean()).isFalse();
        assertThat(outcome.at("/error/is_transient").asBoolean())
                .as(outcome.toString())
                .isTrue();
        assertThat(outcome.at("/duration_ms").asInt()).isLessThan(15_000);
    }

    @Test
    void toolsKeepTheirIdsOverRefreshes() {
        Map<String, JsonNode> before = catalogue.tools(provider);

        catalogue.refresh(provider);

        Map<String, JsonNode> after = catalogue.tools(provider);
        before.forEach(
                (name, tool) -> assertThat(after.get(name).at("/tool_id")).isEqualTo(tool.at("/tool_id")));
    }

    @Test
    void aServerThatIsDownKeepsItsToolsAndSaysWhy() {
        int echo = catalogue.tool(provider, "echo");
        server.kill();
        try {
            JsonNode refreshed = catalogue.refresh(provider);
            JsonNode outcome = catalogue.call(echo, Map.of("message", "hello"));

            assertThat(refreshed.at("/status").asText()).isEqualTo("FAILED");
            assertThat(refreshed.at("/error").asText()).contains("127.0.0.1");
            assertThat(catalogue.tools(provider)).containsKey("echo");
            assertThat(outcome.at("/error/is_transient").asBoolean())
                    .as(outcome.toString())
                    .isTrue();
        } finally {
            server.restart();
        }
    }
}
