package dev.parley.message.chat;

import static dev.parley.Tenant.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.MessageId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
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
        assertThat(answered.findValuesAsText("code")).contains("reply_stopped");
        eventually(() -> messages(tenant, conversation).at("/2/status").asText(), status -> status.equals("DELIVERED"));
    }

    @Test
    void aStopConcernsTheMessageInProgressAndNoneBeforeIt() {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        for (int wait : List.of(1_000, 200, 600_000)) {
            tenant.send(conversation, "offline:wait " + wait).expect(200);
        }
        eventually(() -> status(tenant, conversation, "offline:wait 600000"), status -> status.equals("PROCESSING"));

        stop(tenant, tenant, conversation).expect(204);

        eventually(() -> status(tenant, conversation, "offline:wait 600000"), status -> status.equals("FAILED"));
        for (int wait : List.of(1_000, 200)) {
            assertThat(status(tenant, conversation, "offline:wait " + wait)).isEqualTo("DELIVERED");
        }
    }

    private static String status(Tenant tenant, String conversation, String content) {
        return messages(tenant, conversation)
                .valueStream()
                .filter(message -> message.at("/content").asText().equals(content))
                .findFirst()
                .orElseThrow()
                .at("/status")
                .asText();
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
        MessageId message = MessageId.next();

        assertThatThrownBy(() -> stopper.call(message, () -> {
                    stopper.onNotification(message.text());
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");

        assertThat(Thread.interrupted()).isFalse();
        stopper.onNotification(message.text());
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
