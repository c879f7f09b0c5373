package dev.parley.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls every route of these packages with ids of another organization, and with malformed bodies. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class IsolationTest {
    @Inject
    TestOrganizations organizations;

    private Tenant ours;
    private Tenant theirs;
    private String theirTeam;
    private String theirKey;

    /** @param path below the organization */
    private record Route(String method, String path, String body) {}

    @BeforeEach
    void twoTenants() {
        ours = organizations.create();
        theirs = organizations.create();
        Api owner = theirs.owner().browser();
        theirTeam = owner.post(theirs.path() + "/teams")
                .json(Map.of("name", "T"))
                .send()
                .text("/id");
        theirKey = owner.post(theirs.path() + "/api-keys")
                .json(Map.of("name", "K"))
                .send()
                .text("/id");
        owner.put(theirs.path() + "/teams/" + theirTeam + "/members/"
                        + theirs.member().id())
                .send()
                .expect(204);
    }

    @Test
    void anotherOrganizationIsNotFound() {
        String stranger = "/dashboard/api/organizations/" + dev.parley.id.OrganizationId.next();
        for (Route route : routes().toList()) {
            Api.Answer answer = send(ours.owner().browser(), theirs.path(), route);
            assertThat(answer.status()).as(route.toString()).isEqualTo(404);
            Api.Answer unknown = send(ours.owner().browser(), stranger, route);
            assertThat(answer.body()).as(route.toString()).isEqualTo(unknown.body());
            assertThat(send(ours.owner().browser(), "/dashboard/api/organizations/x", route)
                            .status())
                    .as(route.toString())
                    .isEqualTo(404);
        }
        theirs.owner().browser().get(theirs.path()).send().expect(200);
    }

    @Test
    void anotherOrganizationsResourcesAreNotFoundInOurs() {
        Stream<Route> byId = routes().filter(route -> route.path.contains(theirKey)
                || route.path.contains("/teams/" + theirTeam)
                || route.path.contains(theirs.member().id().text()));
        for (Route route : byId.toList()) {
            assertThat(send(ours.owner().browser(), ours.path(), route).status())
                    .as(route.toString())
                    .isEqualTo(404);
        }
        assertThat(theirs.owner()
                        .browser()
                        .get(theirs.path() + "/api-keys")
                        .send()
                        .json()
                        .at("/items/0/revoked_at")
                        .isNull())
                .isTrue();
    }

    @Test
    void aMalformedBodyIsRefusedOnEveryRoute() {
        List<Route> withBody = routes().filter(route -> !route.body.isEmpty()).toList();
        Api owner = theirs.owner().browser();
        for (Route route : withBody) {
            for (String body :
                    List.of("{", "[]", "{\"a\":1}", "{\"name\":\"a\",\"name\":\"b\"}", "{} {}", "\"\"", "nul")) {
                Api.Answer answer = owner.method(route.method, theirs.path() + route.path)
                        .json(body)
                        .send();
                assertThat(answer.status())
                        .as(route + " " + body + answer.body())
                        .isEqualTo(400);
                assertThat(answer.text("/error")).isIn("Invalid JSON", "Validation failed");
            }
            assertThat(owner.method(route.method, theirs.path() + route.path)
                            .json("{\"surprise\": 1}")
                            .send()
                            .json()
                            .at("/errors")
                            .findValuesAsText("path"))
                    .contains("/surprise");
            assertThat(owner.method(route.method, theirs.path() + route.path)
                            .json("name=x")
                            .header("Content-Type", "text/plain")
                            .send()
                            .status())
                    .as(route.toString())
                    .isIn(400, 415);
        }
    }

    @Test
    void anotherContentTypeIsRefused() {
        Api.Answer answer = new Api()
                .post("/dashboard/api/login")
                .header("X-Requested-With", "parley")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .send();
        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.text("/error")).isEqualTo("Unsupported media type");
    }

    @Test
    void anotherMethodIsRefused() {
        Api.Answer answer =
                ours.owner().browser().put("/dashboard/api/me").json(Map.of()).send();
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.text("/error")).isEqualTo("Method not allowed");
    }

    private Stream<Route> routes() {
        String person = "/members/" + theirs.member().id();
        String team = "/teams/" + theirTeam;
        return Stream.of(
                new Route("GET", "", ""),
                new Route("PATCH", "", "{\"name\": \"taken\"}"),
                new Route("GET", "/members", ""),
                new Route("POST", "/members", "{\"email\": \"a@b.c\", \"name\": \"A\", \"role\": \"member\"}"),
                new Route("PATCH", person, "{\"role\": \"admin\"}"),
                new Route("DELETE", person, ""),
                new Route("GET", "/teams", ""),
                new Route("POST", "/teams", "{\"name\": \"T2\"}"),
                new Route("GET", team + "/members", ""),
                new Route("PUT", team + person, ""),
                new Route("DELETE", team + person, ""),
                new Route("DELETE", team, ""),
                new Route("GET", "/api-keys", ""),
                new Route("POST", "/api-keys", "{\"name\": \"K2\"}"),
                new Route("DELETE", "/api-keys/" + theirKey, ""),
                new Route("DELETE", "", ""));
    }

    private static Api.Answer send(Api api, String organization, Route route) {
        Api.Request request = api.method(route.method, organization + route.path);
        return (route.body.isEmpty() ? request : request.json(route.body)).send();
    }
}
