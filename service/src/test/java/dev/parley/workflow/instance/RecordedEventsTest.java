package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.event.CallbackResultListener;
import dev.parley.event.Event;
import dev.parley.event.EventType;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.MessageId;
import dev.parley.id.WorkflowId;
import dev.parley.media.TestFiles;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The event log after real requests, in conversations with and without a callback. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class RecordedEventsTest {
    /** An unused port. */
    private static final String CALLBACK = "http://127.0.0.1:9/hook";

    private Tenant tenant;

    @BeforeEach
    void aTenant() {
        tenant = Tenant.create();
    }

    @Test
    void aChatWithACallbackRecordsEveryMessage() {
        String conversation = conversation(Map.of("callback_url", CALLBACK), "DEFAULT");
        String id = tenant.send(conversation, "Hello").expect(200).text("/id");
        List<Event> events = eventually(conversation, 3);
        assertHasNoGaps(conversation);
        assertThat(events)
                .extracting(Event::type)
                .containsExactly(EventType.MESSAGE_CREATED, EventType.MESSAGE_UPDATED, EventType.MESSAGE_CREATED);
        assertThat(data(events.get(0)).at("/status").asText()).isEqualTo("RECEIVED");
        assertThat(data(events.get(1)).at("/id").asText()).isEqualTo(id);
        assertThat(data(events.get(1)).at("/status").asText()).isEqualTo("DELIVERED");
        JsonNode reply = data(events.get(2));
        assertThat(reply.at("/type").asText()).isEqualTo("AGENT_RESPONSE");
        assertThat(reply.at("/status").asText())
                .as("its delivery is the callback's")
                .isEqualTo("PROCESSING");
        assertThat(messages(conversation).get(0)).isEqualTo(reply);
    }

    @Test
    void aServiceMessageHasTheStatusThatTheCallbackGaveItFirst() {
        String conversation = conversation(Map.of("callback_url", CALLBACK), "DEFAULT");
        tenant.send(conversation, "Hello").expect(200);
        Event user = eventually(conversation, 3).get(0);
        Event reply = events(conversation).get(2);
        CallbackResultListener reports = Tenant.bean(dev.parley.message.CallbackMessageStatus.class);
        report(tx -> reports.delivered(tx, List.of(user, reply)));
        assertThat(messages(conversation).get(0).at("/status").asText()).isEqualTo("DELIVERED");
        report(tx -> reports.failed(tx, List.of(user, reply)));
        report(tx -> reports.delivered(tx, events(conversation)));
        assertThat(messages(conversation).get(0).at("/status").asText()).isEqualTo("DELIVERED");
        List<Event> events = events(conversation);
        assertThat(events).hasSize(4);
        assertThat(events.get(3).type()).isEqualTo(EventType.MESSAGE_UPDATED);
        assertThat(data(events.get(3)).at("/status").asText()).isEqualTo("DELIVERED");
    }

    @Test
    void aServiceMessageThatNoCallbackTookIsFailed() {
        String conversation = conversation(Map.of("callback_url", CALLBACK), "DEFAULT");
        tenant.send(conversation, "Hello").expect(200);
        Event reply = eventually(conversation, 3).get(2);
        report(tx -> Tenant.bean(dev.parley.message.CallbackMessageStatus.class).failed(tx, List.of(reply)));
        assertThat(messages(conversation).get(0).at("/status").asText()).isEqualTo("FAILED");
    }

    private List<Event> ofUser(String conversation, EventType type) {
        return events(conversation).stream()
                .filter(event ->
                        event.type() == type && data(event).at("/type").asText().equals("USER_INPUT"))
                .toList();
    }

    private static List<String> contents(List<Event> events) {
        return events.stream().map(event -> data(event).at("/content").asText()).toList();
    }

    private List<String> send(String conversation, int count) {
        List<String> sent =
                IntStream.range(0, count).mapToObj(i -> "Message " + i).toList();
        sent.forEach(text -> tenant.send(conversation, text).expect(200));
        return sent;
    }

    /** A conversation with a callback whose messages wait behind the ticket of the first. */
    private String behindATicket() {
        WorkflowId workflow = Workflows.of(tenant).human("approve").publish();
        return conversation(Map.of("callback_url", CALLBACK, "workflow_id", workflow.text()), "WORKFLOW_EXECUTION");
    }

    @Test
    void aFileMessageIsRecordedInOrderAndAsStored() {
        // The first takes longer than the following ones.
        TestFiles.sent(tenant, "first.png", "image/png", TestFiles.PNG);
        String conversation = behindATicket();
        String stored =
                TestFiles.upload(tenant, "a.png", "image/png", TestFiles.PNG).text("/filename");
        tenant.send(conversation, "One").expect(200);
        tenant.send(conversation, "Two").expect(200);
        JsonNode file = TestFiles.send(tenant, conversation, stored, "image/png")
                .expect(200)
                .json();
        List<Event> events =
                Tenant.eventually(() -> ofUser(conversation, EventType.MESSAGE_CREATED), found -> found.size() >= 3);
        assertThat(contents(events)).containsExactly("One", "Two", "null");
        assertThat(data(events.getLast())).isEqualTo(file);
        assertHasNoGaps(conversation);
    }

    @Test
    void messagesOfAnotherNodeBehindATicketAreRecorded() {
        String conversation = behindATicket();
        send(conversation, 3);
        Tenant.eventually(() -> ofUser(conversation, EventType.MESSAGE_CREATED), found -> found.size() >= 3);
        storeElsewhere(conversation);
        List<Event> events =
                Tenant.eventually(() -> ofUser(conversation, EventType.MESSAGE_CREATED), found -> found.size() >= 4);
        assertThat(contents(events)).containsExactly("Message 0", "Message 1", "Message 2", "Elsewhere");
        assertHasNoGaps(conversation);
    }

    /** Stores a message like a node that does not process the conversation. */
    private void storeElsewhere(String conversation) {
        UUID of = ConversationId.parse(conversation).orElseThrow().value();
        Tenant.bean(Database.class).change(handle -> {
            handle.execute("""
                    INSERT INTO message (organization_id, conversation_id, id, type, content_type, content, status,
                        created_by, created_at, updated_at)
                    SELECT organization_id, conversation_id, ?, type, content_type, 'Elsewhere', 'RECEIVED', created_by,
                        now(), now()
                    FROM message WHERE conversation_id = ? AND content = 'Message 2'
                    """, MessageId.next().value(), of);
            handle.execute("UPDATE conversation_lease SET version = version + 1 WHERE conversation_id = ?", of);
        });
    }

    @Test
    void messagesWaitingBehindATicketAreRecordedInOrder() {
        String conversation = behindATicket();
        List<String> sent = send(conversation, 250);
        List<Event> events = Tenant.eventually(
                () -> ofUser(conversation, EventType.MESSAGE_CREATED), found -> found.size() >= sent.size());
        assertThat(contents(events)).isEqualTo(sent);
        assertThat(events)
                .allMatch(event -> data(event).at("/status").asText().equals("RECEIVED")
                        && data(event).at("/metadata").isEmpty()
                        && data(event).at("/updated_at").equals(data(event).at("/created_at")));
        assertThat(contents(ofUser(conversation, EventType.MESSAGE_UPDATED))).contains("Message 0");
        assertHasNoGaps(conversation);
    }

    @Test
    void aMessageIsRecordedOnceBeforeItsUpdates() {
        String conversation = conversation(Map.of("callback_url", CALLBACK), "DEFAULT");
        List<String> sent = send(conversation, 60);
        Tenant.eventually(() -> ofUser(conversation, EventType.MESSAGE_UPDATED), found -> contents(found)
                .containsAll(sent));
        assertThat(contents(ofUser(conversation, EventType.MESSAGE_CREATED))).isEqualTo(sent);
        Map<String, List<EventType>> types = new HashMap<>();
        events(conversation)
                .forEach(event -> types.computeIfAbsent(data(event).at("/id").asText(), _ -> new ArrayList<>())
                        .add(event.type()));
        assertThat(types.values()).allMatch(all -> all.getFirst() == EventType.MESSAGE_CREATED);
        assertHasNoGaps(conversation);
    }

    @Test
    void eventsWithoutSubscribersAreNotRecorded() {
        String conversation = tenant.conversation();
        tenant.send(conversation, "Hello").expect(200);
        Tenant.eventually(() -> messages(conversation), found -> found.size() == 2);
        assertThat(messages(conversation).get(0).at("/status").asText()).isEqualTo("DELIVERED");
        assertThat(events(conversation)).isEmpty();
    }

    @Test
    void aWorkflowRecordsEachStatusStepAndTicket() {
        WorkflowId workflow = Workflows.of(tenant).human("approve").publish();
        String conversation =
                conversation(Map.of("callback_url", CALLBACK, "workflow_id", workflow.text()), "WORKFLOW_EXECUTION");
        tenant.send(conversation, "Please").expect(200);
        List<Event> events = Tenant.eventually(
                () -> events(conversation),
                found -> !found.isEmpty()
                        && data(found.getLast()).at("/status").asText().equals("PAUSED"));
        assertThat(events.stream().map(RecordedEventsTest::line))
                .containsExactly(
                        "message.created USER_INPUT RECEIVED",
                        "message.updated USER_INPUT DELIVERED",
                        "ticket.created OPEN",
                        "message.created SYSTEM PROCESSING",
                        "workflow_instance.status_changed null RUNNING",
                        "workflow_instance.status_changed RUNNING PAUSED");
        assertThat(data(events.get(2)).at("/assignee/assignee_id").asText())
                .isEqualTo(tenant.owner().text());
        String instance = data(events.getLast()).at("/workflow_instance_id").asText();
        assertThat(data(events.get(3)).at("/metadata/workflow_instance_status").asText())
                .isEqualTo("PAUSED");
        var status = (com.fasterxml.jackson.databind.node.ObjectNode) data(events.getLast());
        status.remove("previous_status");
        assertThat(status)
                .as("the object of the status route")
                .isEqualTo(tenant.get("/workflow_instances/" + instance + "/status")
                        .json());

        tenant.post("/workflow_instances/" + instance + "/cancel", Map.of()).expect(200);
        List<Event> after = events(conversation);
        assertThat(after.subList(events.size(), after.size()).stream().map(RecordedEventsTest::line))
                .containsExactly(
                        "ticket.updated CLOSED",
                        "message.created SYSTEM PROCESSING",
                        "workflow_instance.status_changed PAUSED CANCELLED");
        assertHasNoGaps(conversation);
        JsonNode log =
                tenant.get("/workflow_instances/" + instance + "/logs").json().at("/items");
        assertThat(log.findValuesAsText("to")).containsExactly("RUNNING", "PAUSED", "CANCELLED");
    }

    private static String line(Event event) {
        JsonNode data = data(event);
        String middle =
                switch (event.type()) {
                    case MESSAGE_CREATED, MESSAGE_UPDATED ->
                        " " + data.at("/type").asText();
                    case INSTANCE_STATUS_CHANGED ->
                        " " + data.get("previous_status").asText();
                    case TICKET_CREATED, TICKET_UPDATED, BUDGET_WARNED, BUDGET_EXCEEDED, ENDPOINT_PING -> "";
                };
        return event.type().text() + middle + " " + data.at("/status").asText();
    }

    private String conversation(Map<String, Object> config, String usecase) {
        return tenant.post("/conversations", Map.of("usecase", usecase, "config", config))
                .expect(201)
                .text("/id");
    }

    private JsonNode messages(String conversation) {
        return tenant.get("/conversations/" + conversation + "/messages")
                .expect(200)
                .json();
    }

    private List<Event> eventually(String conversation, int count) {
        return Tenant.eventually(() -> events(conversation), found -> found.size() >= count);
    }

    private static JsonNode data(Event event) {
        return StrictJson.readTrusted(event.data(), JsonNode.class);
    }

    private static void report(Reported report) {
        var _ = Tenant.bean(Database.class).jdbcTransaction(connection -> {
            report.to(connection);
            return true;
        });
    }

    private interface Reported {
        void to(java.sql.Connection tx) throws java.sql.SQLException;
    }

    private void assertHasNoGaps(String conversation) {
        List<Event> all = recorded(conversation);
        assertThat(all)
                .extracting(Event::sequence)
                .isEqualTo(LongStream.rangeClosed(1, all.size()).boxed().toList());
    }

    /** Omits the step to PROCESSING, which a message takes only if it has to wait. */
    private List<Event> events(String conversation) {
        return recorded(conversation).stream()
                .filter(event -> !line(event).equals("message.updated USER_INPUT PROCESSING"))
                .toList();
    }

    private List<Event> recorded(String conversation) {
        ConversationId id = ConversationId.parse(conversation).orElseThrow();
        return Tenant.bean(Database.class).with(handle -> handle.select(
                        "SELECT * FROM event WHERE organization_id = ? AND stream_id = ? ORDER BY sequence",
                        tenant.organization().value(),
                        id.value())
                .map((row, _) -> new Event(
                        new EventId(row.getObject("id", UUID.class)),
                        id.value(),
                        row.getLong("sequence"),
                        tenant.organization(),
                        id,
                        null,
                        EventType.of(row.getString("type")).orElseThrow(),
                        row.getObject("at", OffsetDateTime.class).toInstant(),
                        row.getString("data"),
                        null))
                .list());
    }
}
