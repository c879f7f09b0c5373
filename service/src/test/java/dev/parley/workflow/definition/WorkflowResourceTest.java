package dev.parley.workflow.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.Organizations;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import dev.parley.workflow.definition.core.check.DefinitionSchema;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class WorkflowResourceTest {
    private static final String PASSWORD = "a long pass phrase of the tests";

    private final Api api = Api.dashboard();

    @Inject
    Database database;

    @Inject
    PasswordHasher passwords;

    @Inject
    Organizations organizations;

    private UserId user;
    private String path;

    @BeforeEach
    void aMemberWhoIsSignedIn() {
        String email = OrganizationId.next().text() + "@test.example";
        user = user(email);
        path = "/dashboard/api/organizations/" + organizations.create("Acme", user) + "/workflows";
        api.login(email, PASSWORD).expect(200);
    }

    private UserId user(String email) {
        return database.statements(UserStore.class)
                .create(UserId.next(), email, "Ann", false, passwords.hash(PASSWORD), Instant.now())
                .orElseThrow();
    }

    @Test
    void aWorkflowIsDraftedPublishedAndArchived() {
        Api.Answer made = api.post(path).json(document("one-task")).send().expect(201);
        String id = made.text("/id");
        assertThat(made.header("Location")).endsWith(path + "/" + id);
        assertThat(made.text("/name")).isEqualTo("One task");
        assertThat(made.text("/created_by")).isEqualTo("user:" + user.text());
        assertThat(made.json().at("/published_version").isNull()).isTrue();
        assertThat(made.json().at("/errors")).isEmpty();

        Api.Answer read = api.get(path + "/" + id).send().expect(200);
        assertThat(read.json()).isEqualTo(made.json());
        assertThat(read.text("/document/tasks/0/id")).isEqualTo("reply");

        assertThat(publish(id).expect(200).body()).isEqualTo("{\"version\":1}");
        assertThat(publish(id).expect(200).body()).isEqualTo("{\"version\":1}");
        Api.Answer saved =
                api.put(path + "/" + id).json(document("ten-tasks")).send().expect(200);
        assertThat(saved.text("/name")).isEqualTo("Ten tasks");
        assertThat(saved.json().at("/unpublished_changes").asBoolean()).isTrue();
        assertThat(publish(id).expect(200).body()).isEqualTo("{\"version\":2}");

        Api.Answer versions =
                api.get(path + "/" + id + "/versions?limit=1").send().expect(200);
        assertThat(versions.text("/items/0/version")).isEqualTo("2");
        assertThat(versions.text("/next")).isEqualTo("2");
        Api.Answer older = api.get(path + "/" + id + "/versions?after=2").send().expect(200);
        assertThat(older.text("/items/0/version")).isEqualTo("1");
        assertThat(older.json().at("/next").isNull()).isTrue();
        assertThat(api.get(path + "/" + id + "/versions/1").send().expect(200).text("/document/name"))
                .isEqualTo("One task");

        assertThat(api.get(path).send().expect(200).text("/items/0/id")).isEqualTo(id);
        api.delete(path + "/" + id).send().expect(204);
        api.delete(path + "/" + id).send().expect(204);
        assertThat(api.get(path).send().expect(200).json().at("/items")).isEmpty();
        api.get(path + "/" + id).send().expect(200).text("/archived_at");
        api.put(path + "/" + id).json(document("one-task")).send().expect(409);
        publish(id).expect(409);
    }

    @Test
    void aPublicationHasAnOptionalNote() {
        String id = api.post(path).json(document("one-task")).send().expect(201).text("/id");
        String publish = path + "/" + id + "/publish";
        assertThat(api.post(publish)
                        .json(Map.of("note", "x".repeat(501)))
                        .send()
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/note");

        api.post(publish).json(Map.of("note", " First version \n")).send().expect(200);
        api.put(path + "/" + id).json(document("ten-tasks")).send().expect(200);
        api.post(publish).json(Map.of("note", " ")).send().expect(200);

        Api.Answer versions = api.get(path + "/" + id + "/versions").send().expect(200);
        assertThat(versions.json().at("/items/0/note").isNull()).isTrue();
        assertThat(versions.text("/items/1/note")).isEqualTo("First version");
        assertThat(api.get(path + "/" + id + "/versions/1").send().expect(200).text("/note"))
                .isEqualTo("First version");
    }

    @Test
    void aLongNameOfRareCharactersIsShownAsItIs() {
        String name = "\uD83D\uDE00".repeat(200);
        String description = "\uD83D\uDE00".repeat(10_000);
        Map<String, Object> document = new LinkedHashMap<>(StrictJson.readObject(document("one-task")));
        document.put("name", name);
        document.put("description", description);

        String id = api.post(path).json(document).send().expect(201).text("/id");

        Api.Answer listed = api.get(path).send().expect(200);
        assertThat(listed.text("/items/0/name")).isEqualTo(name);
        assertThat(listed.text("/items/0/description")).isEqualTo(description);
        document.put("name", name + "x");
        api.put(path + "/" + id + "?allow_invalid=true").json(document).send().expect(200);
        assertThat(api.get(path).send().expect(200).text("/items/0/name")).isEqualTo("Untitled");
    }

    @Test
    void faultsAreAllReportedInTheOneErrorShape() {
        String broken = document("ten-tasks").replace("\"AI\"", "\"Ai\"");

        Api.Answer refused = api.post(path).json(broken).send().expect(400);

        assertThat(refused.text("/error")).isEqualTo("Validation failed");
        assertThat(refused.text("/errors/0/error")).isEqualTo("Invalid Type");
        List<String> paths = new ArrayList<>();
        refused.json()
                .at("/errors")
                .forEach(fault -> paths.add(fault.get("path").asText()));
        assertThat(paths)
                .hasSize(10)
                .startsWith("/tasks/0/kind", "/tasks/1/kind")
                .endsWith("/tasks/9/kind");
    }

    @Test
    void aDryRunSavesNothing() {
        Api.Answer good = api.post(path + "/validate")
                .json(document("invoice-approval"))
                .send()
                .expect(200);
        assertThat(good.json().at("/valid").asBoolean()).isFalse();
        assertThat(good.text("/errors/0/error")).isEqualTo("Invalid Assignment");
        assertThat(good.text("/errors/0/path")).isEqualTo("/assignment_rules/0/assignee_id");

        assertThat(api.post(path + "/validate")
                        .json(document("one-task"))
                        .send()
                        .expect(200)
                        .body())
                .isEqualTo("{\"valid\":true,\"errors\":[]}");
        assertThat(api.post(path + "/validate")
                        .json("{}")
                        .send()
                        .expect(200)
                        .json()
                        .at("/errors"))
                .hasSize(3);
        assertThat(api.get(path).send().expect(200).json().at("/items")).isEmpty();
    }

    @Test
    void aDraftMayBeSavedWithFaultsAndNeverPublished() {
        Api.Answer made = api.post(path + "?allow_invalid=true")
                .json(Map.of("name", "Half done"))
                .send()
                .expect(201);
        assertThat(made.json().at("/valid").asBoolean()).isFalse();
        assertThat(made.json().at("/errors")).hasSize(2);
        String id = made.text("/id");

        Api.Answer refused = publish(id).expect(400);
        assertThat(refused.text("/errors/0/path")).isEqualTo("/assignment_rules");

        api.put(path + "/" + id).json(Map.of()).send().expect(400);
        api.put(path + "/" + id + "?allow_invalid=maybe").json(Map.of()).send().expect(400);
        api.put(path + "/" + id + "?allow_invalid=true").json(Map.of()).send().expect(200);
        api.put(path + "/" + id).json(document("one-task")).send().expect(200);
        publish(id).expect(200);
    }

    @Test
    void positionsAndNotesAreStoredSeparatelyFromTheDraft() {
        Api.Answer made = api.post(path).json(document("one-task")).send().expect(201);
        String id = made.text("/id");
        publish(id).expect(200);
        String before = api.get(path + "/" + id).send().body();
        String where = path + "/" + id + "/positions";
        assertThat(api.get(where).send().expect(200).body()).isEqualTo("{\"positions\":{},\"notes\":[]}");

        api.put(where)
                .json("{\"positions\":{\"reply\":{\"x\":350,\"y\":-12.5}}}")
                .send()
                .expect(200);

        assertThat(api.get(where).send().expect(200).text("/positions/reply/y")).isEqualTo("-12.5");
        String note = "{\"id\":\"n\",\"x\":1,\"y\":2,\"width\":240,\"height\":90,\"text\":\"Ask finance\\nfirst\"}";
        api.put(where)
                .json("{\"positions\":{},\"notes\":[" + note + "]}")
                .send()
                .expect(200);
        Api.Answer kept = api.put(where).json("{\"positions\":{}}").send().expect(200);
        assertThat(kept.text("/notes/0/text")).isEqualTo("Ask finance\nfirst");
        api.put(where).json("{\"positions\":{},\"notes\":[]}").send().expect(200);
        assertThat(api.get(where).send().expect(200).body()).isEqualTo("{\"positions\":{},\"notes\":[]}");
        for (String notes : List.of(
                "{}",
                "[null]",
                "[" + note + "," + note + "]",
                "[" + note.replace("240", "0") + "]",
                "[" + note.replace("240", "null") + "]",
                "[" + note.replace("\"x\":1", "\"x\":1e9") + "]",
                "[" + note.replace("Ask", "\\u0000") + "]",
                "[" + note.replace("Ask", "x".repeat(4_001)) + "]")) {
            assertThat(api.put(where)
                            .json("{\"positions\":{},\"notes\":" + notes + "}")
                            .send()
                            .expect(400)
                            .text("/errors/0/path"))
                    .as(notes)
                    .startsWith("/notes");
        }
        assertThat(api.get(path + "/" + id).send().body()).isEqualTo(before);
        for (String body : List.of(
                "{}",
                "{\"positions\":null}",
                "{\"positions\":[]}",
                "{\"positions\":{\"reply\":null}}",
                "{\"positions\":{\"reply\":{\"x\":1}}}",
                "{\"positions\":{\"reply\":{\"x\":\"1\",\"y\":1}}}",
                "{\"positions\":{\"reply\":{\"x\":1e300,\"y\":1e400}}}",
                "{\"positions\":{\"\":{\"x\":1,\"y\":1}}}",
                "{\"positions\":{\"a/b\":{\"x\":1000001,\"y\":1}}}")) {
            assertThat(api.put(where).json(body).send().expect(400).text("/errors/0/path"))
                    .as(body)
                    .startsWith("/positions");
        }
        api.get(path + "/" + OrganizationId.next() + "/positions").send().expect(404);
        api.put(path + "/" + OrganizationId.next() + "/positions")
                .json("{\"positions\":{}}")
                .send()
                .expect(404);
    }

    @Test
    void numbersKeepEveryDigit() {
        String document = document("order-check").replace("12.5", "9007199254740993.10");

        String id = api.post(path).json(document).send().expect(201).text("/id");

        assertThat(api.get(path + "/" + id).send().body()).contains("9007199254740993.10");
    }

    @Test
    void unknownWorkflowsAreNotFound() {
        String unknown = path + "/" + OrganizationId.next();
        for (String address : List.of(unknown, path + "/x", unknown + "/versions", unknown + "/versions/1")) {
            api.get(address).send().expect(404);
        }
        api.put(unknown).json(document("one-task")).send().expect(404);
        api.delete(unknown).send().expect(404);
        api.post(unknown + "/publish").send().expect(404);
        String id = api.post(path).json(document("one-task")).send().expect(201).text("/id");
        for (String version : List.of("0", "1", "-1", "x", "99999999999")) {
            api.get(path + "/" + id + "/versions/" + version).send().expect(404);
        }
    }

    @Test
    void anotherOrganizationsWorkflowsAreNotFound() {
        String id = api.post(path).json(document("one-task")).send().expect(201).text("/id");
        String email = OrganizationId.next().text() + "@test.example";
        UserId stranger = user(email);
        String own = "/dashboard/api/organizations/" + organizations.create("Other", stranger) + "/workflows";
        Api other = Api.dashboard();
        other.login(email, PASSWORD).expect(200);

        other.get(path).send().expect(404);
        other.get(path + "/" + id).send().expect(404);
        other.get(path + "/" + id + "/positions").send().expect(404);
        other.get(own + "/" + id + "/positions").send().expect(404);
        other.put(own + "/" + id + "/positions")
                .json("{\"positions\":{}}")
                .send()
                .expect(404);
        other.get(own + "/" + id).send().expect(404);
        other.post(own + "/" + id + "/publish").send().expect(404);
        other.post(own).json(document("one-task")).send().expect(400);
        Api.dashboard().get(path).send().expect(401);
    }

    @Test
    void badBodiesAndParametersAre400() {
        for (String body :
                List.of("[]", "3", "\"x\"", "{\"name\":1", "{\"a\":1,\"a\":2}", "null", "{\"name\":\"\\u0000\"}")) {
            api.post(path).json(body).send().expect(400);
            api.post(path + "/validate?x=1").json(body).send().expect(400);
        }
        api.get(path + "?limit=0").send().expect(400);
        api.get(path + "?after=x").send().expect(400);
        api.post(path).send().expect(400);
    }

    @Test
    void conversationsAndKeysNameOnlyWorkflowsThatThereAre() {
        String keys = path.replace("/workflows", "/api-keys");
        String key =
                api.post(keys).json(Map.of("name", "any")).send().expect(201).text("/key");
        String id = api.post(path).json(document("one-task")).send().expect(201).text("/id");

        converse(key, OrganizationId.next().text()).expect(400);
        converse(key, id).expect(400);
        publish(id).expect(200);
        converse(key, id).expect(201);
        Map<String, Object> restricted = Map.of("name", "one", "workflow_id", id);
        api.post(keys).json(restricted).send().expect(201);

        api.delete(path + "/" + id).send().expect(204);
        converse(key, id).expect(400);
        api.post(keys).json(restricted).send().expect(400);
    }

    @Test
    void theDescriptionShowsTheWholeWorkflow() {
        JsonNode described = new Api()
                .get("/openapi/dashboard?format=json")
                .send()
                .expect(200)
                .json();

        assertThat(described
                        .at("/components/schemas/WorkflowWithDraft/properties")
                        .fieldNames())
                .toIterable()
                .contains("id", "published_version", "document", "errors")
                .doesNotContain("workflow");
        assertThat(described.at("/components/schemas/Violation/properties").fieldNames())
                .toIterable()
                .contains("error", "path", "detail");
    }

    @Test
    void theSchemaIsPublic() {
        Api.Answer schema =
                new Api().get("/schemas/workflow-definition.json").send().expect(200);

        assertThat(schema.header("Content-Type")).startsWith("application/schema+json");
        JsonNode expected = new com.fasterxml.jackson.databind.ObjectMapper().valueToTree(DefinitionSchema.tree());
        assertThat(schema.json()).isEqualTo(expected);
    }

    private static Api.Answer converse(String key, String workflow) {
        return new Api()
                .post("/developer/api/conversations")
                .key(key)
                .json(Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow)))
                .send();
    }

    @Test
    void aChangeAppliesOnlyToTheRevisionThatIfMatchNames() {
        Api.Answer made = api.post(path).json(document("one-task")).send().expect(201);
        String id = made.text("/id");
        String first = api.get(path + "/" + id).send().expect(200).header("ETag");
        assertThat(first).matches("\"[^\"]+\"");

        Api.Answer saved = put(id, "ten-tasks", first).expect(200);
        String second = saved.header("ETag");
        assertThat(second).isNotEqualTo(first);
        assertThat(put(id, "ten-tasks", second).expect(200).header("ETag")).isEqualTo(second);

        Api.Answer refused = put(id, "one-task", first).expect(412);
        assertThat(refused.text("/changed_by")).isEqualTo("user:" + user.text());
        assertThat(refused.text("/changed_at"))
                .isEqualTo(api.get(path + "/" + id).send().text("/updated_at"));
        assertThat(refused.text("/etag")).isEqualTo(second);
        api.post(path + "/" + id + "/publish").header("If-Match", first).send().expect(412);
        api.delete(path + "/" + id).header("If-Match", first).send().expect(412);
        put(id, "one-task", "W/" + first).expect(412);
        assertThat(api.get(path + "/" + id).send().text("/name")).isEqualTo("Ten tasks");

        api.post(path + "/" + id + "/publish").header("If-Match", second).send().expect(200);
        assertThat(put(id, "ten-tasks", "W/" + second).expect(200).header("ETag"))
                .isEqualTo(second);
        put(id, "one-task", "\"x\", " + second.replace("\"", "").transform(tag -> "\"" + tag + "-gzip\""))
                .expect(200);
        put(id, "ten-tasks", "*").expect(200);
        for (String malformed : List.of("", "3", "\"3", "* , \"3\"", "\"3\" \"4\"", "w/\"3\"")) {
            Api.Answer bad = put(id, "one-task", malformed).expect(400);
            assertThat(bad.text("/errors/0/path")).isEqualTo("/If-Match");
        }
        api.delete(path + "/" + id).header("If-Match", "*").send().expect(204);
    }

    @Test
    void ofTwoWritersOfOneRevisionOneIsRefused() throws Exception {
        String id = api.post(path).json(document("one-task")).send().expect(201).text("/id");
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 5; round++) {
                String tag = api.get(path + "/" + id).send().header("ETag");
                List<Future<Integer>> answers = new ArrayList<>();
                for (int writer = 0; writer < 4; writer++) {
                    String document = document("one-task").replace("One task", "Round " + round + " by " + writer);
                    answers.add(writers.submit(() -> api.put(path + "/" + id)
                            .header("If-Match", tag)
                            .json(document)
                            .send()
                            .status()));
                }
                List<Integer> statuses = new ArrayList<>();
                for (Future<Integer> answer : answers) {
                    statuses.add(answer.get());
                }
                assertThat(statuses).containsExactlyInAnyOrder(200, 412, 412, 412);
            }
        }
    }

    private Api.Answer put(String id, String document, String ifMatch) {
        return api.put(path + "/" + id)
                .header("If-Match", ifMatch)
                .json(document(document))
                .send();
    }

    private Api.Answer publish(String id) {
        return api.post(path + "/" + id + "/publish").send();
    }

    /** The example, assigned to the signed-in user. */
    private String document(String name) {
        return Examples.json(name).replace(Examples.USER.text(), user.text());
    }
}
