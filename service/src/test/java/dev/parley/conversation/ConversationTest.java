package dev.parley.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ConversationTest {
    private Tenant tenant;

    @BeforeEach
    void aTenant() {
        tenant = Tenant.create();
    }

    @Test
    void aConversationKeepsWhatItWasGiven() {
        Api.Answer made = tenant.post(
                        "/conversations",
                        "{\"config\": {\"callback_url\": \"http://127.0.0.1:9/hook\", \"big\": 12345678901234567890123},"
                                + " \"metadata\": {\"b\": 1.10, \"a\": null}}")
                .expect(201);
        String id = made.text("/id");
        assertThat(id).matches("[0-9a-f]{32}");
        assertThat(made.header("Location")).isEqualTo("/developer/api/conversations/" + id);
        assertThat(made.text("/channel")).isEqualTo("API");
        assertThat(made.text("/usecase")).isEqualTo("DEFAULT");
        assertThat(made.body()).contains("12345678901234567890123").contains("{\"b\":1.10,\"a\":null}");
        Api.Answer read = tenant.get("/conversations/" + id).expect(200);
        assertThat(read.json()).isEqualTo(made.json());
        String hyphenated = id.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
        assertThat(tenant.get("/conversations/" + hyphenated).expect(200).text("/id"))
                .isEqualTo(id);
    }

    @Test
    void anAnswerIsNotGivenAgainToAKeyOfAnotherTeam() {
        Api owner = tenant.browser();
        String path = "/dashboard/api/organizations/" + tenant.organization();
        String[] keys = new String[2];
        for (int i = 0; i < keys.length; i++) {
            String team = owner.post(path + "/teams")
                    .json(Map.of("name", "T" + i))
                    .send()
                    .expect(201)
                    .text("/id");
            keys[i] = owner.post(path + "/api-keys")
                    .json(Map.of("name", "K" + i, "team_id", Integer.parseInt(team)))
                    .send()
                    .expect(201)
                    .text("/key");
        }
        String first = once(keys[0]).expect(201).text("/id");
        assertThat(once(keys[0]).expect(201).text("/id")).isEqualTo(first);
        assertThat(once(keys[1]).expect(422).text("/error")).isEqualTo("Idempotency key reused");
    }

    private static Api.Answer once(String key) {
        return new Api()
                .post("/developer/api/conversations")
                .key(key)
                .header("Idempotency-Key", "shared")
                .json(Map.of())
                .send();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"channel\":\"SMS\"}|/channel",
                "{\"channel\":7}|/channel",
                "{\"usecase\":\"OTHER\"}|/usecase",
                "{\"usecase\":\"WORKFLOW_EXECUTION\"}|/config",
                "{\"usecase\":\"WORKFLOW_EXECUTION\",\"config\":{}}|/config/workflow_id",
                "{\"usecase\":\"WORKFLOW_EXECUTION\",\"config\":{\"workflow_id\":9}}|/config/workflow_id",
                "{\"usecase\":\"WORKFLOW_EXECUTION\",\"config\":{\"workflow_id\":\"x\"}}|/config/workflow_id",
                "{\"usecase\":\"WORKFLOW_EXECUTION\",\"config\":{\"workflow_id\":\"0192f0c17a3b7c4d8e5f60718293a4b5\"}}|/config/workflow_id",
                "{\"config\":{\"callback_url\":\"ftp://example.com\"}}|/config/callback_url",
                "{\"config\":{\"callback_url\":\"http://169.254.169.254/latest\"}}|/config/callback_url",
                "{\"config\":{\"callback_url\":\"http://2852039166/\"}}|/config/callback_url",
                "{\"config\":{\"callback_url\":\"/relative\"}}|/config/callback_url",
                "{\"config\":[]}|/config",
                "{\"metadata\":\"x\"}|/metadata",
                "{\"team_id\":\"3\"}|/team_id",
                "{\"team_id\":3.5}|/team_id",
                "{\"team_id\":99}|/team_id",
                "{\"name\":\"x\"}|/name",
            })
    void badInputGetsA400ThatNamesTheField(String body, String path) {
        Api.Answer answer = tenant.post("/conversations", body).expect(400);
        List<String> paths = new ArrayList<>();
        answer.json().get("errors").forEach(error -> paths.add(error.get("path").asText()));
        assertThat(paths).contains(path);
    }

    @Test
    void anIdempotentPostMakesOneConversation() {
        Api.Answer first = idempotent("{}").expect(201);
        Api.Answer second = idempotent("{ }").expect(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
        idempotent("{\"metadata\":{\"a\":1}}").expect(422);
    }

    @Test
    void anIdempotencyKeyIsFreeAfterADay() {
        String first = idempotent("{}").expect(201).text("/id");
        Tenant.bean(Database.class)
                .change(handle -> handle.execute(
                        "UPDATE idempotency SET created_at = now() - interval '24 hours 1 second'"
                                + " WHERE organization_id = ?",
                        tenant.organization()));
        String second = idempotent("{\"metadata\":{\"a\":1}}").expect(201).text("/id");
        assertThat(second).isNotEqualTo(first);
        assertThat(idempotent("{\"metadata\":{\"a\":1}}").expect(201).text("/id"))
                .isEqualTo(second);
    }

    @Test
    void anIdInTheConfigIsWrittenAsAllIdsAre() {
        String id = "0192f0c1a2b37c4d8e5f60718293a4b5";
        String sent = "0192F0C1-A2B3-7C4D-8E5F-60718293A4B5";
        Api.Answer made = tenant.post("/conversations", Map.of("config", Map.of("workflow_id", sent, "other", sent)))
                .expect(201);
        assertThat(made.text("/config/workflow_id")).isEqualTo(id);
        assertThat(made.text("/config/other")).isEqualTo(sent);
        assertThat(tenant.get("/conversations/" + made.text("/id")).text("/config/workflow_id"))
                .isEqualTo(id);
        assertThat(tenant.post("/conversations", "{\"config\":{\"workflow_id\":\"Mine\"}}")
                        .expect(201)
                        .text("/config/workflow_id"))
                .isEqualTo("Mine");
    }

    @Test
    void listsComeNewestFirstInPages() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.addFirst(tenant.conversation());
        }
        List<String> listed = new ArrayList<>();
        String after = "";
        do {
            Api.Answer page = tenant.get("/conversations?limit=2" + after).expect(200);
            page.json().get("items").forEach(item -> listed.add(item.get("id").asText()));
            String next = page.json().get("next").asText();
            after = page.json().get("next").isNull() ? "" : "&after=" + next;
        } while (!after.isEmpty());
        assertThat(listed).isEqualTo(made);
        assertThat(tenant.get("/conversations?usecase=WORKFLOW_EXECUTION")
                        .json()
                        .get("items")
                        .size())
                .isZero();
        assertThat(tenant.get("/conversations?limit=0").expect(400).text("/errors/0/detail"))
                .startsWith("'limit'");
        assertThat(tenant.get("/conversations?after=zz").expect(400).text("/errors/0/detail"))
                .startsWith("'after'");
        assertThat(tenant.get("/conversations?usecase=X").expect(400).text("/errors/0/detail"))
                .startsWith("'usecase'");
    }

    @Test
    void everyFieldOfTheWrongTypeIsReportedAtOnce() {
        Api.Answer answer = tenant.post(
                        "/conversations",
                        "{\"usecase\":1,\"team_id\":\"3\",\"config\":[],\"kind\":\"x\",\"channel\":true}")
                .expect(400);
        assertThat(answer.json().at("/errors").findValuesAsText("path"))
                .containsExactly("/channel", "/config", "/kind", "/team_id", "/usecase");
    }

    @Test
    void anEmptyBodyMakesADefaultConversation() {
        assertThat(tenant.post("/conversations", "").expect(201).text("/usecase"))
                .isEqualTo("DEFAULT");
        tenant.post("/conversations", "[]").expect(400);
        tenant.post("/conversations", "null").expect(400);
        tenant.post("/conversations", Map.of("config", Map.of("x", "y".repeat(70_000))))
                .expect(400);
    }

    private Api.Answer idempotent(String body) {
        return new Api()
                .post("/developer/api/conversations")
                .key(tenant.key())
                .header("Idempotency-Key", "c1")
                .json(body)
                .send();
    }
}
