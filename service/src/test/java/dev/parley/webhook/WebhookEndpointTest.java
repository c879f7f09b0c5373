package dev.parley.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.webhook.ScriptedReceiver.Hook;
import dev.parley.webhook.secret.SigningSecret;
import dev.parley.webhook.secret.WebhookSecrets;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints and secrets in the dashboard's API. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class WebhookEndpointTest extends AbstractWebhookTest {
    @Inject
    WebhookSecrets secrets;

    @Inject
    Database database;

    @Test
    void anEndpointThatAnotherPersonChangedIsNotOverwritten() {
        String path;
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            path = tenant.path() + "/webhook-endpoints/" + endpoint(hooks.url("/"), "message.created");
        }
        String tag = owner.get(path).send().header("ETag");
        Api admin = tenant.admin().browser();
        String next = admin.patch(path)
                .header("If-Match", tag)
                .json(Map.of("description", "Billing"))
                .send()
                .expect(200)
                .header("ETag");
        Api.Answer refused = owner.patch(path)
                .header("If-Match", tag)
                .json(Map.of("enabled", false))
                .send()
                .expect(412);
        assertThat(refused.text("/changed_by"))
                .isEqualTo("user:" + tenant.admin().id().text());
        owner.delete(path).header("If-Match", tag).send().expect(412);
        owner.delete(path).header("If-Match", next).send().expect(204);
    }

    @Test
    void anEndpointGetsItsEventTypesFromAllConversations() {
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            endpoint(hooks.url("/created"), "message.created");
            endpoint(hooks.url("/tickets"), "ticket.created", "ticket.updated");
            String first = conversation();
            String second = conversation();
            send(first, "One");
            send(second, "Two");
            List<Hook> seen = await(hooks, "/created", 4);
            assertThat(seen).allMatch(hook -> hook.type().equals("message.created") && verifies(secret(), hook));
            assertThat(seen.stream()
                            .map(hook -> hook.json().at("/data/conversation_id").asText())
                            .distinct())
                    .containsExactlyInAnyOrder(first, second);
            assertThat(hooks.at("/tickets")).isEmpty();
        }
    }

    @Test
    void changesOfAnEndpointHoldAtOnce() {
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            String id = endpoint(hooks.url("/old"), "message.created");
            String path = tenant.path() + "/webhook-endpoints/" + id;
            String conversation = conversation();
            send(conversation, "One");
            await(hooks, "/old", 2);
            owner.patch(path).json(Map.of("url", hooks.url("/new"))).send().expect(200);
            send(conversation, "Two");
            await(hooks, "/new", 2);
            owner.patch(path).json(Map.of("enabled", false)).send().expect(200);
            send(conversation, "Three");
            dev.parley.Tenant.eventually(
                    () -> new Api()
                            .get("/developer/api/conversations/" + conversation + "/messages")
                            .key(key)
                            .send()
                            .json(),
                    page -> page.findValuesAsText("content").stream().anyMatch(text -> text.contains("\"Three\"")));
            owner.patch(path).json(Map.of("enabled", true)).send().expect(200);
            send(conversation, "Four");
            List<Hook> seen = dev.parley.Tenant.eventually(() -> hooks.at("/new"), all -> all.stream()
                    .anyMatch(hook -> hook.body().contains("\"Four\"")));
            assertThat(seen).noneMatch(hook -> hook.body().contains("\"Three\""));
            owner.delete(path).send().expect(204);
            owner.get(path).send().expect(404);
            owner.delete(path).send().expect(404);
            assertThat(owner.get(tenant.path() + "/webhook-endpoints")
                            .send()
                            .json()
                            .at("/items"))
                    .isEmpty();
        }
    }

    @Test
    void a410DisablesTheEndpointWithAReason() {
        try (ScriptedReceiver hooks = new ScriptedReceiver((_, out) -> ScriptedReceiver.status(out, 410))) {
            String id = endpoint(hooks.url("/gone"), "message.created");
            send(conversation(), "Hello");
            String path = tenant.path() + "/webhook-endpoints/" + id;
            JsonNode disabled =
                    dev.parley.Tenant.eventually(() -> owner.get(path).send().json(), one -> !one.at("/enabled")
                            .asBoolean());
            assertThat(disabled.at("/disabled_reason").asText()).contains("410");
            dev.parley.Tenant.eventually(
                    () -> list("?state=PENDING"), page -> page.at("/items").isEmpty());
            assertThat(owner.patch(path)
                            .json(Map.of("enabled", true))
                            .send()
                            .json()
                            .at("/disabled_reason")
                            .isNull())
                    .isTrue();
        }
    }

    @Test
    void bothSecretsSignAfterARotationAndOnlyTheNewOneADayLater() {
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            endpoint(hooks.url("/rotated"), "message.created");
            String before = secret();
            JsonNode rotated = owner.post(tenant.path() + "/webhook-secret/rotate")
                    .send()
                    .expect(200)
                    .json();
            String after = rotated.at("/secret").asText();
            assertThat(after).isNotEqualTo(before);
            assertThat(rotated.at("/previous_expires_at").isNull()).isFalse();
            send(conversation(), "Hello");
            Hook hook = await(hooks, "/rotated", 2).getFirst();
            assertThat(verifies(before, hook)).isTrue();
            assertThat(verifies(after, hook)).isTrue();
            clock.advance(Duration.ofHours(25));
            send(conversation(), "Hello");
            List<Hook> later = await(hooks, "/rotated", 3);
            assertThat(later.getLast().signature()).doesNotContain(" ");
            assertThat(secrets.current(tenant.id()).previousExpiresAt()).isNull(); // The session has ended.
        }
    }

    @Test
    void anEndpointMayHaveASecretOfItsOwn() {
        try (ScriptedReceiver hooks = ScriptedReceiver.willing()) {
            String own = SigningSecret.generate().text();
            Api.Answer made = create(
                            Map.of("url", hooks.url("/own"), "event_types", List.of("message.created"), "secret", own))
                    .expect(201);
            assertThat(made.body()).doesNotContain(own);
            assertThat(made.json().at("/own_secret").asBoolean()).isTrue();
            send(conversation(), "Hello");
            // The message and its reply, both sent before the secret changes.
            Hook hook = await(hooks, "/own", 2).getFirst();
            assertThat(verifies(own, hook)).isTrue();
            assertThat(verifies(secret(), hook)).isFalse();
            String next = SigningSecret.generate().text();
            String path = tenant.path() + "/webhook-endpoints/" + made.text("/id");
            owner.patch(path).json(Map.of("secret", next)).send().expect(200);
            send(conversation(), "Hello");
            Hook changed = await(hooks, "/own", 4).getLast();
            assertThat(verifies(own, changed)).isTrue();
            assertThat(verifies(next, changed)).isTrue();
            owner.patch(path)
                    .json(Map.of("use_organization_secret", true))
                    .send()
                    .expect(200);
            send(conversation(), "Hello");
            assertThat(verifies(secret(), await(hooks, "/own", 6).getLast())).isTrue();
        }
    }

    @Test
    void secretsAreEncryptedAndHiddenFromMembers() {
        String secret = secret();
        byte[] stored = database.with(handle -> handle.select(
                        "SELECT secret FROM webhook_secret WHERE organization_id = ?",
                        tenant.id().value())
                .mapTo(byte[].class)
                .one());
        assertThat(stored).hasSizeGreaterThan(32);
        byte[] plain = SigningSecret.parse(secret).orElseThrow().key();
        assertThat(new String(stored, java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain(new String(plain, java.nio.charset.StandardCharsets.ISO_8859_1));
        Api member = tenant.member().browser();
        member.get(tenant.path() + "/webhook-secret").send().expect(403);
        member.post(tenant.path() + "/webhook-secret/rotate").send().expect(403);
        member.post(tenant.path() + "/webhook-endpoints").json(Map.of()).send().expect(403);
        member.get(tenant.path() + "/webhook-endpoints").send().expect(200);
        member.get(tenant.path() + "/webhook-deliveries").send().expect(200);
        String id = endpoint("https://example.com/x", "message.created");
        member.patch(tenant.path() + "/webhook-endpoints/" + id)
                .json(Map.of())
                .send()
                .expect(403);
        member.delete(tenant.path() + "/webhook-endpoints/" + id).send().expect(403);
        Tenant other = organizations.create();
        Api stranger = other.owner().browser();
        for (String path : List.of("/webhook-endpoints", "/webhook-endpoints/" + id, "/webhook-secret")) {
            stranger.get(tenant.path() + path).send().expect(404);
        }
        stranger.get(other.path() + "/webhook-endpoints/" + id).send().expect(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/x", "http://169.254.169.254/latest", "http://[fd00::1]/", "ftp://example.com/",
                "https://user:pw@example.com/", "not a url", "http://192.168.1.1:8080/", "//example.com"
            })
    void aPrivateOrMalformedUrlIsRefused(String url) {
        Api.Answer response = create(Map.of("url", url, "event_types", List.of("message.created")))
                .expect(400);
        assertThat(response.text("/errors/0/path")).isEqualTo("/url");
    }

    @Test
    void badFieldsAreNamed() {
        assertThat(create(Map.of()).expect(400).json().at("/errors").findValuesAsText("path"))
                .contains("/url", "/event_types");
        assertThat(create(Map.of("url", "https://example.com", "event_types", List.of("message.created", "x")))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/event_types/1");
        assertThat(create(Map.of(
                                "url", "https://example.com", "event_types", List.of("message.created"), "secret", "s"))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/secret");
        for (String query : List.of("?state=x", "?type=x", "?conversation=x", "?endpoint=x", "?limit=0", "?after=x")) {
            owner.get(tenant.path() + "/webhook-deliveries" + query).send().expect(400);
        }
        owner.get(tenant.path() + "/webhook-deliveries/x").send().expect(404);
        owner.post(tenant.path() + "/webhook-deliveries/x/replay").send().expect(404);
    }

    @Test
    void aRepeatedCreationMakesOneEndpoint() {
        Map<String, Object> body = Map.of("url", "https://example.com", "event_types", List.of("message.created"));
        Api.Request[] requests = new Api.Request[2];
        for (int i = 0; i < 2; i++) {
            requests[i] = owner.post(tenant.path() + "/webhook-endpoints")
                    .header("Idempotency-Key", "once")
                    .json(body);
        }
        String first = requests[0].send().expect(201).text("/id");
        assertThat(requests[1].send().expect(201).text("/id")).isEqualTo(first);
    }
}
