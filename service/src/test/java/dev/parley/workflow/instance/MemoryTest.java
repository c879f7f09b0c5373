package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.WorkflowId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The memory of a conversation's instances (docs/decisions/0020). */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class MemoryTest {
    private Tenant tenant;

    @BeforeEach
    void makeTenant() {
        tenant = Tenant.create();
    }

    /** A task that reads the message and a number from memory, and returns both. */
    private WorkflowId remembering(String type) {
        return ai(
                List.of(
                        Workflows.input("human_msg", "STRING", "system_generated", true),
                        Workflows.input("total", type, "system_generated", false)),
                List.of(Workflows.output("total", "INTEGER"), Workflows.output("answer", "STRING")));
    }

    private WorkflowId ai(List<Object> inputs, List<Object> outputs) {
        return Workflows.of(tenant)
                .task("think", Map.of("kind", "AI", "input_parameters", inputs, "expected_output", outputs))
                .publish();
    }

    private String conversation(WorkflowId workflow) {
        return tenant.post(
                        "/conversations",
                        Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow.text())))
                .expect(201)
                .text("/id");
    }

    /** Sends a message, and returns the inputs that the model of the started run received. */
    private String prompt(String conversation, String text, int messagesAfter) {
        tenant.send(conversation, text).expect(200);
        JsonNode messages = Tenant.eventually(
                () -> tenant.get("/conversations/" + conversation + "/messages").json(),
                found -> found.size() == messagesAfter);
        assertThat(messages.get(0).path("type").asText())
                .as(messages.get(0).path("content").asText())
                .isEqualTo("AGENT_RESPONSE");
        String instance = messages.get(0).at("/metadata/workflow_instance_id").asText();
        JsonNode said = tenant.get("/workflow_instances/" + instance + "/attempts")
                .expect(200)
                .json()
                .at("/items/0/messages");
        List<String> inputs = new ArrayList<>();
        said.forEach(one -> {
            String content = one.path("content").asText();
            if (content.startsWith("Inputs, as JSON")) {
                inputs.add(content);
            }
        });
        return inputs.getLast();
    }

    @Test
    void aTicketShowsTheValuesFromMemory() {
        WorkflowId workflow = Workflows.of(tenant)
                .task(
                        "decide",
                        Map.of(
                                "kind",
                                "Human",
                                "input_parameters",
                                List.of(Workflows.input("conversation_history", "STRING", "system_generated", true)),
                                "expected_output",
                                List.of(Workflows.output("approved", "BOOLEAN"))))
                .publish();
        tenant.send(conversation(workflow), "We want 12 bolts").expect(200);
        JsonNode tickets = Tenant.eventually(
                () -> tenant.browser()
                        .get("/dashboard/api/organizations/" + tenant.organization() + "/tickets")
                        .send()
                        .expect(200)
                        .json()
                        .path("items"),
                found -> found.size() == 1);
        String ticket = tickets.get(0).path("id").asText();
        assertThat(tenant.browser()
                        .get("/dashboard/api/organizations/" + tenant.organization() + "/tickets/" + ticket)
                        .send()
                        .expect(200)
                        .json()
                        .at("/inputs/conversation_history")
                        .asText())
                .contains("We want 12 bolts");
    }

    @Test
    void anUnconnectedInputTakesTheLatestOutputOfItsName() {
        String conversation = conversation(remembering("INTEGER"));
        assertThat(prompt(conversation, "We want 12 bolts", 2)).contains("\"total\":null");
        // The offline model uses the first number of the text, unless an input has the output's name.
        assertThat(prompt(conversation, "And 99 nuts", 4)).contains("\"total\":12");
        assertThat(prompt(conversation(remembering("INTEGER")), "Another conversation", 2))
                .contains("\"total\":null");
    }

    @Test
    void anInvalidOutputIsNotUsed() {
        String conversation = conversation(remembering("BOOLEAN"));
        var _ = prompt(conversation, "We want 12 bolts", 2);
        assertThat(prompt(conversation, "And 99 nuts", 4)).contains("\"total\":null");
    }

    @Test
    void aModelGetsEarlierOutputsByName() {
        String conversation = conversation(remembering("INTEGER"));
        assertThat(prompt(conversation, "We want 12 bolts", 2)).doesNotContain("earlier_outputs");
        assertThat(prompt(conversation, "And 99 nuts", 4))
                .contains("\"earlier_outputs\":{\"answer\":\"")
                .contains("bolts");
    }

    @Test
    void theHistoryIsAnArrayOfObjectsWhereTheDefinitionWantsOne() {
        Map<String, Object> history =
                new LinkedHashMap<>(Workflows.input("conversation_history", "ARRAY", "system_generated", true));
        history.put(
                "items",
                Map.of(
                        "type",
                        "OBJECT",
                        "properties",
                        List.of(Map.of("name", "content", "type", "STRING", "description", "d", "required", true))));
        String conversation = conversation(ai(List.of(history), List.of(Workflows.output("answer", "STRING"))));
        assertThat(prompt(conversation, "Hello", 2)).contains("\"content\":\"Hello\"", "\"role\":\"user\"");
    }
}
