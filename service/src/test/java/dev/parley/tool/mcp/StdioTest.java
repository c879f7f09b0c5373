package dev.parley.tool.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRules;
import dev.parley.id.OrganizationId;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.tool.EverythingServer;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolFailure;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** MCP servers as programs: only those that the operator allows, without the service's environment. */
class StdioTest {
    private static final String COMMANDS = "everything=" + EverythingServer.command() + "; dying=/bin/false";

    private final EgressClient egress = new EgressClient(new EgressRules(EgressAllow.none()));
    private final McpSessions sessions = new McpSessions(
            egress,
            Clock.systemUTC(),
            Settings.of(Map.of(Setting.PARLEY_MCP_STDIO_COMMANDS, COMMANDS)).mcp());
    private final McpSource source = new McpSource(sessions);

    @AfterEach
    void endPrograms() {
        sessions.close();
        egress.close();
    }

    private static ProviderAccess provider(String command) {
        return new ProviderAccess(
                OrganizationId.next(),
                1000,
                1,
                ProviderKind.MCP,
                "program",
                null,
                command,
                null,
                null,
                ToolCredentials.NONE,
                true,
                null);
    }

    private static Deadline soon() {
        return Deadline.in(Duration.ofSeconds(20));
    }

    @Test
    void aListedProgramIsCalledWithAnEmptyEnvironment() throws Exception {
        ProviderAccess provider = provider("everything");

        assertThat(source.discover(provider, soon()).tools()).extracting("name").contains("echo", "get-env");
        assertThat(source.call(provider, "echo", "{}", new ToolCall(Map.of("message", "hi"), "key", soon()))
                        .text())
                .isEqualTo("Echo: hi");
        assertThat(source.call(provider, "get-env", "{}", new ToolCall(Map.of(), "key", soon()))
                        .text())
                .doesNotContain("PATH", "HOME");
    }

    @Test
    void aProgramThatIsNotListedIsNotRun() {
        assertThatThrownBy(() -> source.discover(provider("/bin/sh"), soon()))
                .isInstanceOfSatisfying(
                        ToolFailure.class, failed -> assertThat(failed.title()).isEqualTo("Not available"));
    }

    @Test
    void aProgramThatEndsIsNoticedAtOnce() {
        long startedAt = System.nanoTime();

        assertThatThrownBy(() -> source.discover(provider("dying"), soon())).isInstanceOf(ToolFailure.class);
        assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).isLessThan(Duration.ofSeconds(10));
    }
}
