package dev.parley.message.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.event.SseClient;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.message.NewMessage;
import dev.parley.node.NodeLease;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Messages stored by another node. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OvertakenTest {
    @Test
    void anotherNodesMessageWithAnOlderIdIsAnsweredFirst() throws Exception {
        Database database = Tenant.bean(Database.class);
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        ConversationId id = ConversationId.parse(conversation).orElseThrow();
        NewMessage older = NewMessage.userText(tenant.organization(), id, "older", null, "system");
        tenant.send(conversation, "first").expect(200);
        Tenant.eventually(() -> replies(tenant), all -> all.size() == 1);
        NodeLease node = otherNode(database);
        MessageStore store = OtherNodeStores.messages(database, node);
        assertThat(store.submit(new MessageSubmission(older, Optional.empty(), Optional.empty()))
                        .join())
                .isEqualTo(MessageStore.InsertReceipt.STORED_ELSEWHERE);
        tenant.send(conversation, "later").expect(200);
        List<String> all = Tenant.eventually(() -> replies(tenant), found -> found.size() == 3);
        node.close();
        store.close();
        assertThat(all.get(1)).contains("older");
    }

    @Test
    void messagesOfALostNodeArePublishedInOrder() {
        Database database = Tenant.bean(Database.class);
        Tenant tenant = Tenant.create();
        String callback = "http://127.0.0.1:9/nobody-listens";
        String conversation = tenant.post("/conversations", Map.of("config", Map.of("callback_url", callback)))
                .expect(201)
                .text("/id");
        // A node that holds the conversation and has not yet processed its messages.
        NodeLease node = otherNode(database);
        MessageStore store = OtherNodeStores.messages(database, node);
        for (String text : List.of("first", "second")) {
            var message = NewMessage.userText(
                    tenant.organization(), ConversationId.parse(conversation).orElseThrow(), text, null, "system");
            store.submit(new MessageSubmission(message, Optional.empty(), Optional.empty()))
                    .join();
        }
        try (SseClient stream = SseClient.open(
                "/developer/api/conversations/" + conversation + "/events",
                "Authorization",
                "Bearer " + tenant.key())) {
            tenant.send(conversation, "third").expect(200);
            database.change(handle -> handle.execute(
                    "UPDATE node SET lease_until = '-infinity' WHERE id = ?",
                    node.id().value()));
            List<SseClient.Received> events = stream.await(all -> all.stream()
                    .filter(one -> one.data().contains("\"third\""))
                    .findAny()
                    .isPresent());
            assertThat(events.stream()
                            .filter(one -> one.data().contains("USER_INPUT")
                                    && one.data().contains("message.created")))
                    .extracting(one -> StrictJson.readTrusted(one.data(), JsonNode.class)
                            .at("/data/content")
                            .asText())
                    .containsExactly("first", "second", "third");
        } finally {
            node.close();
            store.close();
        }
    }

    private static NodeLease otherNode(Database database) {
        var node = new NodeLease(database, Duration.ofMinutes(1));
        node.fenced(node.id());
        return node;
    }

    private static List<String> replies(Tenant tenant) {
        return Tenant.bean(Database.class).with(handle -> handle.select(
                        "SELECT content FROM message WHERE organization_id = ? AND type = 'AGENT_RESPONSE' ORDER BY id",
                        tenant.organization().value())
                .mapTo(String.class)
                .list());
    }
}
