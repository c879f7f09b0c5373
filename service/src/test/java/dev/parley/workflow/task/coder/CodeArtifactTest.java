package dev.parley.workflow.task.coder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import dev.parley.workflow.task.coder.sandbox.Sandbox;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The catalogue of code artifacts over HTTP, and workflows that run them. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class CodeArtifactTest {
    private static final Duration BUSY = Duration.ofMinutes(2);
    private static final String DOUBLE = "function main(inputs) { return { y: inputs.x * 2 }; }";

    @Inject
    TestOrganizations organizations;

    private TestOrganizations.Tenant tenant;
    private Api owner;

    @BeforeEach
    void aTenant() {
        tenant = organizations.create();
        owner = tenant.owner().browser();
    }

    @Test
    void anArtifactHasAnIntegerIdAndVersionsThatNeverChange() {
        Api.Answer made = create("Double", "javascript", DOUBLE).expect(201);
        assertThat(made.json().get("id").intValue()).isEqualTo(1);
        assertThat(made.json().get("version").intValue()).isEqualTo(1);
        assertThat(made.header("Location")).endsWith("/code-artifacts/1");
        Api.Answer saved = owner.put(path("/1"))
                .json(Map.of("name", "Double", "source", "function main() { return {}; }"))
                .send()
                .expect(200);
        assertThat(saved.json().get("version").intValue()).isEqualTo(2);
        assertThat(get("/1/versions/1").expect(200).text("/source")).isEqualTo(DOUBLE);
        assertThat(get("/1").expect(200).text("/source")).startsWith("function main()");
        assertThat(get("/1/versions").expect(200).json().at("/items").findValuesAsText("version"))
                .containsExactly("2", "1");
        assertThat(get("").expect(200).json().at("/items/0").has("source")).isFalse();
        assertThat(create("Again", "python", "def main(inputs): return {}")
                        .expect(201)
                        .text("/id"))
                .isEqualTo("2");
    }

    @Test
    void codeThatDoesNotParseIsRefusedWithItsLine() {
        // A busy machine stores code unchecked.
        Api.Answer refused = dev.parley.Tenant.eventually(
                BUSY,
                () -> create("Broken", "javascript", "function main(inputs) {\n  return {;\n}"),
                answer -> answer.status() == 400);
        assertThat(refused.text("/errors/0/path")).isEqualTo("/source");
        assertThat(refused.text("/errors/0/detail")).startsWith("Line 2: SyntaxError");
        String id = create("Double", "python", "def main(inputs):\n    return {}")
                .expect(201)
                .text("/id");
        var broken = new AtomicInteger();
        Api.Answer unsaved = dev.parley.Tenant.eventually(
                BUSY,
                () -> owner.put(path("/" + id))
                        .json(Map.of(
                                "name",
                                "Double",
                                "source",
                                "def main(inputs):\n\n    return {\n" + "#".repeat(broken.incrementAndGet())))
                        .send(),
                answer -> answer.status() == 400);
        assertThat(unsaved.text("/errors/0/path")).isEqualTo("/source");
        assertThat(unsaved.text("/errors/0/detail")).matches("(?s)Line [0-9]: .*");
        // What the code does is not run: this endless loop parses.
        create("Endless", "javascript", "while (true) {}\nfunction main() {}").expect(201);
    }

    @Test
    void codeThatAnotherPersonChangedIsNotOverwritten() {
        store("javascript", DOUBLE);
        String tag = get("/1").header("ETag");
        Map<String, String> other = Map.of("name", "Double", "source", "function main() { return {}; }");
        Api admin = tenant.admin().browser();
        String next = admin.put(path("/1"))
                .header("If-Match", tag)
                .json(other)
                .send()
                .expect(200)
                .header("ETag");
        Api.Answer refused = owner.put(path("/1"))
                .header("If-Match", tag)
                .json(Map.of("name", "Twice", "source", DOUBLE))
                .send()
                .expect(412);
        assertThat(refused.text("/changed_by"))
                .isEqualTo("user:" + tenant.admin().id().text());
        assertThat(refused.text("/etag")).isEqualTo(next);
        owner.delete(path("/1")).header("If-Match", tag).send().expect(412);
        assertThat(get("/1").text("/version")).isEqualTo("2");
        owner.delete(path("/1")).header("If-Match", next).send().expect(204);
    }

    @Test
    void savingUnchangedCodeCreatesNoVersion() {
        store("javascript", DOUBLE);
        owner.put(path("/1"))
                .json(Map.of("name", "Double", "source", DOUBLE))
                .send()
                .expect(200);
        assertThat(get("/1").text("/version")).isEqualTo("1");
    }

    @Test
    void membersReadAndTryCodeAndAdminsWriteIt() {
        store("javascript", DOUBLE);
        Api member = tenant.member().browser();
        member.get(path("/1")).send().expect(200);
        member.post(path("/1/dry-run"))
                .json(Map.of("inputs", Map.of("x", 1)))
                .send()
                .expect(200);
        member.post(path(""))
                .json(document("Mine", "javascript", DOUBLE))
                .send()
                .expect(403);
        member.put(path("/1"))
                .json(Map.of("name", "Mine", "source", DOUBLE))
                .send()
                .expect(403);
        member.delete(path("/1")).send().expect(403);
        member.post(path("/dry-run"))
                .json(Map.of("language", "javascript", "source", DOUBLE))
                .send()
                .expect(403);
        tenant.admin()
                .browser()
                .put(path("/1"))
                .json(Map.of("name", "Ours", "source", DOUBLE))
                .send()
                .expect(200);
    }

    @Test
    void anotherOrganizationsCodeIsNotFound() {
        store("javascript", DOUBLE);
        Api stranger = organizations.create().owner().browser();
        stranger.get(path("/1")).send().expect(404);
        stranger.post(path("/1/dry-run")).json(Map.of()).send().expect(404);
        get("/2").expect(404);
        get("/x").expect(404);
        get("/1/versions/9").expect(404);
        get("/9/versions").expect(404);
    }

    @Test
    void badCodeIsRefusedWithThePathOfItsFault() {
        assertThat(create("Double", "ruby", DOUBLE).expect(400).text("/errors/0/path"))
                .isEqualTo("/language");
        assertThat(create("", "python", "x").expect(400).text("/errors/0/path")).isEqualTo("/name");
        assertThat(create("Long", "python", "#".repeat(300_000)).expect(400).text("/errors/0/path"))
                .isEqualTo("/source");
        Map<String, Object> odd = document("Double", "javascript", DOUBLE);
        odd.put("inputs", List.of(Map.of("name", "x", "type", "NUMBER")));
        assertThat(owner.post(path("")).json(odd).send().expect(400).text("/errors/0/path"))
                .isEqualTo("/inputs/0/type");
        odd.put("inputs", List.of(Map.of("name", "x", "type", "ARRAY", "items", Map.of("type", "NUMBER"))));
        assertThat(owner.post(path("")).json(odd).send().expect(400).text("/errors/0/path"))
                .isEqualTo("/inputs/0/items/type");
        odd.put("inputs", List.of(Map.of("name", "x", "type", "FLOAT", "items", Map.of("type", "FLOAT"))));
        assertThat(owner.post(path("")).json(odd).send().expect(400).text("/errors/0/path"))
                .isEqualTo("/inputs/0/items");
        odd.put("inputs", List.of(Map.of("name", "x", "type", "FLOAT"), Map.of("name", "x", "type", "FLOAT")));
        assertThat(owner.post(path("")).json(odd).send().expect(400).text("/errors/0/path"))
                .isEqualTo("/inputs/1/name");
    }

    @Test
    void aDryRunChecksInputsAndOutputsAndShowsTheConsole() {
        Map<String, Object> document =
                document("Double", "javascript", "function main(i) { console.log('hi'); return { y: i.x * 2 }; }");
        document.put("inputs", List.of(Map.of("name", "x", "type", "FLOAT")));
        document.put("outputs", List.of(Map.of("name", "y", "type", "INTEGER")));
        owner.post(path("")).json(document).send().expect(201);
        Api.Answer good = dryRun(Map.of("inputs", Map.of("x", "21"))).expect(200);
        assertThat(good.text("/result/y")).isEqualTo("42");
        assertThat(good.text("/console")).isEqualTo("hi\n");
        assertThat(good.json().get("error").isNull()).isTrue();
        Api.Answer odd = dryRun(Map.of("inputs", Map.of("x", 0.25))).expect(200);
        assertThat(odd.text("/error/error")).isEqualTo("Invalid output");
        assertThat(odd.text("/result/y")).isEqualTo("0.5");
        assertThat(dryRun(Map.of("inputs", Map.of())).expect(400).text("/errors/0/path"))
                .isEqualTo("/inputs/x");
        assertThat(dryRun(Map.of("inputs", Map.of("x", 1, "z", 1))).expect(400).text("/errors/0/path"))
                .isEqualTo("/inputs/z");
        assertThat(dryRun(Map.of("inputs", Map.of("x", 1), "version", 7))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/version");
        document.put("name", "Rows");
        document.put(
                "inputs",
                List.of(Map.of(
                        "name",
                        "x",
                        "type",
                        "ARRAY",
                        "items",
                        Map.of(
                                "type",
                                "OBJECT",
                                "properties",
                                List.of(Map.of("name", "n", "type", "INTEGER", "description", "N"))))));
        Api.Answer rows = owner.post(path("")).json(document).send().expect(201);
        assertThat(rows.text("/inputs/0/items/properties/0/name")).isEqualTo("n");
        assertThat(owner.post(path("/2/dry-run"))
                        .json(Map.of("inputs", Map.of("x", List.of(Map.of("n", "many")))))
                        .send()
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/inputs/x/0/n");
        Api.Answer unsaved = owner.post(path("/dry-run"))
                .json(Map.of(
                        "language",
                        "python",
                        "source",
                        "def main(i):\n  return {'a': 1 // i['x']}",
                        "inputs",
                        Map.of("x", 0)))
                .send()
                .expect(200);
        assertThat(unsaved.text("/error/detail")).contains("Line 2", "ZeroDivisionError");
        assertThat(unsaved.text("/error/line")).isEqualTo("2");
    }

    @Test
    @Tag("all")
    void aDryRunOfUnsavedCodeChecksTheOutputsOfTheEditor() {
        Map<String, Object> trial = new HashMap<>(Map.of(
                "language",
                "javascript",
                "source",
                "function main() { return { other: 1 }; }",
                "outputs",
                List.of(Map.of("name", "gross", "type", "STRING"))));
        Api.Answer invalid = owner.post(path("/dry-run")).json(trial).send().expect(200);
        assertThat(invalid.text("/error/error")).isEqualTo("Invalid output");
        assertThat(invalid.text("/error/detail"))
                .isEqualTo("The output 'gross' is required. There is no output named 'other'.");
        assertThat(invalid.text("/result/other")).isEqualTo("1");
        trial.put("outputs", List.of(Map.of("name", "other", "type", "INTEGER")));
        Api.Answer valid = owner.post(path("/dry-run")).json(trial).send().expect(200);
        assertThat(valid.json().get("error").isNull()).isTrue();
        trial.put("outputs", List.of(Map.of("name", "other")));
        assertThat(owner.post(path("/dry-run")).json(trial).send().expect(400).text("/errors/0/path"))
                .isEqualTo("/outputs/0/type");
    }

    @Test
    @Tag("all")
    void aWorkflowKeepsTheCodeThatWasNewestWhenItWasPublished() {
        store("javascript", "function main(i) { console.log('v1'); return { y: i.x * 2 }; }");
        String workflow = publish(coder(1));
        owner.put(path("/1"))
                .json(Map.of("name", "Double", "source", "function main(i) { return { y: i.x * 100 }; }"))
                .send()
                .expect(200);
        Api.Answer first = run(workflow);
        assertThat(first.text("/status")).isEqualTo("COMPLETED");
        assertThat(first.text("/output/y")).isEqualTo("42");
        assertThat(new Api()
                        .get("/developer/api/workflow_instances/" + first.text("/workflow_instance_id")
                                + "/status?include=logs")
                        .key(organizations.key(tenant.id()))
                        .send()
                        .text("/tasks/0/console"))
                .isEqualTo("v1\n");
        assertThat(owner.post(tenant.path() + "/workflows/" + workflow + "/publish")
                        .send()
                        .text("/version"))
                .isEqualTo("2");
        assertThat(owner.post(tenant.path() + "/workflows/" + workflow + "/publish")
                        .send()
                        .text("/version"))
                .isEqualTo("2");
        assertThat(run(workflow).text("/output/y")).isEqualTo("2100");
    }

    @Test
    void codeThatAPublishedWorkflowRunsIsNotDeleted() {
        store("javascript", DOUBLE);
        String workflow = publish(coder(1));
        assertThat(owner.delete(path("/1")).send().expect(409).text("/detail")).contains("Test");
        owner.delete(tenant.path() + "/workflows/" + workflow).send().expect(204);
        owner.delete(path("/1")).send().expect(204);
        get("/1").expect(404);
        owner.delete(path("/1")).send().expect(404);
    }

    @Test
    void aDefinitionThatNamesNoCodeOfTheOrganizationIsInvalid() {
        Api.Answer invalid =
                owner.post(tenant.path() + "/workflows").json(coder(7)).send().expect(400);
        assertThat(invalid.text("/errors/0/error")).isEqualTo("Missing Required Field");
        assertThat(invalid.text("/errors/0/path")).isEqualTo("/tasks/0/code_artifact_id");
    }

    @Test
    void aTaskWithoutARequiredInputOfItsCodeIsInvalid() {
        Map<String, Object> code = document("Double", "javascript", DOUBLE);
        code.put(
                "inputs",
                List.of(
                        Map.of("name", "x", "type", "INTEGER"),
                        Map.of("name", "factor", "type", "FLOAT"),
                        Map.of("name", "note", "type", "STRING", "required", false)));
        owner.post(path("")).json(code).send().expect(201);

        Api.Answer invalid =
                owner.post(tenant.path() + "/workflows").json(coder(1)).send().expect(400);
        assertThat(invalid.json().at("/errors")).hasSize(1);
        assertThat(invalid.text("/errors/0/path")).isEqualTo("/tasks/0/input_parameters");
        assertThat(invalid.text("/errors/0/detail")).contains("the input 'factor'");
    }

    @Test
    void codeThatFailsFailsItsTaskWithTheLineAndIsNotTriedAgain() {
        store("python", "def main(inputs):\n  print('here')\n  return {'y': inputs['z']}");
        Api.Answer failed = run(publish(coder(1)));
        assertThat(failed.text("/status")).isEqualTo("FAILED");
        assertThat(failed.text("/error/error")).isEqualTo("Code error");
        assertThat(failed.text("/error/detail")).contains("Line 3", "KeyError");
        assertThat(failed.text("/tasks/0/attempts")).isEqualTo("1");
    }

    @Test
    void cancellingAnInstanceEndsItsCode() {
        store("javascript", "function main() { for (;;); }");
        Sandbox sandbox = dev.parley.Tenant.bean(Sandbox.class);
        String key = organizations.key(tenant.id());
        String instance = new Api()
                .post("/developer/api/workflows/" + publish(coder(1)) + "/trigger/sync?wait_seconds=0")
                .key(key)
                .json(Map.of("inputs", Map.of("x", 1)))
                .send()
                .expect(202)
                .text("/workflow_instance_id");
        dev.parley.Tenant.eventually(sandbox::running, running -> running > 0);

        Instant begun = Instant.now();
        new Api()
                .post("/developer/api/workflow_instances/" + instance + "/cancel")
                .key(key)
                .send()
                .expect(200);

        dev.parley.Tenant.eventually(sandbox::running, running -> running == 0);
        assertThat(Duration.between(begun, Instant.now()))
                .isLessThan(sandbox.limits().time());
    }

    @Test
    void theExampleOfCodeRuns() throws Exception {
        store("javascript", Files.readString(Path.of("../examples/code/order-total.mjs")));
        store("python", Files.readString(Path.of("../examples/code/order_letter.py")));
        String document = Files.readString(Path.of("../examples/order-total.json"))
                .replace("{{user}}", tenant.owner().id().text());
        String key = organizations.key(tenant.id());
        Api.Answer done = run(
                publish(document),
                Map.of(
                        "items",
                        List.of(
                                Map.of("name", "Chair", "price", 49.9, "quantity", 4),
                                Map.of("name", "Table", "price", 250, "quantity", 1))));
        assertThat(done.text("/status")).isEqualTo("COMPLETED");
        String file = done.text("/output/letter").replaceFirst("s3://[^/]+/", "/developer/api/media/files/");
        assertThat(new Api().get(file).key(key).send().expect(200).body()).contains("4 x Chair", "Total: 428.02 EUR");
    }

    private Api.Answer run(String workflow) {
        return run(workflow, Map.of("x", 21));
    }

    /** Code has a low share of the CPU, so it may take longer than the trigger waits. */
    private Api.Answer run(String workflow, Map<String, Object> inputs) {
        String key = organizations.key(tenant.id());
        Api.Answer begun = new Api()
                .post("/developer/api/workflows/" + workflow + "/trigger/sync")
                .key(key)
                .json(Map.of("inputs", inputs))
                .send();
        if (begun.status() != 202) {
            return begun.expect(200);
        }
        String status = "/developer/api/workflow_instances/" + begun.text("/workflow_instance_id") + "/status";
        return dev.parley.Tenant.eventually(
                () -> new Api().get(status).key(key).send().expect(200),
                answer -> !answer.json().get("finished_at").isNull());
    }

    private String publish(Object document) {
        var request = owner.post(tenant.path() + "/workflows");
        String id = (document instanceof String text ? request.body("application/json", text) : request.json(document))
                .send()
                .expect(201)
                .text("/id");
        owner.post(tenant.path() + "/workflows/" + id + "/publish").send().expect(200);
        return id;
    }

    private Map<String, Object> coder(int artifact) {
        return Map.of(
                "name", "Test",
                "assignment_rules",
                        List.of(Map.of(
                                "rule_type", "Human Feedback",
                                "assignment_type", "User",
                                "assignee_id", tenant.owner().id().text())),
                "tasks",
                        List.of(Map.of(
                                "id", "code",
                                "kind", "Coder",
                                "name", "Code",
                                "instructions", "Compute.",
                                "code_artifact_id", artifact,
                                "input_parameters",
                                        List.of(Map.of(
                                                "name", "x",
                                                "type", "INTEGER",
                                                "description", "A number",
                                                "source", "human_input",
                                                "required", true)),
                                "expected_output",
                                        List.of(Map.of("name", "y", "type", "INTEGER", "description", "Twice")))));
    }

    /** Without a request, and so without the syntax check, which starts a process. */
    private void store(String language, String source) {
        dev.parley.Tenant.bean(CodeArtifacts.class)
                .create(
                        tenant.id(),
                        CodeLanguage.of(language).orElseThrow(),
                        new CodeArtifacts.ArtifactDraft("Double", source, List.of(), List.of()),
                        "user:" + tenant.owner().id().text());
    }

    private Api.Answer create(String name, String language, String source) {
        return owner.post(path("")).json(document(name, language, source)).send();
    }

    private static Map<String, Object> document(String name, String language, String source) {
        return new HashMap<>(Map.of("name", name, "language", language, "source", source));
    }

    private Api.Answer dryRun(Map<String, Object> trial) {
        return owner.post(path("/1/dry-run")).json(trial).send();
    }

    private Api.Answer get(String below) {
        return owner.get(path(below)).send();
    }

    private String path(String below) {
        return tenant.path() + "/code-artifacts" + below;
    }
}
