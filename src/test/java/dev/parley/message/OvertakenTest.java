package dev.parley.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.db.Precedence;
import dev.parley.event.EventLog;
import dev.parley.event.Interest;
import dev.parley.id.ConversationId;
import dev.parley.node.NodeLease;
import dev.parley.usage.UsageCounters;
import dev.parley.usage.UsageStore;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Messages that another node stored. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OvertakenTest {
    @Test
    void whatAnotherNodeStoredUnderAnOlderIdIsAnsweredBeforeWhatComesAfterIt() throws Exception {
        Database database = Tenant.bean(Database.class);
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        var id = new ConversationId(
                UUID.fromString(conversation.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5")));
        NewMessage older = NewMessage.userText(tenant.organization(), id, "older", null, "system");
        tenant.send(conversation, "first").expect(200);
        Tenant.eventually(() -> replies(tenant), all -> all.size() == 1);
        var node = new NodeLease(database, Duration.ofMinutes(1), List.of());
        node.fenced(node.id());
        var interest = new Interest(database, (_, _) -> Optional.empty(), Clock.systemUTC());
        var store = new MessageStore(
                database,
                node,
                new MessageEvents(
                        new EventLog(interest, List.of(), Clock.systemUTC()),
                        (_, _) -> Optional.empty(),
                        new UsageCounters(new UsageStore(database), Clock.systemUTC())),
                new Precedence());
        assertThat(store.submit(new NewMessage.Submission(older, Optional.empty(), Optional.empty()))
                        .join())
                .isEqualTo(MessageStore.Receipt.STORED_ELSEWHERE);
        tenant.send(conversation, "later").expect(200);
        List<String> all = Tenant.eventually(() -> replies(tenant), found -> found.size() == 3);
        node.close();
        store.close();
        assertThat(all.get(1)).contains("older");
    }

    private static List<String> replies(Tenant tenant) {
        return Tenant.bean(Database.class).with(handle -> handle.select(
                        "SELECT content FROM message WHERE organization_id = ? AND type = 'AGENT_RESPONSE' ORDER BY id",
                        tenant.organization().value())
                .mapTo(String.class)
                .list());
    }
}
