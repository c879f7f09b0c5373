package dev.parley.workflow.instance;

import static dev.parley.workflow.instance.Workflows.input;
import static dev.parley.workflow.instance.Workflows.output;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.WorkflowId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a task passes to the workflow that it runs. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class SubWorkflowArgumentsTest extends WorkflowRunCase {
    /** A message and files that it has as system values are arguments, as they are of a trigger. */
    @Test
    void aWorkflowThatNeedsAMessageRunsAsASubWorkflow() {
        Map<String, Object> files = new HashMap<>(input("file_urls", "ARRAY", "system_generated", true));
        files.put("items", Map.of("type", "STRING"));
        WorkflowId child = Workflows.of(tenant)
                .named("Answer")
                .task(
                        "answer",
                        Map.of(
                                "kind",
                                "AI",
                                "when",
                                "trigger.human_msg.startsWith('Why')",
                                "input_parameters",
                                List.of(input("human_msg", "STRING", "system_generated", true), files),
                                "expected_output",
                                List.of(output("answer", "STRING"))))
                .publish();
        assertThat(tool(child).at("/input_schema/required").toString()).isEqualTo("[\"human_msg\",\"file_urls\"]");
        Map<String, Object> call = new HashMap<>(calling(child));
        call.put(
                "input_parameters",
                List.of(input("human_msg", "STRING", "human_input", true), withValue(files, "s3://")));
        WorkflowId refused = Workflows.of(tenant).task("ask", call).publish();
        assertThat(ended(trigger(refused, Map.of("inputs", Map.of("human_msg", "Why?")))
                                .text("/workflow_instance_id"))
                        .at("/error/error")
                        .asText())
                .as("an address that is none")
                .isEqualTo("Sub-workflow not started");

        call.put(
                "input_parameters",
                List.of(
                        input("human_msg", "STRING", "human_input", true),
                        withValue(files, "https://example.com/a.pdf")));
        assertThat(inputsOfChild(call).at("/file_urls/0").asText()).isEqualTo("https://example.com/a.pdf");
        call.put("input_parameters", List.of(input("human_msg", "STRING", "human_input", true), withValue(files)));
        JsonNode inputs = inputsOfChild(call);
        assertThat(inputs.at("/human_msg").asText()).isEqualTo("Why?");
        assertThat(get("/instances?status=COMPLETED").at("/items"))
                .as("the sub-workflow and its parent")
                .hasSize(2);
    }

    /** What the sub-workflow of a task was started with, after both have ended. */
    private JsonNode inputsOfChild(Map<String, Object> call) {
        WorkflowId parent = Workflows.of(tenant).task("ask", call).publish();
        JsonNode done = ended(
                trigger(parent, Map.of("inputs", Map.of("human_msg", "Why?"))).text("/workflow_instance_id"));
        return get("/instances/" + done.at("/tasks/0/child_instance_id").asText() + "/inputs");
    }

    @Test
    void aWorkflowThatCallsItselfIsCheckedAgainstTheDraftToPublish() {
        WorkflowId workflow = answering("Again");
        Map<String, Object> depth = input("depth", "INTEGER", "human_input", true);
        Map<String, Object> question = input("question", "STRING", "human_input", true);
        Map<String, Object> again = new HashMap<>(calling(workflow));
        again.put("when", "inputs.question == 'Again'");
        again.put("input_parameters", List.of(question, depth));
        Map<String, Object> document = document(List.of(answer(List.of(question, depth)), named("again", again)));
        String path = "/workflows/" + workflow.text();
        owner.put(organization(path)).json(document).send().expect(200);
        assertThat(get(path).at("/errors")).isEmpty();
        String validate = "/workflows/validate";
        assertThat(post(validate + "?workflow_id=" + workflow.text(), document).text("/valid"))
                .isEqualTo("true");
        assertThat(post(validate, document).text("/errors/0/detail"))
                .as("a new workflow that calls the published version")
                .contains("has no input 'depth'");
        post(validate + "?workflow_id=x", document).expect(400);
        post(path + "/publish", Map.of()).expect(200);

        again.remove("when");
        again.put("input_parameters", List.of(question));
        Map<String, Object> without = document(List.of(
                answer(List.of(question, depth, input("tone", "STRING", "human_input", true))), named("again", again)));
        assertThat(owner.put(organization(path))
                        .json(without)
                        .send()
                        .expect(400)
                        .body())
                .contains("depth", "tone");
        Map<String, Object> broken = new HashMap<>(without);
        broken.put("name", "");
        assertThat(owner.put(organization(path))
                        .json(broken)
                        .send()
                        .expect(400)
                        .json()
                        .at("/errors"))
                .as("its calls of itself are checked when it has no other violations")
                .hasSize(1);
    }

    private Map<String, Object> document(List<Map<String, Object>> tasks) {
        return Map.of(
                "name",
                "Again",
                "description",
                "",
                "assignment_rules",
                List.of(Map.of(
                        "rule_type", "Human Feedback",
                        "assignment_type", "User",
                        "assignee_id", tenant.owner().text())),
                "tasks",
                tasks,
                "dependencies",
                List.of(Map.of("from", "answer", "to", "again")));
    }

    private static Map<String, Object> answer(List<Map<String, Object>> inputs) {
        return named(
                "answer",
                Map.of(
                        "kind",
                        "AI",
                        "input_parameters",
                        inputs,
                        "expected_output",
                        List.of(output("answer", "STRING"))));
    }

    /** As of a workflow that was published before its message was an argument. */
    @Test
    void theToolsOfEarlierWorkflowsGetTheArguments() throws IOException {
        WorkflowId child = Workflows.of(tenant)
                .task(
                        "answer",
                        Map.of(
                                "kind", "AI",
                                "input_parameters",
                                        List.of(
                                                input("human_msg", "STRING", "system_generated", true),
                                                input("question", "STRING", "human_input", true)),
                                "expected_output", List.of(output("answer", "STRING"))))
                .publish();
        String migration =
                Files.readString(Path.of("src/main/resources/db/migration/V024__arguments_of_workflows.sql"));
        Tenant.bean(Database.class).change(handle -> {
            handle.createUpdate("""
                            UPDATE tool SET input_schema = '{"type": "object", "required": ["question"],
                                "properties": {"question": {"type": "string"}}, "additionalProperties": false}'
                            WHERE organization_id = :organization AND name = :name""")
                    .bind("organization", tenant.organization())
                    .bind("name", child.text())
                    .execute();
            handle.createScript(migration).execute();
        });
        assertThat(tool(child).at("/input_schema/properties/human_msg/type").asText())
                .isEqualTo("string");
        assertThat(tool(child).at("/input_schema/required").valueStream().map(JsonNode::asText))
                .containsExactlyInAnyOrder("human_msg", "question");
    }

    private static Map<String, Object> withValue(Map<String, Object> files, String... urls) {
        Map<String, Object> input = new HashMap<>(files);
        input.put("source", "task_config");
        input.put("value", List.of(urls));
        return input;
    }

    /** Such an input is no argument, so that the schema of the tool does not refuse it. */
    @Test
    void anInputOfTheConditionIsNotSentToTheTool() {
        Map<String, Object> call = new HashMap<>(calling(answering("Answer")));
        call.put(
                "input_parameters",
                List.of(
                        input("question", "STRING", "human_input", true),
                        input("limit", "INTEGER", "human_input", true)));
        call.put("when", "inputs.limit > 1.5");
        WorkflowId parent = Workflows.of(tenant).task("ask", call).publish();
        JsonNode done = ended(trigger(parent, Map.of("inputs", Map.of("question", "Why?", "limit", 2)))
                .text("/workflow_instance_id"));
        assertThat(done.at("/output/answer").asText()).contains("Why?");
    }
}
