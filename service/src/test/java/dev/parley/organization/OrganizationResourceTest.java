package dev.parley.organization;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.http.json.StrictJson;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.organization.member.TestOrganizations.TestUser;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OrganizationResourceTest {
    @Inject
    TestOrganizations organizations;

    @Inject
    OrganizationAccess access;

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
    void anOperatorMakesAnOrganizationAndOwnsIt() {
        Api operator = organizations.operator().browser();
        Api.Answer made = operator.post("/dashboard/api/organizations")
                .json(Map.of("name", "Acme"))
                .send()
                .expect(201);
        assertThat(made.text("/name")).isEqualTo("Acme");
        assertThat(made.text("/role")).isEqualTo("owner");
        assertThat(made.json().at("/messages_per_minute").isNull()).isTrue();
        assertThat(made.text("/id")).matches("[0-9a-f]{32}");
        assertThat(made.text("/created_at")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        Api.Answer refused = owner.post("/dashboard/api/organizations")
                .json(Map.of("name", "Mine"))
                .send()
                .expect(403);
        assertThat(refused.text("/error")).isEqualTo("Forbidden");
    }

    @ParameterizedTest
    @CsvSource({
        "/teams,{}",
        "/members,{}",
        "/api-keys,{}",
        "/code-artifacts,{\"language\": \"javascript\"}",
        "/data-lakes,{}",
        "/tool-providers,{}",
        "/workflows,{}"
    })
    void aNameThatIsNotOneLineIsRefused(String place, String further) {
        for (String name : List.of("a\nb", "\u001bb", "a\u007f", "a\u202eb", "a\u2028b")) {
            Map<String, Object> body = new HashMap<>(StrictJson.readObject(further));
            body.put("name", name);
            Api.Answer refused =
                    owner.post(tenant.path() + place).json(body).send().expect(400);
            assertThat(refused.json().at("/errors").findValuesAsText("path")).contains("/name");
        }
    }

    @Test
    void anOrganizationsNameMustBeOneLine() {
        Api.Answer refused =
                owner.patch(tenant.path()).json(Map.of("name", "Ac\tme")).send().expect(400);

        assertThat(refused.text("/errors/0/path")).isEqualTo("/name");
    }

    @Test
    void aPersonSeesTheOwnOrganizationsAndAnOperatorAll() {
        Api.Answer mine = member.get("/dashboard/api/organizations").send().expect(200);
        assertThat(mine.json().at("/items")).hasSize(1);
        assertThat(mine.json().at("/next").isNull()).isTrue();
        assertThat(mine.json().at("/items/0/members").asInt())
                .as("owner, admin and member")
                .isEqualTo(3);
        tenant.owner()
                .browser()
                .post(tenant.path() + "/members")
                .json(Map.of("email", "new@members.example", "name", "New", "role", "member"))
                .send()
                .expect(201);
        TestUser operator = organizations.operator();
        Api.Answer page = operator.browser()
                .get("/dashboard/api/organizations?limit=1")
                .send()
                .expect(200);
        assertThat(page.json().at("/items/0/role").isNull()).isTrue();
        assertThat(operator.browser().get(tenant.path()).send().expect(200).text("/members"))
                .isEqualTo("4");
        operator.browser().get(tenant.path() + "/members").send().expect(404);
    }

    @Test
    void listsGoOnWhereTheLastPageEnded() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            admin.post(tenant.path() + "/teams")
                    .json(Map.of("name", "Team " + i))
                    .send()
                    .expect(201);
        }
        String after = "";
        while (!after.equals("null")) {
            Api.Answer page =
                    member.get(tenant.path() + "/teams?limit=2" + after).send().expect(200);
            page.json().at("/items").forEach(team -> names.add(team.at("/name").asText()));
            JsonNode next = page.json().at("/next");
            after = next.isNull() ? "null" : "&after=" + next.asText();
        }
        assertThat(names).containsExactly("Team 0", "Team 1", "Team 2", "Team 3", "Team 4");
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0,limit",
        "limit=101,limit",
        "limit=x,limit",
        "after=x,after",
    })
    void aPageThatCannotBeIsRefused(String query, String name) {
        for (String list : new String[] {"/members", "/teams", "/api-keys"}) {
            Api.Answer answer =
                    owner.get(tenant.path() + list + "?" + query).send().expect(400);
            assertThat(answer.text("/errors/0/detail")).startsWith("'" + name + "'");
        }
    }

    @Test
    void adminsRenameAndOnlyOperatorsSetLimits() {
        assertThat(admin.patch(tenant.path())
                        .json(Map.of("name", "Renamed"))
                        .send()
                        .expect(200)
                        .text("/name"))
                .isEqualTo("Renamed");
        member.patch(tenant.path()).json(Map.of("name", "x")).send().expect(403);
        owner.patch(tenant.path()).json("{\"messages_per_minute\": 5}").send().expect(403);
        owner.patch(tenant.path())
                .json("{\"messages_per_minute\": null}")
                .send()
                .expect(403);
        Api operator = organizations.operator().browser();
        int defaultLimit =
                owner.get(tenant.path()).send().json().at("/message_limit").intValue();
        JsonNode limited = operator.patch(tenant.path())
                .json("{\"messages_per_minute\": 5000}")
                .send()
                .expect(200)
                .json();
        assertThat(limited.at("/messages_per_minute").intValue()).isEqualTo(5000);
        assertThat(limited.at("/message_limit").intValue()).isEqualTo(5000);
        assertThat(limited.at("/default_message_limit").intValue()).isEqualTo(defaultLimit);
        assertThat(operator.patch(tenant.path()).json("{}").send().text("/messages_per_minute"))
                .isEqualTo("5000");
        assertThat(operator.patch(tenant.path())
                        .json("{\"messages_per_minute\": null}")
                        .send()
                        .json()
                        .at("/messages_per_minute")
                        .isNull())
                .isTrue();
        operator.patch(tenant.path()).json(Map.of("name", "not mine")).send().expect(404);
        for (String wrong :
                new String[] {"0", "-1", "\"5\"", "1.5", "true", "[]", "100000001", "99999999999999999999"}) {
            Api.Answer answer = operator.patch(tenant.path())
                    .json("{\"messages_per_minute\": " + wrong + "}")
                    .send()
                    .expect(400);
            assertThat(answer.text("/errors/0/path")).isEqualTo("/messages_per_minute");
        }
    }

    @Test
    void aDeletedOrganizationIsNotFound() {
        String key = organizations.key(tenant.id());
        admin.delete(tenant.path()).send().expect(403);
        owner.delete(tenant.path()).send().expect(204);
        for (Api api : List.of(owner, admin, member, organizations.operator().browser())) {
            api.get(tenant.path()).send().expect(404);
        }
        assertThat(owner.get("/dashboard/api/me").send().json().at("/organizations"))
                .isEmpty();
        assertThat(new Api().get("/developer/api/x").key(key).send().expect(422).text("/error"))
                .isEqualTo("Missing organization ID");
        Tenant other = organizations.create();
        organizations.operator().browser().delete(other.path()).send().expect(204);
    }

    @Test
    void onlyOwnersTouchOwners() {
        Map<String, String> newOwner = Map.of("email", "o@" + tenant.id() + ".example", "name", "O", "role", "owner");
        admin.post(tenant.path() + "/members").json(newOwner).send().expect(403);
        String added = owner.post(tenant.path() + "/members")
                .json(newOwner)
                .send()
                .expect(201)
                .text("/id");
        String path = tenant.path() + "/members/";
        // Inviting a pending owner again would return the token that opens that owner's account.
        admin.post(tenant.path() + "/members")
                .json(Map.of("email", "o@" + tenant.id() + ".example", "name", "O", "role", "member"))
                .send()
                .expect(403);
        admin.patch(path + added).json(Map.of("role", "member")).send().expect(403);
        admin.delete(path + added).send().expect(403);
        admin.patch(path + tenant.member().id())
                .json(Map.of("role", "owner"))
                .send()
                .expect(403);
        member.patch(path + tenant.member().id())
                .json(Map.of("role", "admin"))
                .send()
                .expect(403);
        member.delete(path + tenant.admin().id()).send().expect(403);
        assertThat(admin.patch(path + tenant.member().id())
                        .json(Map.of("role", "admin"))
                        .send()
                        .expect(200)
                        .text("/role"))
                .isEqualTo("admin");
        owner.delete(path + added).send().expect(204);
        owner.delete(path + added).send().expect(404);
    }

    @Test
    void theLastOwnerStays() {
        String path = tenant.path() + "/members/" + tenant.owner().id();
        Api.Answer refused =
                owner.patch(path).json(Map.of("role", "admin")).send().expect(409);
        assertThat(refused.body()).isEqualTo("""
                {"error":"Conflict","detail":"The last owner cannot be removed or given another role: make another member an owner first.","code":"last_owner"}""");
        owner.delete(path).send().expect(409);
        // An invited owner cannot sign in, and so does not count.
        owner.post(tenant.path() + "/members")
                .json(Map.of("email", "p@" + tenant.id() + ".example", "name", "P", "role", "owner"))
                .send()
                .expect(201);
        owner.delete(path).send().expect(409);
        owner.patch(tenant.path() + "/members/" + tenant.admin().id())
                .json(Map.of("role", "owner"))
                .send()
                .expect(200);
        owner.delete(path).send().expect(204);
        owner.get(tenant.path()).send().expect(404);
    }

    @Test
    void twoOwnersWhoLeaveAtOnceLeaveOne() {
        organizations.join(tenant.id(), organizations.testUser(), Role.MEMBER);
        owner.patch(tenant.path() + "/members/" + tenant.admin().id())
                .json(Map.of("role", "owner"))
                .send()
                .expect(200);
        List<CompletableFuture<Integer>> leaving = Stream.of(tenant.owner(), tenant.admin())
                .map(person -> CompletableFuture.supplyAsync(() -> person.browser()
                        .delete(tenant.path() + "/members/" + person.id())
                        .send()
                        .status()))
                .toList();
        assertThat(leaving.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder(204, 409);
    }

    @Test
    void anExistingPersonJoinsByAcceptingTheInvitation() {
        TestUser known = organizations.testUser();
        Map<String, String> requested = Map.of("email", known.email(), "name", "As invited", "role", "member");
        Api.Answer invited =
                admin.post(tenant.path() + "/members").json(requested).send().expect(201);
        assertThat(invited.text("/status")).isEqualTo("invited");
        assertThat(invited.text("/id")).isNotEqualTo(known.id().text());
        assertThat(invited.json().at("/email_proven").booleanValue()).isFalse();
        admin.post(tenant.path() + "/teams").json(Map.of("name", "T")).send().expect(201);
        admin.put(tenant.path() + "/teams/1/members/" + invited.text("/id"))
                .send()
                .expect(204);
        admin.patch(tenant.path() + "/members/" + invited.text("/id"))
                .json(Map.of("role", "admin"))
                .send()
                .expect(200);
        known.browser().get(tenant.path()).send().expect(404);

        String link = "/dashboard/api/invitations/" + invited.text("/invitation_token");
        Api.Answer joined = known.browser().post(link).json(Map.of()).send().expect(200);

        assertThat(joined.text("/organizations/0/role")).isEqualTo("admin");
        known.browser().get(tenant.path()).send().expect(200);
        known.browser().post(link).json(Map.of()).send().expect(404);
        Api.Answer members = admin.get(tenant.path() + "/members").send();
        assertThat(members.json().at("/items").findValuesAsText("id"))
                .contains(known.id().text())
                .doesNotContain(invited.text("/id"));
        assertThat(admin.get(tenant.path() + "/teams/1/members").send().text("/items/0/id"))
                .isEqualTo(known.id().text());
        assertThat(admin.post(tenant.path() + "/members")
                        .json(requested)
                        .send()
                        .expect(409)
                        .text("/detail"))
                .isEqualTo("This person is a member already. For a person who cannot sign in, create a reset link.");
    }

    @Test
    void anOrganizationThatLostItsOwnersGetsAnotherByAnOperator() {
        Api operator = organizations.operator().browser();
        Map<String, String> requested = Map.of("email", "n@" + tenant.id() + ".example", "name", "N", "role", "owner");
        operator.post(tenant.path() + "/members").json(requested).send().expect(404);
        organizations.leave(tenant.id(), tenant.owner());
        admin.post(tenant.path() + "/members").json(requested).send().expect(403);
        String token = operator.post(tenant.path() + "/members")
                .json(requested)
                .send()
                .expect(201)
                .text("/invitation_token");
        Api.dashboard()
                .post("/dashboard/api/invitations/" + token)
                .json(Map.of("password", "long enough"))
                .send()
                .expect(200);
        operator.post(tenant.path() + "/members").json(requested).send().expect(404);
        operator.get(tenant.path() + "/members").send().expect(404);
    }

    @Test
    void everyMemberSeesTheMembers() {
        Api.Answer members = member.get(tenant.path() + "/members").send().expect(200);
        assertThat(members.json().at("/items").findValuesAsText("role"))
                .containsExactlyInAnyOrder("owner", "admin", "member");
        assertThat(members.body()).doesNotContain("password", "hash");
    }

    @Test
    void leavingTheOrganizationLeavesItsTeams() {
        String team = admin.post(tenant.path() + "/teams")
                .json(Map.of("name", "T"))
                .send()
                .expect(201)
                .text("/id");
        assertThat(team).isEqualTo("1");
        String members = tenant.path() + "/teams/" + team + "/members";
        String person = members + "/" + tenant.member().id();
        admin.put(person).send().expect(204);
        admin.put(person).send().expect(204);
        assertThat(member.get(members).send().json().at("/items")).hasSize(1);
        assertThat(access.teamsOf(tenant.id(), tenant.member().id())).containsExactly(1);
        assertThat(access.users(tenant.id())).hasSize(3);
        assertThat(access.teams(tenant.id())).containsExactly(1);
        member.delete(tenant.path() + "/members/" + tenant.member().id()).send().expect(204);
        assertThat(admin.get(members).send().json().at("/items")).isEmpty();
        admin.delete(person).send().expect(404);
    }

    @Test
    void teamsAreManagedByAdmins() {
        String teams = tenant.path() + "/teams";
        member.post(teams).json(Map.of("name", "T")).send().expect(403);
        admin.post(teams).json(Map.of("name", "T")).send().expect(201);
        assertThat(admin.post(teams)
                        .json(Map.of("name", "T"))
                        .send()
                        .expect(409)
                        .text("/detail"))
                .isEqualTo("Another team has this name.");
        member.put(teams + "/1/members/" + tenant.member().id()).send().expect(403);
        member.delete(teams + "/1/members/" + tenant.member().id()).send().expect(403);
        member.delete(teams + "/1").send().expect(403);
        admin.put(teams + "/1/members/" + organizations.testUser().id()).send().expect(404);
        admin.put(teams + "/7/members/" + tenant.member().id()).send().expect(404);
        admin.delete(teams + "/1").send().expect(204);
        admin.delete(teams + "/1").send().expect(404);
        member.get(teams + "/1/members").send().expect(404);
        // The name becomes available again, the number does not.
        assertThat(admin.post(teams)
                        .json(Map.of("name", "T"))
                        .send()
                        .expect(201)
                        .json()
                        .at("/id")
                        .intValue())
                .isEqualTo(2);
    }
}
