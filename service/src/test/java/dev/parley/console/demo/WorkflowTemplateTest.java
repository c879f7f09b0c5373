package dev.parley.console.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The templates for new workflows. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class WorkflowTemplateTest {
    @Inject
    TestOrganizations organizations;

    @Test
    void everyTemplateIsValidOrSaysWhatItNeeds() {
        TestOrganizations.Tenant tenant = organizations.create();
        Api member = tenant.member().browser();
        JsonNode templates = member.get(tenant.path() + "/workflow-templates")
                .send()
                .expect(200)
                .json()
                .at("/items");
        assertThat(templates).hasSizeGreaterThan(8);

        List<String> complete = new ArrayList<>();
        for (JsonNode template : templates) {
            assertThat(template.at("/name").asText()).isNotBlank();
            assertThat(template.at("/description").asText()).isNotBlank();
            JsonNode read = member.get(tenant.path() + "/workflow-templates/"
                            + template.at("/id").asText())
                    .send()
                    .expect(200)
                    .json();
            boolean valid = member.post(tenant.path() + "/workflows/validate")
                    .body("application/json", read.at("/document").toString())
                    .send()
                    .expect(200)
                    .json()
                    .at("/valid")
                    .asBoolean();
            assertThat(valid)
                    .as(template.toString())
                    .isEqualTo(template.at("/needs").isEmpty());
            if (valid) {
                complete.add(template.at("/id").asText());
            }
        }
        assertThat(complete).contains("one-task", "invoice-approval", "travel-request");
    }

    @Test
    void aTemplateComesWithItsCodeAndAssignsItsTicketsToTheCaller() {
        TestOrganizations.Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        JsonNode claim = owner.get(tenant.path() + "/workflow-templates/claim")
                .send()
                .expect(200)
                .json();

        assertThat(claim.at("/document/assignment_rules").findValuesAsText("assignee_id"))
                .hasSize(2)
                .containsOnly(tenant.owner().id().text());
        assertThat(claim.at("/code/0/id").asInt()).isEqualTo(1);
        owner.post(tenant.path() + "/code-artifacts")
                .json(Map.of(
                        "name", claim.at("/code/0/name").asText(),
                        "language", claim.at("/code/0/language").asText(),
                        "source", claim.at("/code/0/source").asText()))
                .send()
                .expect(201);
        JsonNode complaint = owner.get(tenant.path() + "/workflow-templates/complaint")
                .send()
                .expect(200)
                .json();
        assertThat(complaint.at("/sub_workflows/0/name").asText()).isEqualTo("Refund decision");
        assertThat(complaint.at("/sub_workflows/0/tool_name").asText())
                .isEqualTo(complaint.at("/document/tasks/1/tool_name").asText());
        owner.post(tenant.path() + "/workflows")
                .body(
                        "application/json",
                        complaint.at("/sub_workflows/0/document").toString())
                .send()
                .expect(201);
        owner.get(tenant.path() + "/workflow-templates/nothing").send().expect(404);
    }
}
