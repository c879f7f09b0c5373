package dev.parley.tool.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.id.OrganizationId;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.DiscoveredTool;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolFailure;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** DNS rebinding: the name is public when the description is read, and the local machine when its API is called. */
class ReboundApiTest {
    private final AtomicReference<String> address = new AtomicReference<>("93.184.216.34");
    private final EgressRules rules =
            new EgressRules(EgressAllow.none(), _ -> List.of(InetAddress.ofLiteral(address.get())));

    @Test
    void anApiWhoseNameIsReboundIsNotCalled() throws Exception {
        try (var server = new ScriptedServer(ScriptedServer.answering(200, "text/plain", "inside"));
                var egress = new EgressClient(rules)) {
            String url = "http://rebound.example:" + server.port();
            ProviderAccess provider = provider(null, """
                    {"openapi": "3.1.0", "servers": [{"url": "%s"}],
                     "paths": {"/x": {"get": {"operationId": "x"}}}}""".formatted(url));
            var source = new OpenApiSource(egress, Clock.systemUTC());
            Deadline deadline = Deadline.in(Duration.ofSeconds(10));
            DiscoveredTool found = source.discover(provider, deadline).tools().getFirst();

            address.set("127.0.0.1");

            assertThatThrownBy(() -> source.call(
                            provider, found.name(), found.binding(), new ToolCall(Map.of(), "key", deadline)))
                    .isInstanceOfSatisfying(ToolFailure.class, failed -> assertThat(failed.title())
                            .isEqualTo("Address refused"));
            assertThat(server.received()).isEmpty();
        }
    }

    @Test
    void aDescriptionWhoseNameIsReboundIsNotRead() throws Exception {
        try (var server = new ScriptedServer(ScriptedServer.answering(200, "application/json", "{}"));
                var egress = new EgressClient(rules)) {
            String url = "http://rebound.example:" + server.port() + "/openapi.json";
            assertThat(rules.checkResolving(url)).isEmpty();

            address.set("127.0.0.1");

            assertThatThrownBy(() -> new OpenApiSource(egress, Clock.systemUTC())
                            .discover(provider(url, null), Deadline.in(Duration.ofSeconds(10))))
                    .isInstanceOfSatisfying(ToolFailure.class, failed -> assertThat(failed.title())
                            .isEqualTo("Address refused"));
            assertThat(server.received()).isEmpty();
        }
    }

    private static ProviderAccess provider(@Nullable String url, @Nullable String document) {
        return new ProviderAccess(
                OrganizationId.next(),
                1_000,
                1,
                ProviderKind.OPENAPI,
                "rebound",
                url,
                null,
                null,
                document,
                ToolCredentials.NONE,
                true,
                null);
    }
}
