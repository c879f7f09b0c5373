package dev.parley.datalake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.media.TestFiles;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Data lakes read by workflows: validation of definitions, and deletion. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class DataLakeUseTest {
    private final Tenant tenant = Tenant.create();
    private final Api owner = tenant.browser();
    private final String base = "/dashboard/api/organizations/" + tenant.organization();

    private String lake() {
        String uri = TestFiles.sent(tenant, "t.csv", "text/csv", TestFiles.CSV).text("/metadata/file/uri");
        return owner.post(base + "/data-lakes")
                .json(Map.of("name", "Table " + UUID.randomUUID(), "format", "csv", "file_url", uri))
                .send()
                .expect(201)
                .text("/data_lake/id");
    }

    private Map<String, Object> document(String name, String lake, Map<String, Object> filter) {
        return Map.of(
                "name",
                name,
                "assignment_rules",
                List.of(Map.of(
                        "rule_type",
                        "Exception",
                        "assignment_type",
                        "User",
                        "assignee_id",
                        tenant.owner().text())),
                "tasks",
                List.of(Map.of(
                        "id",
                        "read",
                        "kind",
                        "AI",
                        "name",
                        "Read",
                        "instructions",
                        "Read.",
                        "input_parameters",
                        List.of(Map.of(
                                "name",
                                "rows",
                                "type",
                                "ARRAY",
                                "items",
                                Map.of("type", "OBJECT", "properties", List.of()),
                                "description",
                                "d",
                                "required",
                                true,
                                "source",
                                "system_generated",
                                "data_source",
                                "DATA_LAKE",
                                "data_lake_id",
                                lake,
                                "filter",
                                filter)),
                        "expected_output",
                        List.of(Map.of("name", "answer", "type", "STRING", "description", "d")))));
    }

    private String workflow(String name, String lake) {
        return owner.post(base + "/workflows")
                .json(document(name, lake, Map.of("column", "amount", "op", ">", "value", 1)))
                .send()
                .expect(201)
                .text("/id");
    }

    private void publish(String workflow) {
        owner.post(base + "/workflows/" + workflow + "/publish").send().expect(200);
    }

    @Test
    @Tag("all")
    void adminsRenameADataLake() {
        String orders = lake();
        String before =
                owner.get(base + "/data-lakes/" + orders).send().expect(200).text("/name");
        Tenant other = Tenant.create();
        String foreign = other.browser()
                .post("/dashboard/api/organizations/" + other.organization() + "/data-lakes")
                .json(Map.of("name", "Theirs", "format", "csv"))
                .send()
                .expect(201)
                .text("/data_lake/id");

        assertThat(rename(orders, " ").expect(400).text("/errors/0/path")).isEqualTo("/name");
        rename(foreign, "Mine").expect(404);
        assertThat(rename(orders, "Old orders").expect(200).text("/name")).isEqualTo("Old orders");
        JsonNode entry = owner.get(base + "/audit-log?action=data-lakes.update&target=" + orders)
                .send()
                .expect(200)
                .json()
                .at("/items/0");
        assertThat(entry.at("/target_name").asText()).isEqualTo("Old orders");
        assertThat(entry.at("/changes").toString())
                .isEqualTo("[{\"field\":\"name\",\"before\":\"" + before + "\",\"after\":\"Old orders\"}]");
    }

    private Api.Answer rename(String lake, String name) {
        return owner.patch(base + "/data-lakes/" + lake)
                .json(Map.of("name", name))
                .send();
    }

    @Test
    void aFilterIsValidatedAgainstTheColumnsOfTheDataLake() {
        Map<String, Object> filter = Map.of(
                "all",
                List.of(
                        Map.of("column", "price", "op", "is_null"),
                        Map.of("column", "amount", "op", ">", "value", "much")));
        JsonNode violations = owner.post(base + "/workflows/validate")
                .json(document("Reads", lake(), filter))
                .send()
                .expect(200)
                .json()
                .path("errors");
        assertThat(violations.findValuesAsText("error")).containsExactly("Invalid Type", "Invalid Type");
        assertThat(violations.findValuesAsText("path"))
                .containsExactly(
                        "/tasks/0/input_parameters/0/filter/all/0/column",
                        "/tasks/0/input_parameters/0/filter/all/1/value");
    }

    @Test
    void aDataLakeThatPublishedWorkflowsReadIsNotDeleted() {
        String lake = lake();
        String written = lake.substring(0, 8) + "-" + lake.substring(8, 12) + "-" + lake.substring(12, 16) + "-"
                + lake.substring(16, 20) + "-" + lake.substring(20);
        String first = workflow("First", lake);
        String second = workflow("Second", written.toUpperCase(java.util.Locale.ROOT));
        publish(first);
        publish(second);
        workflow("A draft", lake);
        Api.Answer refused = owner.delete(base + "/data-lakes/" + lake).send();
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/detail")).isEqualTo("Published workflows use this data lake: 'First', 'Second'.");
        assertThat(refused.text("/code")).isEqualTo("in_use");
        assertThat(refused.text("/workflows/1/name")).isEqualTo("Second");
        owner.get(base + "/data-lakes/" + lake + "/rows").send().expect(200);

        owner.delete(base + "/workflows/" + first).send().expect(204);
        owner.delete(base + "/workflows/" + second).send().expect(204);
        owner.delete(base + "/data-lakes/" + lake).send().expect(204);
    }

    @Test
    void aNewFileHasTheColumnsThatPublishedWorkflowsRead() {
        String lake = lake();
        workflow("A draft", lake);
        String published = workflow("Reads", lake);
        publish(published);
        String replace = base + "/data-lakes/" + lake + "/replace";
        TestFiles.put(
                owner.post(replace + "/upload")
                        .json(Map.of("format", "csv"))
                        .send()
                        .expect(200),
                "name,total\nAda,5\n".getBytes(UTF_8));

        Api.Answer refused = owner.post(replace).json(Map.of("format", "csv")).send();

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/detail"))
                .isEqualTo("The new file breaks published workflows: 'Reads' needs the missing column 'amount'.");
        owner.post(replace)
                .json(Map.of("format", "csv", "allow_breaking", true))
                .send()
                .expect(200);
        assertThat(owner.get(base + "/data-lakes/" + lake)
                        .send()
                        .json()
                        .path("columns")
                        .findValuesAsText("name"))
                .containsExactly("name", "total");
    }

    @Test
    @Tag("all")
    void aDraftDoesNotKeepADataLake() {
        String lake = lake();
        String draft = workflow("A draft", lake);
        owner.delete(base + "/data-lakes/" + lake).send().expect(204);
        Api.Answer refused =
                owner.post(base + "/workflows/" + draft + "/publish").send();
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/errors/0/path")).isEqualTo("/tasks/0/input_parameters/0/data_lake_id");
    }

    @Test
    @Tag("all")
    void workflowsOfOthersDoNotCount() {
        String lake = lake();
        publish(workflow("Mine", lake));
        Tenant other = Tenant.create();
        other.browser()
                .delete("/dashboard/api/organizations/" + other.organization() + "/data-lakes/" + lake)
                .send()
                .expect(404);
    }
}
