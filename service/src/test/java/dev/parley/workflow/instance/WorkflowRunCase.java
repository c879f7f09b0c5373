package dev.parley.workflow.instance;

import static dev.parley.workflow.instance.Workflows.input;
import static dev.parley.workflow.instance.Workflows.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.Tenant;
import dev.parley.id.WorkflowId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What tests of runs over HTTP share: a tenant of their own, triggers, tickets and the end of a run. */
abstract class WorkflowRunCase {
    final Tenant tenant = Tenant.create();
    final Api owner = tenant.browser();

    Api.Answer trigger(WorkflowId workflow, Map<String, Object> body) {
        return tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=10", body);
    }

    /** The open tickets in the list's order, with their inputs. */
    List<JsonNode> openTickets() {
        JsonNode items =
                Tenant.eventually(() -> get("/tickets?status=OPEN&limit=50").get("items"), found -> !found.isEmpty());
        List<JsonNode> tickets = new ArrayList<>();
        items.forEach(ticket -> tickets.add(get("/tickets/" + ticket.at("/id").asText())));
        return tickets;
    }

    void complete(JsonNode ticket, Map<String, Object> answer) {
        post("/tickets/" + ticket.at("/id").asText() + "/complete", Map.of("answer", answer))
                .expect(200);
    }

    JsonNode status(String id) {
        return tenant.get("/workflow_instances/" + id + "/status").expect(200).json();
    }

    JsonNode ended(String id) {
        return Tenant.eventually(() -> status(id), one -> !List.of("RUNNING", "PAUSED")
                .contains(one.at("/status").asText()));
    }

    Api.Answer post(String path, Object body) {
        return owner.post(organization(path)).json(body).send();
    }

    JsonNode get(String path) {
        return owner.get(organization(path)).send().expect(200).json();
    }

    String organization(String path) {
        return "/dashboard/api/organizations/" + tenant.organization() + path;
    }

    /** A workflow that answers the input {@code question}. */
    WorkflowId answering(String name) {
        return Workflows.of(tenant)
                .named(name)
                .task(
                        "answer",
                        Map.of(
                                "kind", "AI",
                                "input_parameters", List.of(input("question", "STRING", "human_input", true)),
                                "expected_output", List.of(output("answer", "STRING"))))
                .publish();
    }

    /** An App task that runs such a workflow. */
    Map<String, Object> calling(WorkflowId child) {
        Map<String, Object> task = new HashMap<>(calling(child, output("answer", "STRING")));
        task.put("input_parameters", List.of(input("question", "STRING", "human_input", true)));
        return task;
    }

    Map<String, Object> calling(WorkflowId child, Map<String, Object> output) {
        return Map.of(
                "kind", "App",
                "provider", "workflow",
                "tool_name", child.text(),
                "tool_id", toolId(child),
                "input_parameters", List.of(),
                "expected_output", List.of(output));
    }

    static Map<String, Object> named(String id, Map<String, Object> fields) {
        Map<String, Object> task = new HashMap<>(fields);
        task.putAll(Map.of("id", id, "name", id, "instructions", "Do."));
        return task;
    }

    int toolId(WorkflowId workflow) {
        return tool(workflow).at("/tool_id").asInt();
    }

    JsonNode tool(WorkflowId workflow) {
        for (JsonNode tool : get("/tools?kind=workflow&limit=100").at("/items")) {
            if (tool.at("/tool_name").asText().equals(workflow.text())) {
                return tool;
            }
        }
        throw new AssertionError("no tool for " + workflow);
    }
}
