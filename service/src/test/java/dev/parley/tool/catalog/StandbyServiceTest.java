package dev.parley.tool.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.egress.ScriptedServer;
import dev.parley.http.json.StrictJson;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.ToolCredentials;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service on standby contacts no foreign server and writes no file, whatever is read. */
@QuarkusTest
@QuarkusTestResource(value = StandbyServiceResource.class, restrictToAnnotatedClass = true)
class StandbyServiceTest {
    private static final String REFUSAL =
            "This service is on standby: it serves reads only, and runs and sends nothing.";

    @Inject
    TestOrganizations organizations;

    @Inject
    ToolProviders providers;

    private ScriptedServer foreign;
    private Tenant tenant;

    @BeforeEach
    void start() throws IOException {
        foreign = new ScriptedServer(ScriptedServer.answering(200, "application/json", "{}"));
        tenant = organizations.create();
    }

    @AfterEach
    void stop() throws IOException {
        assertThat(foreign.connections()).isZero();
        assertThat(StandbyServiceResource.FILES).doesNotExist();
        foreign.close();
    }

    private int provider(ProviderKind kind) {
        var access = new ProviderAccess(
                tenant.id(),
                0,
                0,
                kind,
                kind.text(),
                foreign.url("/"),
                null,
                null,
                null,
                ToolCredentials.NONE,
                true,
                null);
        return providers.store(access, "", ToolProviderStore.RefreshResult.NONE, "system");
    }

    @Test
    void readsAreServedAndContactNobody() throws IOException {
        int openApi = provider(ProviderKind.OPENAPI);
        int mcp = provider(ProviderKind.MCP);
        String operations = tenant.path() + "/tool-providers/" + openApi + "/operations";
        Api.Answer refused = get(operations).expect(503);
        assertThat(refused.text("/detail")).isEqualTo(REFUSAL);
        assertThat(refused.header("Retry-After")).isEqualTo("60");
        get("/health/ready").expect(200);
        get(tenant.path() + "/tool-providers/" + openApi).expect(200);
        for (Map.Entry<String, JsonNode> path : paths()) {
            JsonNode get = path.getValue().path("get");
            if (get.isMissingNode() || get.toString().contains("text/event-stream")) {
                continue;
            }
            for (int provider : List.of(openApi, mcp)) {
                String resolved = resolved(path.getKey(), provider);
                int status = get(resolved).status();
                assertThat(status < 500 || resolved.equals(operations))
                        .as("%s: %s", resolved, status)
                        .isTrue();
            }
        }
    }

    /** Adding and testing providers, webhooks, models and data lakes are among them. */
    @Test
    void changesAreRefusedAndContactNobody() throws IOException {
        int openApi = provider(ProviderKind.OPENAPI);
        for (Map.Entry<String, JsonNode> path : paths()) {
            for (String method : List.of("post", "put", "patch", "delete")) {
                if (path.getValue().has(method) && !path.getKey().matches("/dashboard/api/log(in|out)")) {
                    Api.Answer refused = tenant.owner()
                            .browser()
                            .method(method.toUpperCase(Locale.ROOT), resolved(path.getKey(), openApi))
                            .json(Map.of("kind", "openapi", "name", "new", "url", foreign.url("/")))
                            .send()
                            .expect(503);
                    assertThat(refused.text("/detail")).as(path.getKey()).isEqualTo(REFUSAL);
                }
            }
        }
    }

    private static Set<Map.Entry<String, JsonNode>> paths() throws IOException {
        return StrictJson.mapper()
                .readTree(Files.readString(Path.of("../docs/openapi.json")))
                .path("paths")
                .properties();
    }

    private String resolved(String path, int provider) {
        return path.replace("{orgId}", tenant.id().text())
                .replace("{providerId}", String.valueOf(provider))
                .replaceAll("\\{[^}]+}", "1");
    }

    private Api.Answer get(String path) {
        return tenant.owner().browser().get(path).send();
    }
}
