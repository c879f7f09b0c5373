package dev.parley.tool.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.id.OrganizationId;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolFailure;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** DNS rebinding: the name is public when the server is added, and the local machine later. */
class ReboundMcpTest {
    @Test
    void aServerWhoseNameIsReboundIsNotCalled() throws Exception {
        try (var server = new ScriptedServer(ScriptedServer.answering(200, "application/json", "{}"))) {
            var address = new AtomicReference<>("93.184.216.34");
            var rules = new EgressRules(EgressAllow.none(), _ -> List.of(InetAddress.ofLiteral(address.get())));
            String url = "http://rebound.example:" + server.port() + "/mcp";
            assertThat(rules.checkResolving(url)).isEmpty();
            address.set("127.0.0.1");
            var provider = new ProviderAccess(
                    OrganizationId.next(),
                    1_000,
                    1,
                    ProviderKind.MCP,
                    "rebound",
                    url,
                    null,
                    null,
                    null,
                    ToolCredentials.NONE,
                    true,
                    null);

            try (var egress = new EgressClient(rules)) {
                var source = new McpSource(new McpSessions(
                        egress,
                        Clock.systemUTC(),
                        Settings.of(new EnumMap<Setting, String>(Setting.class)).mcp()));
                Deadline deadline = Deadline.in(Duration.ofSeconds(10));
                assertThatThrownBy(() -> source.discover(provider, deadline))
                        .isInstanceOfSatisfying(ToolFailure.class, failed -> assertThat(failed.title())
                                .isEqualTo("Address refused"));
                assertThatThrownBy(() -> source.call(provider, "echo", "", new ToolCall(Map.of(), "key", deadline)))
                        .isInstanceOfSatisfying(ToolFailure.class, failed -> assertThat(failed.title())
                                .isEqualTo("Address refused"));
            }
            assertThat(server.received()).isEmpty();
        }
    }
}
