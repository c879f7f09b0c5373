package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.tool.catalog.BuiltInToolId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who did what, when and from where. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class AuditLogTest {
    @Inject
    TestOrganizations organizations;

    @Inject
    Database database;

    @Test
    void changesAreLoggedWithUserTimeAndOrigin() {
        Tenant tenant = organizations.create();
        Api admin = tenant.admin().browser();
        String key = admin.post(tenant.path() + "/api-keys")
                .header("User-Agent", "audit-test")
                .json(Map.of("name", "k"))
                .send()
                .expect(201)
                .text("/id");
        admin.delete(tenant.path() + "/api-keys/" + key).send().expect(204);
        admin.post(tenant.path() + "/api-keys").json(Map.of()).send().expect(400);

        JsonNode items = admin.get(tenant.path() + "/audit-log")
                .send()
                .expect(200)
                .json()
                .get("items");

        assertThat(items.findValuesAsText("action")).containsExactly("api-keys.delete", "api-keys.create");
        assertThat(items.findValuesAsText("target")).containsOnly(key);
        JsonNode made = items.get(1);
        assertThat(made.get("actor").asText()).isEqualTo(tenant.admin().email());
        assertThat(made.get("user_id").asText()).isEqualTo(tenant.admin().id().text());
        assertThat(made.get("user_agent").asText()).isEqualTo("audit-test");
        assertThat(made.get("address").asText()).isIn("127.0.0.1", "::1");
        assertThat(made.get("request_id").asText()).matches("[0-9a-f]{32}");
        assertThat(made.toString()).doesNotContain("sk-");
    }

    @Test
    void createdIdsAreLoggedForEveryFormOfResponse() {
        Tenant tenant = organizations.create();
        Api admin = tenant.admin().browser();
        String conversation = admin.post(tenant.path() + "/conversations")
                .json(Map.of())
                .send()
                .expect(201)
                .text("/id");
        String lake = admin.post(tenant.path() + "/data-lakes")
                .json(Map.of("name", "Orders", "format", "csv"))
                .send()
                .expect(201)
                .text("/data_lake/id");

        JsonNode items = admin.get(tenant.path() + "/audit-log")
                .send()
                .expect(200)
                .json()
                .get("items");

        assertThat(items.findValuesAsText("action")).containsExactly("data-lakes.upload", "conversations.create");
        assertThat(items.findValuesAsText("target")).containsExactly(lake, conversation);
    }

    @Test
    void aDryRunOfUnsavedCodeIsLoggedWithoutATarget() {
        Tenant tenant = organizations.create();
        Api admin = tenant.admin().browser();
        admin.post(tenant.path() + "/code-artifacts/dry-run")
                .json(Map.of("language", "javascript", "source", "function main() { return {}; }"))
                .send()
                .expect(200);

        JsonNode items = admin.get(tenant.path() + "/audit-log")
                .send()
                .expect(200)
                .json()
                .get("items");

        assertThat(items.findValuesAsText("action")).containsExactly("code-artifacts.dry-run");
        assertThat(items.at("/0/target").isNull()).isTrue();
        assertThat(items.at("/0/target_exists").asBoolean()).isFalse();
    }

    @Test
    void entriesNameTheirTargetAndItsChangesEvenAfterItsDeletion() {
        Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        String team = owner.post(tenant.path() + "/teams")
                .json(Map.of("name", "Accounting"))
                .send()
                .expect(201)
                .text("/id");
        String teamPath = tenant.path() + "/teams/" + team;
        String member = "/members/" + tenant.member().id().text();
        owner.patch(teamPath).json(Map.of("name", "Finance")).send().expect(200);
        owner.put(teamPath + member).send().expect(204);
        owner.patch(tenant.path() + member).json(Map.of("role", "admin")).send().expect(200);
        owner.delete(teamPath).send().expect(204);
        String endpoint = owner.post(tenant.path() + "/webhook-endpoints")
                .json(Map.of(
                        "url", "http://127.0.0.1:9/hooks?token=t0psecret", "event_types", List.of("message.created")))
                .send()
                .expect(201)
                .text("/id");
        owner.delete(tenant.path() + "/webhook-endpoints/" + endpoint).send().expect(204);

        JsonNode items = owner.get(tenant.path() + "/audit-log")
                .send()
                .expect(200)
                .json()
                .get("items");

        assertThat(items.findValuesAsText("action"))
                .containsExactly(
                        "webhook-endpoints.delete",
                        "webhook-endpoints.create",
                        "teams.delete",
                        "members.update",
                        "teams.members.update",
                        "teams.update",
                        "teams.create");
        assertThat(items.findValuesAsText("target_name"))
                .containsExactly(
                        "http://127.0.0.1:9/hooks",
                        "http://127.0.0.1:9/hooks",
                        "Finance",
                        "TestUser",
                        "TestUser",
                        "Finance",
                        "Accounting");
        assertThat(items.findValuesAsText("target_exists"))
                .containsExactly("false", "false", "false", "true", "true", "false", "false");
        assertThat(changes(items.get(3))).containsExactly("role: member → admin");
        assertThat(changes(items.get(4))).containsExactly("team: null → Finance");
        assertThat(changes(items.get(5))).containsExactly("name: Accounting → Finance");
        assertThat(changes(items.get(0))).contains("events: message.created → null", "enabled: true → null");
        assertThat(items.toString()).doesNotContain("t0psecret");
    }

    @Test
    void repeatedSavesOfADraftByOnePersonHaveOneEntry() {
        Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        Api admin = tenant.admin().browser();
        String id = owner.post(tenant.path() + "/workflows?allow_invalid=true")
                .json(draft("Porter", "one"))
                .send()
                .expect(201)
                .text("/id");
        String save = tenant.path() + "/workflows/" + id + "?allow_invalid=true";
        owner.put(save).json(draft("Porter", "two")).send().expect(200);
        owner.put(save).json(draft("Porter", "three")).send().expect(200);
        owner.put(save).json(draft("Night porter", "three")).send().expect(200);
        owner.put(save).json(draft("Night porter", "four")).send().expect(200);
        admin.put(save).json(draft("Night porter", "five")).send().expect(200);
        admin.put(save).json(draft("Night porter", "six")).send().expect(200);
        owner.put(save).json(draft("Night porter", "seven")).send().expect(200);

        JsonNode items = owner.get(tenant.path() + "/audit-log")
                .send()
                .expect(200)
                .json()
                .get("items");

        assertThat(items.findValuesAsText("action"))
                .containsExactly(
                        "workflows.update",
                        "workflows.update",
                        "workflows.update",
                        "workflows.update",
                        "workflows.create");
        assertThat(items.findValuesAsText("actor"))
                .containsExactly(
                        tenant.owner().email(),
                        tenant.admin().email(),
                        tenant.owner().email(),
                        tenant.owner().email(),
                        tenant.owner().email());
        assertThat(changes(items.get(3)))
                .as("both saves, until the next change")
                .containsExactly("description: one → three", "draft: 1 → 3");
        assertThat(changes(items.get(2)))
                .containsExactlyInAnyOrder("name: Porter → Night porter", "description: three → four", "draft: 3 → 5");
        assertThat(changes(items.get(1))).containsExactly("description: four → six", "draft: 5 → 7");
        assertThat(Instant.parse(items.at("/1/until").asText()))
                .isAfter(Instant.parse(items.at("/1/at").asText()));
        assertThat(items.at("/0/until").isNull()).isTrue();
        assertThat(owner.get(tenant.path() + "/audit-log/export")
                        .send()
                        .expect(200)
                        .body())
                .contains("draft: 5 → 7")
                .contains("\"" + items.at("/1/until").asText() + "\"");
        String since = items.at("/1/until").asText();
        assertThat(owner.get(tenant.path() + "/audit-log?since=" + since)
                        .send()
                        .expect(200)
                        .json()
                        .at("/items"))
                .as("an entry that covers a save since then is found")
                .hasSize(2);
    }

    @Test
    void laterSavesOfAnEntryAreNotChangedByHand() {
        Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        String id = owner.post(tenant.path() + "/workflows?allow_invalid=true")
                .json(draft("Porter", "one"))
                .send()
                .expect(201)
                .text("/id");
        for (String description : List.of("two", "three")) {
            owner.put(tenant.path() + "/workflows/" + id + "?allow_invalid=true")
                    .json(draft("Porter", description))
                    .send()
                    .expect(200);
        }
        for (String change : List.of(
                "UPDATE audit_entry_continuation SET until = until - interval '1 second'",
                "DELETE FROM audit_entry_continuation")) {
            assertThatThrownBy(() -> database.change(handle -> handle.execute(
                            change + " WHERE organization_id = ?", tenant.id().value())))
                    .hasStackTraceContaining("only moves on");
        }
    }

    private static Map<String, Object> draft(String name, String description) {
        return Map.of("name", name, "description", description);
    }

    @Test
    void entriesOfABulkActionAreOnePerTicketAndReadingIsNotLogged() {
        Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        owner.post(tenant.path() + "/tickets/claim")
                .json(Map.of("ticket_ids", List.of("0192f0c1a2b37c4d8e5f60718293a4b5")))
                .send()
                .expect(200);

        assertThat(count(owner, tenant.path() + "/audit-log")).isZero();
    }

    @Test
    void theLogIsExportedAsCsvWithoutFormulas() {
        Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        owner.post(tenant.path() + "/teams")
                .json(Map.of("name", "=HYPERLINK(\"http://x\")"))
                .send()
                .expect(201);
        owner.post(tenant.path() + "/teams")
                .json(Map.of("name", "Sales"))
                .send()
                .expect(201);
        String export = tenant.path() + "/audit-log/export";

        Api.Answer all = owner.get(export).send().expect(200);

        assertThat(all.header("Content-Type")).startsWith("text/csv");
        assertThat(all.header("Content-Disposition")).isEqualTo("attachment; filename=\"audit-log.csv\"");
        assertThat(all.body().lines()).hasSize(3);
        assertThat(all.body())
                .startsWith("\uFEFFtime,person,action,target_id,target_name,changes,")
                .contains("\"teams.create\",\"1\",\"'=HYPERLINK(\"\"http://x\"\")\"");
        assertThat(owner.get(export + "?target=sales").send().expect(200).body().lines())
                .hasSize(2);
        owner.get(export + "?since=yesterday").send().expect(400);
        tenant.member().browser().get(export).send().expect(403);
        organizations.create().owner().browser().get(export).send().expect(404);
    }

    @Test
    void aNewTitleOfAConversationIsOneChange() {
        Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        String id = owner.post(tenant.path() + "/conversations")
                .json(Map.of())
                .send()
                .expect(201)
                .text("/id");
        String conversation = tenant.path() + "/conversations/" + id;
        owner.patch(conversation)
                .json(Collections.singletonMap("title", null))
                .send()
                .expect(200);
        owner.patch(conversation).json(Map.of("title", "Trip")).send().expect(200);
        owner.patch(conversation).json(Map.of("title", "Trip")).send().expect(200);
        owner.patch(conversation)
                .json(Collections.singletonMap("title", null))
                .send()
                .expect(200);

        JsonNode changes = owner.get(tenant.path() + "/audit-log?changes_only=true")
                .send()
                .expect(200)
                .json()
                .get("items");
        assertThat(changes.findValuesAsText("action")).containsExactly("conversations.update", "conversations.update");
        assertThat(changes.at("/0/changes").toString())
                .isEqualTo("[{\"field\":\"title\",\"before\":\"Trip\",\"after\":null}]");
        assertThat(changes.at("/1/changes").toString())
                .isEqualTo("[{\"field\":\"title\",\"before\":null,\"after\":\"Trip\"}]");
    }

    @Test
    void usesNameTheirTargetsAndAreLeftOutOfTheChanges() {
        Tenant tenant = organizations.create();
        Api owner = tenant.owner().browser();
        String conversation = owner.post(tenant.path() + "/conversations")
                .json(Map.of())
                .send()
                .expect(201)
                .text("/id");
        owner.post(tenant.path() + "/conversations/" + conversation + "/messages")
                .json(Map.of("content_type", "text", "content", "Trip to Linz"))
                .send()
                .expect(200);
        owner.post(tenant.path() + "/media/presigned-url")
                .json(Map.of("filename", "invoice.pdf", "content_type", "application/pdf", "size", 9))
                .send()
                .expect(201);
        owner.post(tenant.path() + "/tools/1/try")
                .json(Map.of("arguments", Map.of("url", "http://127.0.0.1:1/")))
                .send();
        owner.post(tenant.path() + "/teams")
                .json(Map.of("name", "Sales"))
                .send()
                .expect(201);

        JsonNode all = owner.get(tenant.path() + "/audit-log")
                .send()
                .expect(200)
                .json()
                .get("items");
        assertThat(all.findValuesAsText("action"))
                .containsExactly(
                        "teams.create",
                        "tools.try",
                        "media.presigned-url",
                        "conversations.messages.create",
                        "conversations.create");
        assertThat(all.at("/1/target_name").asText()).isEqualTo("HTTP request");
        assertThat(all.at("/1/target_exists").asBoolean()).isTrue();
        assertThat(all.at("/2/target_name").asText()).endsWith("invoice.pdf");
        assertThat(all.at("/3/target_name").asText()).isEqualTo("Trip to Linz");
        String changes = tenant.path() + "/audit-log?changes_only=";
        assertThat(owner.get(changes + "true").send().expect(200).json().findValuesAsText("action"))
                .containsExactly("teams.create");
        assertThat(count(owner, changes + "false")).isEqualTo(5);
        owner.get(changes + "maybe").send().expect(400);
    }

    /** The log cannot import the tools, so it repeats their titles. */
    @Test
    void builtInToolsAreNamedAsInTheCatalogue() {
        for (BuiltInToolId tool : BuiltInToolId.values()) {
            assertThat(AuditTargetKind.TOOL.query())
                    .contains("(" + tool.id() + ", '" + tool.catalogueEntry().title() + "')");
        }
    }

    @Test
    void theLogIsFilteredAndPaged() {
        Tenant tenant = organizations.create();
        for (String name : List.of("a", "b", "c")) {
            tenant.admin()
                    .browser()
                    .post(tenant.path() + "/teams")
                    .json(Map.of("name", name))
                    .send()
                    .expect(201);
        }
        tenant.owner()
                .browser()
                .patch(tenant.path())
                .json(Map.of("name", "New"))
                .send()
                .expect(200);
        Api admin = tenant.admin().browser();
        String log = tenant.path() + "/audit-log";

        assertThat(count(admin, log + "?action=teams.create")).isEqualTo(3);
        assertThat(count(admin, log + "?action=teams")).isEqualTo(3);
        assertThat(count(admin, log + "?action=team")).isZero();
        assertThat(count(admin, log + "?user_id=" + tenant.owner().id().text())).isEqualTo(1);
        assertThat(count(admin, log + "?target=B")).isEqualTo(1);
        assertThat(count(admin, log + "?target=2&since=2020-01-01T00:00:00Z")).isEqualTo(1);
        admin.get(log + "?target=%00").send().expect(400);
        assertThat(count(admin, log + "?until=2020-01-01T00:00:00Z")).isZero();
        JsonNode first = admin.get(log + "?limit=3").send().expect(200).json();
        assertThat(count(admin, log + "?limit=3&after=" + first.get("next").asText()))
                .isEqualTo(1);
        admin.get(log + "?since=yesterday").send().expect(400);
    }

    @Test
    void onlyOwnersAndAdminsOfTheOrganizationReadIt() {
        Tenant tenant = organizations.create();
        Tenant other = organizations.create();
        String log = tenant.path() + "/audit-log";

        tenant.member().browser().get(log).send().expect(403);
        other.owner().browser().get(log).send().expect(404);
        tenant.owner().browser().get(log).send().expect(200);
    }

    @Test
    void entriesCannotBeChangedOrDeleted() {
        Tenant tenant = organizations.create();
        tenant.owner()
                .browser()
                .patch(tenant.path())
                .json(Map.of("name", "New"))
                .send()
                .expect(200);

        assertThatThrownBy(() -> database.change(handle -> handle.execute(
                        "UPDATE audit_entry SET actor = 'x' WHERE organization_id = ?",
                        tenant.id().value())))
                .hasStackTraceContaining("append-only");
        assertThatThrownBy(() -> database.change(handle -> handle.execute(
                        "DELETE FROM audit_entry WHERE organization_id = ?",
                        tenant.id().value())))
                .hasStackTraceContaining("append-only");
    }

    private static List<String> changes(JsonNode entry) {
        return entry.get("changes")
                .valueStream()
                .map(change -> change.get("field").asText() + ": "
                        + change.get("before").asText() + " → "
                        + change.get("after").asText())
                .toList();
    }

    private static int count(Api browser, String path) {
        return browser.get(path).send().expect(200).json().get("items").size();
    }
}
