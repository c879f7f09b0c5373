package dev.parley.apikey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.TestClock;
import dev.parley.db.Database;
import dev.parley.id.WorkflowId;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.workflow.definition.WorkflowService;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ApiKeyResourceTest {
    @Inject
    TestOrganizations organizations;

    @Inject
    Database database;

    @Inject
    WorkflowService workflows;

    @Inject
    TestClock clock;

    private Tenant tenant;
    private Api admin;
    private String keys;

    @BeforeEach
    void aTenant() {
        tenant = organizations.create();
        admin = tenant.admin().browser();
        keys = tenant.path() + "/api-keys";
    }

    @AfterEach
    void theRealTime() {
        clock.reset();
    }

    @Test
    void aKeyIsShownOnceAndWorks() {
        Api.Answer created =
                admin.post(keys).json(Map.of("name", "First")).send().expect(201);
        String key = created.text("/key");
        assertThat(key).matches("sk-[0-9A-Za-z]{43}");
        assertThat(created.text("/prefix")).isEqualTo(key.substring(0, 7));
        assertThat(created.text("/last_four")).isEqualTo(key.substring(42));
        assertThat(status(key)).isEqualTo(404);

        Api.Answer list = admin.get(keys).send().expect(200);
        assertThat(list.text("/items/0/id")).isEqualTo(created.text("/id"));
        assertThat(list.text("/items/0/name")).isEqualTo("First");
        assertThat(list.text("/items/0/created_by"))
                .isEqualTo("user:" + tenant.admin().id());
        assertThat(list.json().at("/items/0/revoked_at").isNull()).isTrue();
        assertThat(list.json().at("/items/0").properties().stream().map(Map.Entry::getKey))
                .containsExactly(
                        "id",
                        "name",
                        "prefix",
                        "last_four",
                        "team_id",
                        "workflow_id",
                        "expires_at",
                        "last_used_at",
                        "created_by",
                        "created_at",
                        "revoked_at",
                        "replaced_by");
        assertThat(list.body()).doesNotContain(key.substring(8, 40));
    }

    @Test
    void theKeyIsNowhereInTheDatabase() {
        String key = admin.post(keys).json(Map.of("name", "Hidden")).send().text("/key");
        String row = database.with(
                handle -> handle.createQuery("SELECT api_key::text FROM api_key WHERE organization_id = :id")
                        .bind("id", tenant.id())
                        .mapTo(String.class)
                        .one());
        assertThat(row)
                .doesNotContain(key.substring(8))
                .doesNotContain(HexFormat.of().formatHex(key.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    @Test
    void aRevokedKeyIsRefusedAtOnceAndStaysInTheList() {
        Api.Answer created =
                admin.post(keys).json(Map.of("name", "Gone")).send().expect(201);
        assertThat(status(created.text("/key"))).isEqualTo(404);
        admin.delete(keys + "/" + created.text("/id")).send().expect(204);
        assertThat(status(created.text("/key"))).isEqualTo(401);
        String revokedAt = admin.get(keys).send().text("/items/0/revoked_at");
        admin.delete(keys + "/" + created.text("/id")).send().expect(204);
        assertThat(admin.get(keys).send().text("/items/0/revoked_at"))
                .isEqualTo(revokedAt)
                .endsWith("Z");
    }

    @Test
    void aKeyOfATeamEndsWithItsTeam() {
        String team = admin.post(tenant.path() + "/teams")
                .json(Map.of("name", "T"))
                .send()
                .text("/id");
        String key = admin.post(keys)
                .json("{\"name\": \"Of a team\", \"team_id\": " + team + "}")
                .send()
                .expect(201)
                .text("/key");
        assertThat(status(key)).isEqualTo(404);
        admin.delete(tenant.path() + "/teams/" + team).send().expect(204);
        java.time.Instant deadline = java.time.Instant.now().plusSeconds(1);
        while (status(key) != 401) {
            assertThat(java.time.Instant.now()).isBefore(deadline);
        }
    }

    @Test
    void aKeyExpires() {
        String end = clock.instant().plus(Duration.ofDays(1)).toString();
        String key = admin.post(keys)
                .json(Map.of("name", "Short", "expires_at", end))
                .send()
                .expect(201)
                .text("/key");
        assertThat(status(key)).isEqualTo(404);
        clock.advance(Duration.ofDays(1));
        assertThat(status(key)).isEqualTo(401);
    }

    @Test
    void aKeyWithADateWorksUntilTheEndOfThatDay() {
        LocalDate tomorrow =
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).plusDays(1);
        Api.Answer created = admin.post(keys)
                .json(Map.of("name", "Tomorrow", "expires_at", tomorrow.toString()))
                .send()
                .expect(201);
        assertThat(created.text("/expires_at")).isEqualTo(tomorrow + "T23:59:59.999Z");
        Instant end = tomorrow.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        clock.advance(Duration.between(clock.instant(), end).minusMinutes(5));
        assertThat(status(created.text("/key"))).isEqualTo(404);
        clock.advance(Duration.ofMinutes(5));
        assertThat(status(created.text("/key"))).isEqualTo(401);
    }

    @Test
    void aRolledKeyWorksUntilItsOverlapEnds() {
        String end = clock.instant().plus(Duration.ofDays(90)).toString();
        Api.Answer old = admin.post(keys)
                .json(Map.of("name", "Billing", "expires_at", end))
                .send()
                .expect(201);
        String path = keys + "/" + old.text("/id");
        Api.Answer rolled = admin.post(path + "/roll")
                .json(Map.of("overlap_minutes", 60))
                .send()
                .expect(201);
        assertThat(rolled.text("/name")).isEqualTo("Billing");
        assertThat(rolled.json().at("/expires_at").isNull()).isTrue();
        assertThat(status(old.text("/key"))).isEqualTo(404);
        assertThat(status(rolled.text("/key"))).isEqualTo(404);
        assertThat(admin.get(keys).send().text("/items/1/replaced_by")).isEqualTo(rolled.text("/id"));
        admin.post(path + "/roll").json(Map.of("overlap_minutes", 60)).send().expect(409);
        clock.advance(Duration.ofMinutes(61));
        assertThat(status(old.text("/key"))).isEqualTo(401);
        assertThat(status(rolled.text("/key"))).isEqualTo(404);
    }

    @Test
    void aKeyRolledWithoutOverlapIsRevokedAtOnce() {
        Api.Answer old = admin.post(keys).json(Map.of("name", "Leaked")).send().expect(201);
        assertThat(status(old.text("/key"))).isEqualTo(404);
        String path = keys + "/" + old.text("/id") + "/roll";
        for (int minutes : new int[] {-1, 10_081}) {
            assertThat(admin.post(path)
                            .json(Map.of("overlap_minutes", minutes))
                            .send()
                            .expect(400)
                            .text("/errors/0/path"))
                    .isEqualTo("/overlap_minutes");
        }
        admin.post(path).json(Map.of("overlap_minutes", 0)).send().expect(201);
        assertThat(status(old.text("/key"))).isEqualTo(401);
        admin.post(path).json(Map.of("overlap_minutes", 0)).send().expect(409);
        assertThat(admin.get(keys + "?active=true").send().json().at("/items")).hasSize(1);
    }

    @Test
    void keysAreRenamedAndFound() {
        String id = admin.post(keys).json(Map.of("name", "Old")).send().text("/id");
        admin.post(keys).json(Map.of("name", "Other")).send().expect(201);
        assertThat(admin.patch(keys + "/" + id)
                        .json(Map.of("name", "Nightly import"))
                        .send()
                        .expect(200)
                        .text("/name"))
                .isEqualTo("Nightly import");
        assertThat(admin.patch(keys + "/" + id)
                        .json(Map.of("name", " "))
                        .send()
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/name");
        Api.Answer found = admin.get(keys + "?search=IMPORT&active=true").send().expect(200);
        assertThat(found.json().at("/items")).hasSize(1);
        assertThat(found.text("/items/0/id")).isEqualTo(id);
        admin.get(keys + "?active=maybe").send().expect(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | /name",
                "{\"name\": null} | /name",
                "{\"name\": \"\"} | /name",
                "{\"name\": \"   \"} | /name",
                "{\"name\": 5} | /name",
                "{\"name\": \"a\\u0000b\"} | /name",
                "{\"name\": \"a\", \"team_id\": 99} | /team_id",
                "{\"name\": \"a\", \"team_id\": -1} | /team_id",
                "{\"name\": \"a\", \"team_id\": \"1\"} | /team_id",
                "{\"name\": \"a\", \"team_id\": 1.5} | /team_id",
                "{\"name\": \"a\", \"team_id\": 99999999999} | /team_id",
                "{\"name\": \"a\", \"workflow_id\": \"x\"} | /workflow_id",
                "{\"name\": \"a\", \"workflow_id\": \"0192f0c1a2b37c4d8e5f60718293a4b5\"} | /workflow_id",
                "{\"name\": \"a\", \"expires_at\": \"tomorrow\"} | /expires_at",
                "{\"name\": \"a\", \"expires_at\": \"2020-01-01T00:00:00Z\"} | /expires_at",
                "{\"name\": \"a\", \"expires_at\": \"2020-01-01\"} | /expires_at",
                "{\"name\": \"a\", \"expires_at\": \"2031-02-29\"} | /expires_at",
                "{\"name\": \"a\", \"expires_at\": \"2031-2-1\"} | /expires_at",
                "{\"name\": \"a\", \"expires_at\": 5} | /expires_at",
                "{\"name\": \"a\", \"key\": \"sk-mine\"} | /key",
            })
    void eachViolationIsNamed(String body, String path) {
        Api.Answer answer = admin.post(keys).json(body).send().expect(400);
        assertThat(answer.text("/error")).isEqualTo("Validation failed");
        assertThat(answer.text("/errors/0/path")).isEqualTo(path);
    }

    @Test
    void allViolationsAreReportedAtOnce() {
        Api.Answer answer = admin.post(keys)
                .json("{\"team_id\": 99, \"workflow_id\": \"x\", \"expires_at\": \"x\"}")
                .send()
                .expect(400);
        assertThat(answer.json().at("/errors").findValuesAsText("path"))
                .containsExactly("/expires_at", "/name", "/team_id", "/workflow_id");
    }

    @Test
    void anotherOrganizationsTeamIsNotThere() {
        Tenant other = organizations.create();
        String team = other.owner()
                .browser()
                .post(other.path() + "/teams")
                .json(Map.of("name", "Theirs"))
                .send()
                .text("/id");
        assertThat(admin.post(keys)
                        .json("{\"name\": \"a\", \"team_id\": " + team + "}")
                        .send()
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/team_id");
    }

    @Test
    void aKeyMayBeRestrictedToAWorkflowOfTheOrganization() {
        Tenant other = organizations.create();
        WorkflowId ours = workflows
                .create(tenant.id(), Map.of("name", "W"), false, "system")
                .id();
        WorkflowId theirs = workflows
                .create(other.id(), Map.of("name", "W"), false, "system")
                .id();
        assertThat(admin.post(keys)
                        .json(Map.of("name", "a", "workflow_id", ours.value().toString()))
                        .send()
                        .expect(201)
                        .text("/workflow_id"))
                .isEqualTo(ours.text());
        assertThat(admin.post(keys)
                        .json(Map.of("name", "a", "workflow_id", theirs.text()))
                        .send()
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/workflow_id");
    }

    @Test
    void membersHaveNothingToDoWithKeys() {
        Api member = tenant.member().browser();
        String id = admin.post(keys).json(Map.of("name", "x")).send().text("/id");
        member.get(keys).send().expect(403);
        member.post(keys).json(Map.of("name", "x")).send().expect(403);
        member.delete(keys + "/" + id).send().expect(403);
        member.patch(keys + "/" + id).json(Map.of("name", "y")).send().expect(403);
        member.post(keys + "/" + id + "/roll")
                .json(Map.of("overlap_minutes", 0))
                .send()
                .expect(403);
        Api operator = organizations.operator().browser();
        operator.get(keys).send().expect(404);
        admin.delete(keys + "/" + WorkflowId.next()).send().expect(404);
        admin.delete(keys + "/x").send().expect(404);
    }

    private int status(String key) {
        return new Api().get("/developer/api/nothing").key(key).send().status();
    }
}
