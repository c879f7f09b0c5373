package dev.parley.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.id.OrganizationId;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.tool.builtin.HttpRequestTool;
import dev.parley.tool.catalog.BuiltInToolId;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolFailure;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No tool reaches a non-public address, however it is spelled. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ToolEgressTest {
    @Inject
    TestOrganizations organizations;

    private ToolCatalogClient catalogue;

    @BeforeEach
    void makeOrganization() {
        catalogue = new ToolCatalogClient(organizations);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/", // private
                "http://192.168.1.1/",
                "http://172.16.0.1:8080/",
                "http://169.254.169.254/latest/meta-data", // the clouds' metadata
                "http://100.64.0.1/", // carrier-grade NAT
                "http://224.0.0.1/", // multicast
                "http://0.0.0.0/",
                "http://167772161/", // 10.0.0.1 as one number
                "http://0x0a000001/",
                "http://0x0a.0.0.1/",
                "http://012.0.0.1/", // octal
                "http://10.1/",
                "http://[::ffff:10.0.0.1]/", // mapped
                "http://[::ffff:a00:1]/",
                "http://[64:ff9b::a00:1]/", // NAT64
                "http://[2002:a00:1::]/", // 6to4
                "http://[2001:0:a00:1::]/", // Teredo
                "http://[fd00::1]/",
                "http://[fe80::1]/",
                "http://user@10.0.0.1/",
                "file:///etc/passwd",
                "gopher://10.0.0.1/",
                "//10.0.0.1/",
                "http://10.0.0.1\\@example.com/",
            })
    void forbiddenAddressesAreRefused(String url) {
        JsonNode call = catalogue.call(BuiltInToolId.HTTP_REQUEST.id(), Map.of("url", url));

        assertThat(call.at("/error/error").asText()).as(call.toString()).isIn("Address refused", "Invalid request");
        assertThat(call.at("/error/is_transient").asBoolean()).isFalse();
        assertThat(catalogue.tryAdd("mcp", Map.of("url", url)).expect(400).text("/errors/0/path"))
                .isEqualTo("/url");
        assertThat(catalogue.tryAdd("openapi", Map.of("url", url)).expect(400).text("/errors/0/path"))
                .isEqualTo("/url");
        assertThat(catalogue
                        .tryAdd("openapi", Map.of("document", description("/"), "server_url", url))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/server_url");
    }

    @Test
    void aDescriptionCannotNameAPrivateServer() {
        catalogue
                .tryAdd("openapi", Map.of("document", description("http://169.254.169.254/")))
                .expect(400);
    }

    @Test
    void aRedirectToAPrivateAddressIsNotFollowed() throws Exception {
        try (var server = new ScriptedServer(
                ScriptedServer.answering(302, "text/plain", "", "Location: http://169.254.169.254/"))) {
            JsonNode call = catalogue.call(BuiltInToolId.HTTP_REQUEST.id(), Map.of("url", server.url("/")));

            assertThat(call.at("/error/detail").asText()).contains("redirects are not followed");
        }
    }

    /** The name is public when the provider is added, and the local machine when its tool is called. */
    @Test
    void aNameThatIsRebound() throws Exception {
        try (var server = new ScriptedServer(ScriptedServer.answering(200, "text/plain", "inside"))) {
            var asked = new AtomicInteger();
            var rules = new EgressRules(
                    EgressAllow.none(),
                    _ -> List.of(InetAddress.ofLiteral(asked.getAndIncrement() == 0 ? "93.184.216.34" : "127.0.0.1")));
            String url = "http://rebound.example:" + server.port() + "/";
            assertThat(rules.checkResolving(url)).isEmpty();
            try (var egress = new EgressClient(rules)) {
                var call = new ToolCall(Map.of("url", url), "key", Deadline.in(Duration.ofSeconds(10)));

                Assertions.assertThatThrownBy(
                                () -> new HttpRequestTool(egress, Clock.systemUTC()).call(OrganizationId.next(), call))
                        .isInstanceOfSatisfying(ToolFailure.class, failed -> assertThat(failed.title())
                                .isEqualTo("Address refused"));
            }
            assertThat(server.received()).isEmpty();
        }
    }

    /** A name with one public and one private address is refused completely. */
    @Test
    void aNameOfWhichOneAddressIsPrivate() throws Exception {
        var rules = new EgressRules(
                EgressAllow.none(),
                _ -> List.of(InetAddress.ofLiteral("93.184.216.34"), InetAddress.ofLiteral("10.0.0.1")));

        assertThat(rules.checkResolving("http://both.example/")).isPresent();
    }

    private static String description(String server) {
        return """
                {"openapi": "3.1.0", "servers": [{"url": "%s"}], "paths": {"/x": {"get": {"operationId": "x"}}}}""".formatted(server);
    }
}
