package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.db.ReleaseFixture;
import dev.parley.id.ApiKeyId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.media.TestFiles;
import dev.parley.organization.Role;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.settings.Setting;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Writes the fixture of a release: drives the service over HTTP until nearly every table has rows, and copies the tables.
 * CONTRIBUTING.md has the command.
 */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
@EnabledIfSystemProperty(named = ReleaseFixtureWriterTest.RELEASE, matches = "[0-9.]+")
class ReleaseFixtureWriterTest {
    static final String RELEASE = "parley.write-release";

    private static final String PASSWORD = "a password of the fixture";
    private static final String LONG_WAIT = "offline:wait 600000";

    /** Rows that exist for moments only, and those of sign-ins at a provider, by table. */
    private static final Map<String, String> REST = Map.of(
            "sub_workflow_end",
            "VALUES (:organization, :id, 'task', 'key', now())",
            "user_identity",
            "SELECT 'https://id.example', 'subject', id, email, now() FROM app_user WHERE proven_at IS NOT NULL LIMIT 1",
            "used_sign_in",
            "VALUES ('\\x01', now() + interval '5 minutes')",
            "budget_wait",
            "VALUES (:organization, :id, 'task', 1, :id, NULL, 100, 2000, now())",
            "budget_reservation",
            "VALUES (:organization, :id, NULL, now(), '{1}', ARRAY[date_trunc('day', now())], '{100}')",
            "audit_entry_continuation",
            "SELECT organization_id, id, at, changes FROM audit_entry LIMIT 1",
            "workflow_task_attempt",
            "VALUES (:organization, :id, :id, '{}', '{}')");

    @Inject
    TestOrganizations organizations;

    @Inject
    Database database;

    private ApiFixture api;
    private Tenant tenant;
    private String org;

    @Test
    void writesTheDataOfTheRelease() throws IOException {
        api = new ApiFixture(organizations);
        org = "/dashboard/api/organizations/" + id("orgId");
        tenant = new Tenant(
                OrganizationId.parse(id("orgId")).orElseThrow(),
                UserId.parse(api.browser.get("/dashboard/api/me").send().text("/id"))
                        .orElseThrow(),
                ApiKeyId.next(),
                api.key);
        TestOrganizations.TestUser person = people();
        clients();
        work();
        Map<String, String> values = Map.of(
                "release", System.getProperty(RELEASE),
                "secret", System.getProperty(Setting.PARLEY_SECRET.name()),
                "organization", id("orgId"),
                "key", api.key,
                "email", person.email(),
                "password", PASSWORD,
                "conversation", id("conversationId"),
                "ticket", id("ticketId"),
                "instance", id("instanceId"));
        // Some rows are written with a delay.
        var fixture = new AtomicReference<ReleaseFixture>();
        List<String> _ = Tenant.eventually(
                Duration.ofMinutes(2),
                () -> {
                    insertRest();
                    ReleaseFixture copy = ReleaseFixture.of(database, values);
                    fixture.set(copy);
                    return copy.tables().stream()
                            .filter(table -> table.rows().isEmpty())
                            .map(ReleaseFixture.CopiedTable::name)
                            .toList();
                },
                List::isEmpty);
        assertThat(fixture.get().write()).isNotEmptyFile();
    }

    private void insertRest() {
        REST.forEach((table, rows) -> database.change(handle -> {
            if (handle.select("SELECT 1 FROM " + table)
                    .mapTo(Integer.class)
                    .list()
                    .isEmpty()) {
                handle.execute("INSERT INTO " + table + " "
                        + rows.replace(
                                        ":organization",
                                        "'" + tenant.organization().value() + "'")
                                .replace(":id", "'" + UUID.randomUUID() + "'"));
            }
        }));
    }

    private String id(String parameter) {
        return api.parameters.get(parameter);
    }

