package dev.parley.llm.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressRequest.Header;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.ChatRequest;
import dev.parley.llm.ChatTurn;
import dev.parley.llm.protocol.ModelEndpoint;
import dev.parley.llm.protocol.ModelEndpoint.EndpointKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ChatModelsTest {
    private static final ChatRequest REQUEST = ChatRequest.text(
                    "", List.of(ChatTurn.user("hi")), Duration.ofSeconds(20))
            .once();

    private static ModelEndpoint endpoint(EndpointKind kind, String baseUrl) {
        return new ModelEndpoint(
                kind, baseUrl, "key-1", "m", List.of(new Header("X-Title", "Parley")), "", Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheOperatorsEndpointMayBePrivate(EndpointKind kind) throws Exception {
        String body = "{\"choices\": [{\"message\": {\"content\": \"x\"}, \"finish_reason\": \"stop\"}],"
                + " \"content\": [{\"type\": \"text\", \"text\": \"x\"}], \"stop_reason\": \"end_turn\"}";
        try (var server = new ScriptedServer(ScriptedServer.answering(200, "application/json", body));
                var models = new ChatModels(new EgressRules(EgressAllow.none()))) {
            ChatModel refused = models.of(endpoint(kind, server.url("/v1")));
            assertThatThrownBy(() -> refused.reply(REQUEST))
                    .isInstanceOfSatisfying(ChatModelException.class, fault -> assertThat(fault.isTransient())
                            .isFalse())
                    .hasMessage("The chat model could not be reached.");
            assertThat(server.connections()).isZero();
            assertThat(models.ofOperator(endpoint(kind, server.url("/v1")))
                            .reply(REQUEST)
                            .text())
                    .isEqualTo("x");
            assertThat(server.received().getFirst().header("X-Title")).isEqualTo("Parley");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Title | Parley | ",
                "anthropic-beta | a,b | ",
                "OpenAI-Organization | org-1 | ",
                "Authorization | Bearer x | set by Parley",
                "X-Api-Key | x | set by Parley",
                "api-key | x | set by Parley",
                "Content-Type | text/plain | set by Parley",
                "Host | example.com | belongs to the connection",
                "Connection | close | belongs to the connection",
                "transfer-encoding | chunked | belongs to the connection",
                "Proxy-Authorization | x | belongs to the connection",
                "X Y | x | invalid",
                "X-A | Grüße | ",
                "X-A | 你好 | line breaks",
            })
    void headersThatParleyOrTheConnectionSetsAreRefused(String name, String value, String reason) {
        if (reason == null) {
            assertThat(ModelEndpoint.headerFault(name, value)).isEmpty();
        } else {
            assertThat(ModelEndpoint.headerFault(name, value).orElseThrow())
                    .contains(reason)
                    .endsWith(".");
        }
        assertThat(ModelEndpoint.headerFault("X-A", "a\r\nHost: b")).isPresent();
    }

    @Test
    void neitherTheCredentialNorHeadersAreShown() {
        assertThat(endpoint(EndpointKind.OPENAI, "https://llm.example/v1").toString())
                .contains("https://llm.example/v1")
                .doesNotContain("key-1", "Parley");
    }
}
