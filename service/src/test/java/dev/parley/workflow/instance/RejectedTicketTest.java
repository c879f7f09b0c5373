package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.WorkflowId;
import dev.parley.mail.archive.ArchivedEmail;
import dev.parley.mail.archive.MailArchive;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The result of rejecting a ticket under each {@code error_policy}: status, history, links, mails and events. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class RejectedTicketTest {
    private Tenant tenant;
    private String conversation;

    @BeforeEach
    void aTenant() {
        tenant = Tenant.create();
    }

    @Test
    void raiseRejectsTheTicket() {
        start("RAISE", List.of());
        JsonNode ticket = reject(openTicket());
        assertThat(ticket.at("/status").asText()).isEqualTo("REJECTED");
        assertThat(ticketEvents()).containsExactly("ticket.created #1 OPEN", "ticket.updated #1 REJECTED");
    }

    @Test
    void ignoreResolvesTheTicketAndKeepsTheRejectionInItsHistory() {
        start("IGNORE", List.of());
        JsonNode ticket = reject(openTicket());
        assertThat(ticket.at("/status").asText()).isEqualTo("RESOLVED");
        assertThat(ticket.at("/reason").asText()).isEqualTo("Too dear.");
        assertThat(ticket.at("/answer").isNull()).isTrue();
        assertThat(ticket.at("/history")).hasSize(2);
        assertThat(ticket.at("/history/1/change").asText()).isEqualTo("rejected");
        assertThat(ticket.at("/history/1/from").asText()).isEqualTo("OPEN");
        assertThat(ticket.at("/history/1/to").asText()).isEqualTo("RESOLVED");
        assertThat(ticket.at("/history/1/detail").asText()).isEqualTo("Too dear.");
        // The assignee rejected the ticket and gets no mail about it.
        assertThat(subjects()).containsExactly("[Ticket #1] approve");
        assertThat(ticketEvents()).containsExactly("ticket.created #1 OPEN", "ticket.updated #1 RESOLVED");
    }

    @Test
    void retryClosesTheTicketAndBothTicketsNameEachOther() {
        start("RETRY", List.of());
        String first = openTicket();
        JsonNode closed = reject(first);
        String second = openTicket();
        assertThat(closed.at("/status").asText()).isEqualTo("CLOSED");
        assertThat(closed.at("/replaced_by").asText()).isEqualTo(second).isNotEqualTo(first);
        assertThat(closed.at("/history").findValuesAsText("change")).containsExactly("created", "rejected", "replaced");
        assertThat(closed.at("/history/1/to").asText()).isEqualTo("CLOSED");
        assertThat(closed.at("/history/2/to").asText()).isEqualTo(second);
        assertThat(ticket(second).at("/replaces").asText()).isEqualTo(first);
        assertThat(ticket(second).at("/status").asText()).isEqualTo("OPEN");
        assertThat(subjects()).containsExactlyInAnyOrder("[Ticket #2] approve", "[Ticket #1] approve");
        assertThat(newestMail()).contains("This ticket follows #1, which was rejected.");
        assertThat(ticketEvents())
                .containsExactly(
                        "ticket.created #1 OPEN", "ticket.updated #1 CLOSED by " + second, "ticket.created #2 OPEN");
    }

    @Test
    void theLinkFollowsWhenTheNewTicketOpensLater() {
        start("RETRY", List.of(Workflows.input("conversation_history", "STRING", "system_generated", true)));
        String first = openTicket();
        assertThat(reject(first).at("/status").asText()).isEqualTo("CLOSED");
        JsonNode closed = Tenant.eventually(
                () -> ticket(first), found -> !found.at("/replaced_by").isNull());
        String second = openTicket();
        assertThat(closed.at("/replaced_by").asText()).isEqualTo(second);
        assertThat(ticket(second).at("/replaces").asText()).isEqualTo(first);
        assertThat(ticketEvents()).endsWith("ticket.updated #1 CLOSED by " + second, "ticket.created #2 OPEN");
        assertThat(subjects()).hasSize(2);
    }

    @Test
    void theLastRejectionUnderRetryRejectsTheTicket() {
        start("RETRY", List.of());
        String ticket = openTicket();
        for (int retry = 0; retry < 5; retry++) {
            assertThat(reject(ticket).at("/status").asText()).isEqualTo("CLOSED");
            ticket = openTicket();
        }
        JsonNode last = reject(ticket);
        assertThat(last.at("/status").asText()).isEqualTo("REJECTED");
        assertThat(last.at("/replaced_by").isNull()).isTrue();
        assertThat(instance().at("/status").asText()).isEqualTo("FAILED");
    }

    private void start(String policy, List<Object> inputs) {
        WorkflowId workflow = Workflows.of(tenant)
                .task(
                        "approve",
                        Map.of(
                                "kind",
                                "Human",
                                "error_policy",
                                policy,
                                "input_parameters",
                                inputs,
                                "expected_output",
                                List.of(Workflows.output("approved", "BOOLEAN"))))
                .publish();
        conversation = tenant.post(
                        "/conversations",
                        Map.of(
                                "usecase",
                                "WORKFLOW_EXECUTION",
                                "config",
                                Map.of("workflow_id", workflow.text(), "callback_url", "http://127.0.0.1:9/hook")))
                .expect(201)
                .text("/id");
        tenant.send(conversation, "Please").expect(200);
    }

    private JsonNode instance() {
        JsonNode listed = Tenant.eventually(
                () -> tenant.get("/workflow_instances").expect(200).json().at("/items"), items -> !items.isEmpty());
        return tenant.get("/workflow_instances/"
                        + listed.get(0).at("/workflow_instance_id").asText() + "/status")
                .expect(200)
                .json();
    }

    private String openTicket() {
        return Tenant.eventually(
                        this::instance,
                        now -> now.at("/tasks/0/status").asText().equals("WAITING"))
                .at("/tasks/0/ticket_id")
                .asText();
    }

    private JsonNode ticket(String id) {
        return tenant.browser().get(path(id)).send().expect(200).json();
    }

    private JsonNode reject(String id) {
        Api.Answer answer = tenant.browser()
                .post(path(id) + "/reject")
                .json(Map.of("reason", "Too dear."))
                .send();
        return answer.expect(200).json();
    }

    private String path(String ticket) {
        return "/dashboard/api/organizations/" + tenant.organization().text() + "/tickets/" + ticket;
    }

    private List<ArchivedEmail> mails() {
        return Tenant.bean(MailArchive.class)
                .list(tenant.organization(), MailArchive.MailFilter.ALL, Optional.empty(), 100);
    }

    private List<String> subjects() {
        return mails().stream().map(ArchivedEmail::subject).toList();
    }

    private String newestMail() {
        return Tenant.bean(MailArchive.class)
                .find(tenant.organization(), mails().getFirst().id())
                .orElseThrow()
                .text();
    }

    /** Type, number, status and successor of each ticket event, by sequence. */
    private List<String> ticketEvents() {
        return Tenant.bean(Database.class).with(handle -> handle.select(
                        """
                                SELECT type, data FROM event
                                WHERE organization_id = ? AND stream_id = ? AND type LIKE 'ticket.%' ORDER BY sequence
                                """,
                        tenant.organization().value(),
                        ConversationId.parse(conversation).orElseThrow().value())
                .map((row, _) -> {
                    JsonNode ticket = StrictJson.readTrusted(row.getString("data"), JsonNode.class);
                    String by = ticket.at("/replaced_by").asText("");
                    return row.getString("type") + " #"
                            + ticket.at("/number").asText() + " "
                            + ticket.at("/status").asText()
                            + (ticket.at("/replaced_by").isNull() ? "" : " by " + by);
                })
                .list());
    }
}