    private TestOrganizations.TestUser people() {
        TestOrganizations.TestUser person = organizations.withPassword(PASSWORD);
        organizations.join(tenant.organization(), person, Role.ADMIN);
        Api.dashboard().login(person.email(), "another password");
        Api.dashboard().login(person.email(), PASSWORD).expect(200);
        api.browser
                .put(org + "/teams/" + id("teamId") + "/members/" + id("userId"))
                .send()
                .expect(204);
        post("/members", Map.of("email", "invited@parley.example", "name", "Invited", "role", "member"));
        post("/members/" + id("userId") + "/reset-link", Map.of());
        return person;
    }

    private void clients() {
        new Api()
                .post("/developer/api/conversations")
                .key(api.key)
                .header("Idempotency-Key", "once")
                .json(Map.of())
                .send()
                .expect(201);
        new Api()
                .post("/v1/responses")
                .key(api.key)
                .json(Map.of("model", "default", "input", "Hello", "store", true))
                .send()
                .expect(200);
        TestFiles.sent(tenant, "broken.pdf", "application/pdf", TestFiles.PDF);
        api.browser
                .put(org + "/conversations/" + id("conversationId") + "/read-position")
                .json(api.bodies.get(
                        "PUT /dashboard/api/organizations/{orgId}/conversations/{conversationId}/read-position"))
                .send();
        post("/tickets/" + id("ticketId") + "/comment", Map.of("text", "On it"));
        String draft =
                String.valueOf(api.bodies.get("PUT /dashboard/api/organizations/{orgId}/workflows/{workflowId}"));
        for (String name : List.of("Once more", "And again")) {
            api.browser
                    .put(org + "/workflows/" + id("workflowId"))
                    .json(draft.replaceFirst("\"name\": \"[^\"]*\"", "\"name\": \"" + name + "\""))
                    .send()
                    .expect(200);
        }
    }

    /** Runs that ended, that wait for a person, and that are interrupted. */
    private void work() {
        String answering = Workflows.of(tenant).ai("answer").publish().text();
        String conversation = tenant.post(
                        "/conversations",
                        Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", answering)))
                .expect(201)
                .text("/id");
        tenant.send(conversation, "Hello").expect(200);
        tenant.send(tenant.conversation(), LONG_WAIT).expect(200);
        trigger(answering, Map.of("human_msg", LONG_WAIT), 0);

        int artifact = api.browser
                .post(org + "/code-artifacts")
                .json(Map.of(
                        "name", "Logging",
                        "language", "javascript",
                        "source", "function main(i) { console.log('doubled'); return { y: 2 * i.x }; }"))
                .send()
                .expect(201)
                .json()
                .at("/id")
                .asInt();
        Map<String, Object> coder = Map.of(
                "kind",
                "Coder",
                "code_artifact_id",
                artifact,
                "input_parameters",
                List.of(Workflows.input("x", "INTEGER", "human_input", true)),
                "expected_output",
                List.of(Workflows.output("y", "INTEGER")));
        trigger(Workflows.of(tenant).task("code", coder).publish().text(), Map.of("inputs", Map.of("x", 2)), 120);

        Map<String, Object> asking = Map.of(
                "kind", "AI",
                "input_parameters", List.of(Workflows.input("human_msg", "STRING", "system_generated", true)),
                "expected_output", List.of(Workflows.output("answer", "STRING")),
                "tools", List.of(Map.of("id", 1, "approval", "always")));
        String call = "offline:call http.request {\"method\": \"POST\", \"url\": \"http://127.0.0.1:1/\"}";
        trigger(Workflows.of(tenant).task("pay", asking).publish().text(), Map.of("human_msg", call), 20);
    }

    private void trigger(String workflow, Map<String, Object> body, int wait) {
        int status = tenant.post("/workflows/" + workflow + "/trigger/sync?wait_seconds=" + wait, body)
                .status();
        assertThat(status).isIn(200, 202);
    }

    private void post(String path, Object body) {
        Api.Answer answer = api.browser.post(org + path).json(body).send();
        assertThat(answer.status()).as(answer.body()).isBetween(200, 204);
    }
}
