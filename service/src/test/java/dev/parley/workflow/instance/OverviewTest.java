package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.organization.Role;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.TestUser;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The overview's counts, over HTTP. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OverviewTest {
    @Inject
    TestOrganizations organizations;

    @Test
    void messagesAndRunsAreCounted() {
        Tenant tenant = Tenant.create(1_000);
        TestUser ada = organizations.testUser();
        organizations.join(tenant.organization(), ada, Role.MEMBER);
        String conversation = tenant.conversation();
        tenant.send(conversation, "Hello");
        var workflow = Workflows.of(tenant).ai("think").publish();
        tenant.post("/workflows/" + workflow + "/trigger/sync", Map.of("human_msg", "Hello"))
                .expect(200);
        tenant.post("/workflows/" + workflow + "/trigger/sync", Map.of("human_msg", "offline:fail no"))
                .expect(200);
        String path = "/dashboard/api/organizations/" + tenant.organization() + "/overview";

        JsonNode overview = Tenant.eventually(
                () -> ada.browser().get(path).send().expect(200).json(),
                found -> found.at("/usage/total/messages_sent").asInt() == 1
                        && found.at("/usage/total/runs_failed").asInt() == 1);

        JsonNode total = overview.at("/usage/total");
        assertThat(total.get("messages_received").asInt()).isEqualTo(1);
        assertThat(total.get("runs_completed").asInt()).isEqualTo(1);
        assertThat(total.get("input_tokens").asInt()).isPositive();
        assertThat(total.get("median_run_millis").asLong()).isPositive();
        assertThat(overview.at("/usage/previous/runs_completed").asInt()).isZero();
        assertThat(overview.at("/failed_runs/0/workflow_id").asText()).isEqualTo(workflow.text());
        assertThat(overview.at("/failed_runs/0/count").asInt()).isEqualTo(1);
        JsonNode ofWorkflow = overview.at("/usage/workflows/0");
        assertThat(ofWorkflow.get("workflow_id").asText()).isEqualTo(workflow.text());
        assertThat(ofWorkflow.get("runs_completed").asInt()).isEqualTo(1);
        assertThat(ofWorkflow.get("runs_failed").asInt()).isEqualTo(1);
        assertThat(ofWorkflow.get("input_tokens").asLong()).isPositive();
        assertThat(overview.at("/usage/step").asText()).isEqualTo("hour");
        assertThat(overview.at("/usage/series").size()).isEqualTo(24);
        assertThat(overview.at("/limits/messages_per_minute").asInt()).isEqualTo(1_000);
        assertThat(overview.at("/limits/running_now").asInt()).isZero();
        assertThat(ada.browser()
                        .get(path + "?time_zone=Mars")
                        .send()
                        .expect(400)
                        .text("/detail"))
                .contains("'time_zone'");
        assertThat(ada.browser()
                        .get(path + "?hours=2160")
                        .send()
                        .json()
                        .at("/usage/step")
                        .asText())
                .isEqualTo("day");
        ada.browser().get(path + "?hours=0").send().expect(400);
    }

    @Test
    void testRunsAreNotCounted() {
        Tenant tenant = Tenant.create();
        String base = "/dashboard/api/organizations/" + tenant.organization();
        var tested = Workflows.of(tenant).ai("think").publish();
        var counted = Workflows.of(tenant).ai("think").publish();
        for (String message : List.of("Hello", "offline:fail no")) {
            tenant.browser()
                    .post(base + "/workflows/" + tested + "/test-run?wait_seconds=20")
                    .json(Map.of("human_msg", message))
                    .send()
                    .expect(200);
        }
        tenant.post("/workflows/" + counted + "/trigger/sync", Map.of("human_msg", "offline:fail no"))
                .expect(200);

        JsonNode overview = Tenant.eventually(
                () -> tenant.browser()
                        .get(base + "/overview")
                        .send()
                        .expect(200)
                        .json(),
                found -> found.at("/usage/total/runs_failed").asInt() > 0);

        assertThat(overview.at("/usage/total/runs_failed").asInt()).isEqualTo(1);
        assertThat(overview.at("/usage/total/runs_completed").asInt()).isZero();
        assertThat(overview.at("/usage/total/output_tokens").asInt()).isZero();
        assertThat(overview.at("/failed_runs")).hasSize(1);
        assertThat(overview.at("/failed_runs/0/workflow_id").asText()).isEqualTo(counted.text());
        assertThat(listed(tenant, "status=FAILED&test_run=false")).hasSize(1);
        JsonNode tests = listed(tenant, "test_run=true");
        assertThat(tests.findValuesAsText("status")).containsExactly("FAILED", "COMPLETED");
        assertThat(tests.findValuesAsText("test_run")).containsOnly("true");
        assertThat(tenant.browser()
                        .get(base + "/instances/count?test_run=false")
                        .send()
                        .expect(200)
                        .text("/count"))
                .isEqualTo("1");
        tenant.browser().get(base + "/instances?test_run=1").send().expect(400);
    }

    private static JsonNode listed(Tenant tenant, String query) {
        return tenant.browser()
                .get("/dashboard/api/organizations/" + tenant.organization() + "/instances?" + query)
                .send()
                .expect(200)
                .json()
                .get("items");
    }
}
