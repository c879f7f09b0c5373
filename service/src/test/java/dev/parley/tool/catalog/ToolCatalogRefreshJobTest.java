package dev.parley.tool.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.egress.ScriptedServer;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.tool.ToolCatalogClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Changes of providers are discovered automatically. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ToolCatalogRefreshJobTest {
    @Inject
    TestOrganizations organizations;

    @Inject
    ToolCatalogRefreshJob daily;

    @Inject
    Database database;

    @Test
    void refreshesDailyAndHourlyAfterAFailure() throws Exception {
        var description = new AtomicReference<>(description("one"));
        try (var server = new ScriptedServer((_, out) -> ScriptedServer.write(
                out, description.get().isEmpty() ? 503 : 200, "application/json", description.get()))) {
            var catalogue = new ToolCatalogClient(organizations);
            JsonNode provider = catalogue.add("openapi", Map.of("url", server.url("/openapi.json")));
            int one = catalogue.tool(provider, "one");
            description.set(description("one", "two"));

            age(provider, ToolCatalogRefreshJob.READY.minusHours(1));
            daily.refreshDue();
            assertThat(catalogue.tools(provider)).doesNotContainKey("two");
            age(provider, Duration.ofHours(2));
            daily.refreshDue();
            assertThat(catalogue.tools(provider)).containsKeys("one", "two");
            assertThat(catalogue.tool(provider, "one")).isEqualTo(one);

            description.set("");
            assertThat(catalogue.refresh(provider).at("/status").asText()).isEqualTo("FAILED");
            description.set(description("one", "three"));
            daily.refreshDue();
            assertThat(catalogue.tools(provider)).doesNotContainKey("three");
            age(provider, ToolCatalogRefreshJob.FAILED.plusMinutes(1));
            daily.refreshDue();
            assertThat(catalogue.tools(provider)).containsKey("three");
        }
    }

    /** Moves the last refresh into the past. */
    private void age(JsonNode provider, Duration time) {
        database.change(handle -> handle.execute(
                "UPDATE tool_provider SET refreshed_at = refreshed_at - make_interval(secs => ?) WHERE url = ?",
                (double) time.toSeconds(),
                provider.at("/url").asText()));
    }

    private static String description(String... operations) {
        var paths = new StringBuilder();
        for (String operation : operations) {
            paths.append(paths.isEmpty() ? "" : ",")
                    .append("\"/%1$s\": {\"get\": {\"operationId\": \"%1$s\"}}".formatted(operation));
        }
        return """
                {"openapi": "3.1.0", "servers": [{"url": "/"}], "paths": {%s}}""".formatted(paths);
    }
}
