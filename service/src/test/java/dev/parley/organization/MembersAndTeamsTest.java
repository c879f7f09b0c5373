package dev.parley.organization;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of members and invitations, and names that two people change at the same time. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class MembersAndTeamsTest {
    @Inject
    TestOrganizations organizations;

    private Tenant tenant;
    private Api owner;
    private Api admin;
    private Api member;

    @BeforeEach
    void aTenant() {
        tenant = organizations.create();
        owner = tenant.owner().browser();
        admin = tenant.admin().browser();
        member = tenant.member().browser();
    }

    @Test
    void membersAreFoundByNameAndAddressAndShowWhenTheyWereSeen() {
        String path = tenant.path() + "/members?search=";
        tenant.member().browser().get(tenant.path()).send().expect(200);
        var found = tenant.admin()
                .browser()
                .get(path + tenant.member().email().toUpperCase(Locale.ROOT))
                .send()
                .expect(200)
                .json();
        assertThat(found.at("/items")).hasSize(1);
        assertThat(found.at("/items/0/last_seen_at").asText()).startsWith("20");
        assertThat(tenant.admin().browser().get(path + "testus").send().json().at("/items"))
                .hasSize(3);
        assertThat(tenant.admin().browser().get(path + "%25").send().json().at("/items"))
                .isEmpty();
        tenant.admin().browser().get(path + "%00").send().expect(400);
    }

    @Test
    void membersShowTheirTeams() {
        for (String name : List.of("Accounting", "Sales")) {
            int team = team(name);
            admin.put(tenant.path() + "/teams/" + team + "/members/"
                            + tenant.member().id().text())
                    .send()
                    .expect(204);
        }
        String search = tenant.path() + "/members?search=" + tenant.member().email();
        assertThat(admin.get(search).send().expect(200).json().at("/items/0/team_ids"))
                .hasToString("[1,2]");
        admin.delete(tenant.path() + "/teams/1").send().expect(204);
        assertThat(admin.get(search).send().expect(200).json().at("/items/0/team_ids"))
                .hasToString("[2]");
    }

    @Test
    void anInvitedPersonJoinsAllTeamsOrIsNotInvited() {
        int team = team("Sales");
        String email = tenant.id().text() + "@teams.example";
        Map<String, Object> person = Map.of("email", email, "name", "New", "role", "member");

        for (List<Integer> invalid : List.of(List.of(team, 99_999), Collections.nCopies(101, team))) {
            var body = new HashMap<>(person);
            body.put("team_ids", invalid);
            assertThat(admin.post(tenant.path() + "/members")
                            .json(body)
                            .send()
                            .expect(400)
                            .text("/errors/0/path"))
                    .startsWith("/team_ids");
        }
        String search = tenant.path() + "/members?search=" + email;
        assertThat(admin.get(search).send().json().get("items")).isEmpty();

        var body = new HashMap<>(person);
        body.put("team_ids", List.of(team, team));
        admin.post(tenant.path() + "/members").json(body).send().expect(201);
        assertThat(admin.get(search).send().json().at("/items/0/team_ids")).hasToString("[" + team + "]");
    }

    @Test
    void invitingAgainReplacesTheOpenInvitationWithItsRoleAndTeams() {
        List<Integer> teams =
                List.of("Sales", "Finance", "Support").stream().map(this::team).toList();
        String email = tenant.id().text() + "@again.example";
        Api.Answer first = invite(email, "Nina", "member", teams.subList(0, 2));
        Api.Answer again = invite(email.toUpperCase(Locale.ROOT), "Nina Smith", "admin", teams.subList(1, 3));

        assertThat(first.json().at("/updated").asBoolean()).isFalse();
        assertThat(again.json().at("/updated").asBoolean()).isTrue();
        assertThat(again.text("/id")).isEqualTo(first.text("/id"));
        JsonNode open = admin.get(tenant.path() + "/members?status=invited")
                .send()
                .json()
                .get("items");
        assertThat(open).hasSize(1);
        assertThat(open.at("/0/role").asText()).isEqualTo("admin");
        assertThat(open.at("/0/name").asText()).isEqualTo("Nina Smith");
        assertThat(open.at("/0/team_ids")).hasToString("[" + teams.get(1) + "," + teams.get(2) + "]");
        InvitationSteps.post(Api.dashboard(), first.text("/invitation_token"), Map.of("password", "a long password"))
                .expect(404);
        InvitationSteps.post(Api.dashboard(), again.text("/invitation_token"), Map.of("password", "a long password"))
                .expect(200);

        JsonNode log = admin.get(tenant.path() + "/audit-log").send().json().get("items");
        assertThat(log.at("/0/action").asText()).isEqualTo("invitations.accept");
        assertThat(log.at("/0/changes").toString())
                .contains("\"field\":\"role\",\"before\":null,\"after\":\"admin\"", "Finance (2), Support (3)");
        assertThat(log.at("/1/action").asText()).isEqualTo("members.reinvite");
        assertThat(log.at("/2/action").asText()).isEqualTo("members.create");
        assertThat(log.at("/1/changes").toString())
                .contains("\"field\":\"name\",\"before\":\"Nina\",\"after\":\"Nina Smith\"")
                .contains("\"field\":\"role\",\"before\":\"member\",\"after\":\"admin\"")
                .contains("\"before\":\"Sales (1), Finance (2)\",\"after\":\"Finance (2), Support (3)\"");
        assertThat(log.at("/2/changes").toString()).contains("\"after\":\"Sales (1), Finance (2)\"");
    }

    @Test
    void anOpenInvitationKeepsItsTeamsWhenNoneAreGiven() {
        int team = team("Sales");
        String email = tenant.id().text() + "@keeps.example";
        invite(email, "Nina", "member", List.of(team));
        admin.post(tenant.path() + "/members")
                .json(Map.of("email", email, "name", "Nina", "role", "member"))
                .send()
                .expect(201);
        String search = tenant.path() + "/members?search=" + email;
        assertThat(admin.get(search).send().json().at("/items/0/team_ids")).hasToString("[" + team + "]");

        admin.post(tenant.path() + "/members")
                .json(Map.of("email", email, "name", "Nina", "role", "admin", "team_ids", List.of(team, 99_999)))
                .send()
                .expect(400);
        assertThat(admin.get(search).send().json().at("/items/0/role").asText()).isEqualTo("member");
        invite(email, "Nina", "member", List.of());
        assertThat(admin.get(search).send().json().at("/items/0/team_ids")).isEmpty();
    }

    private int team(String name) {
        return admin.post(tenant.path() + "/teams")
                .json(Map.of("name", name))
                .send()
                .expect(201)
                .json()
                .get("id")
                .asInt();
    }

    private Api.Answer invite(String email, String name, String role, List<Integer> teams) {
        return admin.post(tenant.path() + "/members")
                .json(Map.of("email", email, "name", name, "role", role, "team_ids", teams))
                .send()
                .expect(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a@x.example>",
                "Ada <a@x.example>",
                "a@x.example, b@x.example",
                "a@x.example.",
                "\"a b\"@x.example",
                "jürgen@x.example",
                " "
            })
    void anInvitationToAnythingButAPlainAddressIsRejected(String email) {
        Api.Answer refused = admin.post(tenant.path() + "/members")
                .json(Map.of("email", email, "name", "Ada", "role", "member"))
                .send()
                .expect(400);
        assertThat(refused.text("/errors/0/path")).isEqualTo("/email");
    }

    @Test
    void anInternationalizedDomainIsStoredInAscii() {
        String local = tenant.id().text();
        Api.Answer invited = invite(local + "@BÜCHER.example", "Ada", "member", List.of());
        assertThat(invited.text("/email")).isEqualTo(local + "@xn--bcher-kva.example");
    }

    @Test
    void aTeamIsRenamed() {
        String team = tenant.path() + "/teams/" + team("Accounting");
        team("Sales");

        assertThat(admin.patch(team)
                        .json(Map.of("name", "Finance"))
                        .send()
                        .expect(200)
                        .text("/name"))
                .isEqualTo("Finance");
        admin.patch(team).json(Map.of("name", "Sales")).send().expect(409);
        admin.patch(team).json(Map.of("name", " ")).send().expect(400);
        admin.patch(tenant.path() + "/teams/99999")
                .json(Map.of("name", "X"))
                .send()
                .expect(404);
        tenant.member()
                .browser()
                .patch(team)
                .json(Map.of("name", "Mine"))
                .send()
                .expect(403);
        organizations
                .create()
                .admin()
                .browser()
                .patch(team)
                .json(Map.of("name", "Theirs"))
                .send()
                .expect(404);
    }

    @Test
    void aChangeOfSomethingThatAnotherPersonHasChangedIsRefused() {
        String team = tenant.path() + "/teams/" + team("Accounting");
        for (String path : List.of(team, tenant.path())) {
            String tag = owner.get(path).send().expect(200).header("ETag");
            String next = admin.patch(path)
                    .header("If-Match", tag)
                    .json(Map.of("name", "Finance"))
                    .send()
                    .expect(200)
                    .header("ETag");
            assertThat(next).isNotEqualTo(tag);
            Api.Answer refused = owner.patch(path)
                    .header("If-Match", tag)
                    .json(Map.of("name", "Money"))
                    .send()
                    .expect(412);
            assertThat(refused.text("/changed_by"))
                    .isEqualTo("user:" + tenant.admin().id().text());
            assertThat(refused.text("/etag")).isEqualTo(next);
            assertThat(owner.get(path).send().text("/name")).isEqualTo("Finance");
            owner.patch(path)
                    .header("If-Match", next)
                    .json(Map.of("name", "Money"))
                    .send()
                    .expect(200);
            owner.patch(path).json(Map.of("name", "Cash")).send().expect(200);
        }
        member.get(team).send().expect(200);
        member.get(tenant.path() + "/teams/99999").send().expect(404);
    }

    @Test
    void openInvitationsAreListedWithTheirInviterAndCanBeRevoked() {
        String invited = admin.post(tenant.path() + "/members")
                .json(Map.of("email", tenant.id().text() + "@new.example", "name", "New", "role", "member"))
                .send()
                .expect(201)
                .text("/id");
        String open = tenant.path() + "/members?status=invited";

        JsonNode items = owner.get(open).send().expect(200).json().get("items");

        assertThat(items.findValuesAsText("id")).containsExactly(invited);
        assertThat(items.at("/0/invited_by").asText()).isEqualTo("TestUser");
        assertThat(items.at("/0/invitation_expires_at").asText()).startsWith("20");
        assertThat(owner.get(tenant.path() + "/members?status=active")
                        .send()
                        .json()
                        .get("items")
                        .findValuesAsText("id"))
                .doesNotContain(invited)
                .hasSize(3);
        owner.get(tenant.path() + "/members?status=gone").send().expect(400);
        admin.delete(tenant.path() + "/members/" + invited).send().expect(204);
        assertThat(owner.get(open).send().json().get("items")).isEmpty();
    }
}
