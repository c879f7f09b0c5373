package dev.parley.workflow.instance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.Tenant;
import dev.parley.id.WorkflowId;
import java.util.ArrayList;
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
}
