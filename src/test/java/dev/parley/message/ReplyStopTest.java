package dev.parley.message;

import static dev.parley.Tenant.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.ConversationId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ReplyStopTest {
    @Test
    void aStoppedReplyEndsTheMessageAndTheNextOneIsAnswered() {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        tenant.send(conversation, "offline:wait 600000").expect(200);
        tenant.send(conversation, "Hello").expect(200);
        eventually(
                () -> messages(tenant, conversation).at("/1/status").asText(), status -> status.equals("PROCESSING"));

        stop(tenant, tenant, conversation).expect(204);

        JsonNode answered = eventually(() -> messages(tenant, conversation), list -> list.size() == 4);
        assertThat(answered.at("/3/status").asText()).isEqualTo("FAILED");
        assertThat(answered.findValuesAsText("content")).contains("The reply was stopped.");
        eventually(() -> messages(tenant, conversation).at("/2/status").asText(), status -> status.equals("DELIVERED"));
    }

    @Test
    void withoutAReplyNothingHappensAndStrangersCannotStopOne() {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();

        stop(tenant, tenant, conversation).expect(204);
        stop(Tenant.create(), tenant, conversation).expect(404);

        assertThat(messages(tenant, conversation)).isEmpty();
    }

    @Test
    void aStopDuringAFailureLeavesTheThreadUninterrupted() {
        var stopper = Tenant.bean(ReplyStopper.class);
        ConversationId conversation = ConversationId.next();

        assertThatThrownBy(() -> stopper.call(conversation, () -> {
                    stopper.onNotification(conversation.text());
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");

        assertThat(Thread.interrupted()).isFalse();
        stopper.onNotification(conversation.text());
        assertThat(Thread.interrupted()).isFalse();
    }

    private static Api.Answer stop(Tenant by, Tenant of, String conversation) {
        return by.browser()
                .post("/dashboard/api/organizations/" + of.organization() + "/conversations/" + conversation + "/stop")
                .json(Map.of())
                .send();
    }

    private static JsonNode messages(Tenant tenant, String conversation) {
        return tenant.get("/conversations/" + conversation + "/messages")
                .expect(200)
                .json();
    }
}
