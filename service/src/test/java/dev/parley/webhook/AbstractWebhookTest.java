package dev.parley.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.standardwebhooks.Webhook;
import dev.parley.Api;
import dev.parley.TestClock;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.webhook.ScriptedReceiver.Hook;
import jakarta.inject.Inject;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An organization with webhooks: its endpoints, its receivers, and its deliveries. */
abstract class AbstractWebhookTest {
    @Inject
    TestOrganizations organizations;

    @Inject
    TestClock clock;

    Tenant tenant;
    Api owner;
    String key;

    @BeforeEach
    void organization() {
        tenant = organizations.create();
        owner = tenant.owner().browser();
        key = organizations.key(tenant.id());
    }

    @AfterEach
    void resetClock() {
        clock.reset();
    }

    Api.Answer create(Map<String, Object> endpoint) {
        return owner.post(tenant.path() + "/webhook-endpoints").json(endpoint).send();
    }

    String endpoint(String url, String... types) {
        return create(Map.of("url", url, "event_types", List.of(types)))
                .expect(201)
                .text("/id");
    }

    String conversation() {
        return new Api()
                .post("/developer/api/conversations")
                .key(key)
                .json(Map.of())
                .send()
                .expect(201)
                .text("/id");
    }

    void send(String conversation, String text) {
        new Api()
                .post("/developer/api/messages")
                .key(key)
                .json(Map.of("conversation_id", conversation, "content_type", "text", "content", text))
                .send()
                .expect(200);
    }

    JsonNode list(String query) {
        return owner.get(tenant.path() + "/webhook-deliveries" + query)
                .send()
                .expect(200)
                .json();
    }

    static List<Hook> await(ScriptedReceiver hooks, String path, int count) {
        return dev.parley.Tenant.eventually(() -> hooks.at(path), seen -> seen.size() >= count);
    }

    static boolean verifies(String secret, Hook hook) {
        var headers = HttpHeaders.of(
                Map.of(
                        "webhook-id", List.of(hook.id()),
                        "webhook-timestamp", List.of(hook.timestamp()),
                        "webhook-signature", List.of(hook.signature())),
                (_, _) -> true);
        try {
            new Webhook(secret).verify(hook.body(), headers);
            return true;
        } catch (Exception _) {
            return false;
        }
    }

    String secret() {
        return owner.get(tenant.path() + "/webhook-secret").send().expect(200).text("/secret");
    }
}
