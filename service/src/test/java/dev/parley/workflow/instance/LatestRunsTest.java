package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.definition.LatestRunStore;
import dev.parley.workflow.instance.core.state.InstanceStatus;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The latest runs in the list of agents. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class LatestRunsTest {
    private static final int MANY = 300;

    @Inject
    Database database;

    private Tenant tenant;

    @BeforeEach
    void aTenant() {
        tenant = Tenant.create();
    }

    @Test
    void aQuietAgentShowsItsRunsNextToABusyOne() {
        WorkflowId quiet = Workflows.of(tenant).human("approve").publish();
        WorkflowId busy = Workflows.of(tenant).human("approve").publish();
        WorkflowId unused = Workflows.of(tenant).human("approve").publish();
        List<String> ofQuiet = runs(tenant, quiet, 2, "FAILED");
        List<String> ofBusy = runs(tenant, busy, MANY, "COMPLETED");
        database.change(handle -> handle.execute(
                "UPDATE workflow_instance SET test_run = true WHERE id = ?",
                WorkflowInstanceId.parse(ofQuiet.getFirst()).orElseThrow().value()));
        // Excludes other organizations, even for an agent of the same name.
        Tenant other = Tenant.create();
        runs(other, quiet, 3, "CANCELLED");

        JsonNode items = list("?include=latest_runs").expect(200).json().get("items");

        assertThat(items.findValuesAsText("id")).containsExactly(unused.text(), busy.text(), quiet.text());
        assertThat(items.get(0).get("latest_runs")).isEmpty();
        assertThat(items.get(0).get("success_rate")).hasToString("{\"completed\":0,\"failed\":0,\"more\":false}");
        assertThat(items.get(1).get("success_rate")).hasToString("{\"completed\":100,\"failed\":0,\"more\":true}");
        assertThat(items.get(2).get("success_rate")).hasToString("{\"completed\":0,\"failed\":1,\"more\":false}");
        assertThat(items.get(1).get("latest_runs").findValuesAsText("workflow_instance_id"))
                .isEqualTo(ofBusy.reversed().subList(0, LatestRunStore.MAX_RUNS));
        JsonNode few = items.get(2).get("latest_runs");
        assertThat(few.findValuesAsText("workflow_instance_id")).isEqualTo(ofQuiet.reversed());
        assertThat(few.findValuesAsText("test_run")).containsExactly("false", "true");
        assertThat(few.get(0).get("status").asText()).isEqualTo("FAILED");
        assertThat(few.get(0).get("created_at").asText()).endsWith("Z");
        assertThat(few.get(0).get("finished_at").isNull()).isTrue();
    }

    @Test
    void aPageHasTheRunsOfItsAgents() {
        WorkflowId older = Workflows.of(tenant).human("approve").publish();
        WorkflowId newer = Workflows.of(tenant).human("approve").publish();
        List<String> ofOlder = runs(tenant, older, 1, "PAUSED");
        List<String> ofNewer = runs(tenant, newer, 1, "CANCELLED");

        Api.Answer first = list("?include=latest_runs&limit=1").expect(200);
        assertThat(first.json().findValuesAsText("workflow_instance_id")).isEqualTo(ofNewer);
        Api.Answer second = list("?include=latest_runs&limit=1&after=" + first.text("/next"))
                .expect(200);
        assertThat(second.json().findValuesAsText("workflow_instance_id")).isEqualTo(ofOlder);
    }

    @Test
    void runsAreIncludedOnRequest() {
        WorkflowId workflow = Workflows.of(tenant).human("approve").publish();
        runs(tenant, workflow, 1, "PAUSED");

        assertThat(list("").expect(200).json().at("/items/0/latest_runs").isNull())
                .isTrue();
        assertThat(list("?include=everything").expect(400).text("/errors/0/detail"))
                .startsWith("'include'");
    }

    @Test
    void agentsAreSearchedSortedAndNamed() {
        WorkflowId invoices = named("Invoice approval");
        WorkflowId letters = named("answer letters");
        WorkflowId returns = named("Invoice returns");
        tenant.browser()
                .delete("/dashboard/api/organizations/" + tenant.organization() + "/workflows/" + named("Old"))
                .send()
                .expect(204);

        assertThat(found("?search=INVOICE%20ret")).containsExactly(returns.text());
        assertThat(found("?search=invoice&sort=name")).containsExactly(invoices.text(), returns.text());
        assertThat(found("?sort=name&limit=1")).containsExactly(letters.text());
        assertThat(found("?sort=name&limit=1&after=" + letters)).containsExactly(invoices.text());
        assertThat(found("?sort=updated&limit=2&after=" + returns)).containsExactly(letters.text(), invoices.text());
        assertThat(found("?search=%25")).isEmpty();
        assertThat(found("?state=draft")).isEmpty();
        assertThat(found("?state=published&search=invoice")).containsExactly(returns.text(), invoices.text());
        assertThat(found("?state=changed")).isEmpty();
        assertThat(found("?state=invalid")).isEmpty();
        assertThat(list("?state=new").expect(400).text("/errors/0/path")).isEqualTo("/state");
        assertThat(list("?sort=size").expect(400).text("/errors/0/path")).isEqualTo("/sort");
        JsonNode names = tenant.browser()
                .get("/dashboard/api/organizations/" + tenant.organization() + "/workflow-names")
                .send()
                .expect(200)
                .json()
                .get("items");
        assertThat(names.findValuesAsText("name"))
                .containsExactly("Old", "Invoice returns", "answer letters", "Invoice approval");
        assertThat(names.findValuesAsText("archived")).containsExactly("true", "false", "false", "false");
    }

    private WorkflowId named(String name) {
        return Workflows.of(tenant).human("approve").named(name).publish();
    }

    private List<String> found(String query) {
        return list(query).expect(200).json().findValuesAsText("id");
    }

    /** Every status is in the API's document. */
    @Test
    void theDocumentNamesEveryStatus() {
        var named =
                LatestRunStore.Run.class.getRecordComponents()[1].getAccessor().getAnnotation(Schema.class);
        assertThat(named.enumeration())
                .containsExactlyInAnyOrder(
                        Stream.of(InstanceStatus.values()).map(Enum::name).toArray(String[]::new));
    }

    private Api.Answer list(String query) {
        return tenant.browser()
                .get("/dashboard/api/organizations/" + tenant.organization() + "/workflows" + query)
                .send();
    }

    /** Inserts rows as the engine does; returns their ids, oldest first. */
    private List<String> runs(Tenant of, WorkflowId workflow, int count, String status) {
        List<String> ids = new ArrayList<>();
        database.change(handle -> {
            var rows = handle.prepareBatch("""
                    INSERT INTO workflow_instance (organization_id, id, workflow_id, workflow_version, status, state,
                        state_version, created_by, created_at, updated_at, deadline)
                    VALUES (?, ?, ?, 1, ?, '{}', 1, 'system', now(), now(), now() + interval '7 days')""");
            for (int i = 0; i < count; i++) {
                WorkflowInstanceId id = WorkflowInstanceId.next();
                ids.add(id.text());
                rows.add(of.organization().value(), id.value(), workflow.value(), status);
            }
            rows.execute();
        });
        return ids;
    }
}
