package dev.parley.workflow.instance.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.WorkflowId;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Chats and instances whose calls a budget refuses, and what the usage reports. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class BudgetedRunTest {
    private final Tenant tenant = Tenant.create();
    private final String organization = "/dashboard/api/organizations/" + tenant.organization();

    private String budget(String scope, String scopeId, long limit) {
        Map<String, Object> body =
                new HashMap<>(Map.of("scope", scope, "period", "MONTH", "unit", "TOKENS", "limit", limit));
        if (!scopeId.isEmpty()) {
            body.put("scope_id", scopeId);
        }
        return organization + "/budgets/"
                + tenant.browser()
                        .post(organization + "/budgets")
                        .json(body)
                        .send()
                        .expect(201)
                        .json()
                        .at("/id")
                        .asInt();
    }

    private JsonNode newestMessage(String conversation, String type) {
        return Tenant.eventually(
                        () -> tenant.get("/conversations/" + conversation + "/messages")
                                .expect(200)
                                .json(),
                        list -> list.at("/0/type").asText().equals(type))
                .at("/0");
    }

    private WorkflowId workflow(String errorPolicy) {
        Map<String, Object> task = new HashMap<>(Map.of(
                "kind",
                "AI",
                "input_parameters",
                List.of(),
                "expected_output",
                List.of(Workflows.output("answer", "STRING"))));
        if (!errorPolicy.isEmpty()) {
            task.put("error_policy", errorPolicy);
        }
        return Workflows.of(tenant).task("answer", task).publish();
    }

    private String paused(WorkflowId workflow) {
        JsonNode started = tenant.post(
                        "/workflows/" + workflow + "/trigger/sync?wait_seconds=30", Map.of("human_msg", "Hello"))
                .json();
        assertThat(started.at("/status").asText()).as(started.toString()).isEqualTo("PAUSED");
        return started.at("/workflow_instance_id").asText();
    }

    private JsonNode status(String instance) {
        return tenant.get("/workflow_instances/" + instance + "/status")
                .expect(200)
                .json();
    }

    private List<String> ticketStatuses() {
        return tenant.browser()
                .get(organization + "/tickets?assignee=all&status=OPEN,IN_PROGRESS,RESOLVED,REJECTED,CLOSED")
                .send()
                .expect(200)
                .json()
                .at("/items")
                .findValuesAsText("status");
    }

    @Test
    void aChatReplyWithoutBudgetIsANotice() {
        String budget = budget("API_KEY", tenant.keyId().text(), 1);
        String conversation = tenant.conversation();
        tenant.send(conversation, "Hello").expect(200);
        JsonNode notice = newestMessage(conversation, "SYSTEM");
        assertThat(notice.at("/metadata/notice/code").asText()).isEqualTo("budget_exceeded");
        assertThat(notice.at("/content").asText()).contains("budget of the API key 'test'", "1 tokens");
        assertThat(notice.at("/metadata/notice/params/resets_at").asText()).endsWith("T00:00:00.000Z");

        tenant.browser().delete(budget).send().expect(204);
        tenant.send(conversation, "Hello again").expect(200);
        newestMessage(conversation, "AGENT_RESPONSE");
    }

    @Test
    void anInstancePausesWithATicketAndGoesOnWhenTheLimitIsRaised() {
        WorkflowId workflow = workflow("RETRY");
        String budget = budget("WORKFLOW", workflow.text(), 10);
        String instance = paused(workflow);
        JsonNode ticket = tenant.browser()
                .get(organization + "/tickets?assignee=all")
                .send()
                .expect(200)
                .json()
                .at("/items/0");
        assertThat(ticket.at("/exception/error").asText()).isEqualTo("Budget exceeded");
        Tenant.bean(BudgetResumeJob.class).resume();
        assertThat(status(instance).at("/status").asText()).isEqualTo("PAUSED");
        assertThat(ticketStatuses()).containsExactly("OPEN");

        tenant.browser().patch(budget).json(Map.of("limit", 1_000_000)).send().expect(200);
        Tenant.bean(BudgetResumeJob.class).resume();

        Tenant.eventually(
                () -> status(instance), one -> one.at("/status").asText().equals("COMPLETED"));
        assertThat(ticketStatuses()).containsExactly("RESOLVED");
        JsonNode read = tenant.browser().get(budget).send().expect(200).json();
        assertThat(read.at("/used").asLong()).isPositive();
        assertThat(read.at("/reserved").asLong()).isZero();
    }

    @Test
    void aPersonMayRetryByTheTicket() {
        WorkflowId workflow = workflow("");
        String budget = budget("ORGANIZATION", "", 10);
        String instance = paused(workflow);
        tenant.browser().delete(budget).send().expect(204);
        String ticket = tenant.browser()
                .get(organization + "/tickets?assignee=all")
                .send()
                .expect(200)
                .text("/items/0/id");
        tenant.browser()
                .post(organization + "/tickets/" + ticket + "/retry")
                .send()
                .expect(200);
        Tenant.eventually(
                () -> status(instance), one -> one.at("/status").asText().equals("COMPLETED"));
    }

    @Test
    void anEndedInstanceWaitsNoLonger() {
        String budget = budget("ORGANIZATION", "", 10);
        String instance = paused(workflow(""));
        tenant.post("/workflow_instances/" + instance + "/cancel", Map.of()).expect(200);
        Tenant.eventually(
                () -> status(instance), one -> one.at("/status").asText().equals("CANCELLED"));
        Tenant.bean(BudgetResumeJob.class).resume();
        List<String> waiting = Tenant.bean(Database.class).with(handle -> handle.select(
                        "SELECT task_id FROM budget_wait WHERE organization_id = ?", tenant.organization())
                .mapTo(String.class)
                .list());
        assertThat(waiting).isEmpty();
        assertThat(tenant.browser()
                        .get(budget)
                        .send()
                        .expect(200)
                        .json()
                        .at("/used")
                        .asLong())
                .isZero();
    }

    @Test
    void usageIsReportedByModelWorkflowKeyAndDay() {
        String named = tenant.browser()
                .patch(organization + "/api-keys/" + tenant.keyId())
                .json(Map.of("name", "=1+1"))
                .send()
                .expect(200)
                .text("/name");
        WorkflowId workflow = workflow("");
        tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=30", Map.of("human_msg", "Hello"))
                .expect(200);
        String conversation = tenant.post(
                        "/conversations",
                        Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow.text())))
                .expect(201)
                .text("/id");
        tenant.send(conversation, "Hello").expect(200);
        newestMessage(conversation, "AGENT_RESPONSE");
        String chat = tenant.conversation();
        tenant.send(chat, "Hello").expect(200);
        newestMessage(chat, "AGENT_RESPONSE");

        JsonNode byKey = Tenant.eventually(
                () -> usage("api_key"), rows -> rows.at("/0/calls").asInt() >= 3);
        assertThat(named).isEqualTo("=1+1");
        assertThat(byKey).hasSize(1);
        assertThat(byKey.at("/0/key").asText()).isEqualTo(tenant.keyId().text());
        assertThat(byKey.at("/0/input_tokens").asLong()).isPositive();
        assertThat(usage("workflow").findValuesAsText("key")).containsExactlyInAnyOrder(workflow.text(), "null");
        assertThat(usage("model").findValuesAsText("key")).containsExactly("default");
        assertThat(usage("day")).hasSize(1);
        String csv = tenant.browser()
                .get(organization + "/usage/models/export?group_by=api_key")
                .send()
                .expect(200)
                .body();
        assertThat(csv)
                .startsWith("\uFEFFkey,name,calls,")
                .contains("\"" + tenant.keyId().text() + "\",\"'=1+1\",\"3\",");
        for (String query :
                List.of("group_by=team", "from=yesterday", "from=2026-02-01&to=2026-01-01", "to=2026-13-01")) {
            assertThat(tenant.browser()
                            .get(organization + "/usage/models?" + query)
                            .send()
                            .status())
                    .as(query)
                    .isEqualTo(400);
        }
    }

    private JsonNode usage(String grouping) {
        return tenant.browser()
                .get(organization + "/usage/models?group_by=" + grouping)
                .send()
                .expect(200)
                .json()
                .at("/items");
    }
}
