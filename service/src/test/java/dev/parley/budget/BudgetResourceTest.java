package dev.parley.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Budgets over HTTP. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class BudgetResourceTest {
    private static final Map<String, Object> MONTHLY =
            Map.of("scope", "ORGANIZATION", "period", "MONTH", "unit", "COST", "limit", 50_000_000);

    @Inject
    TestOrganizations organizations;

    private TestOrganizations.Tenant tenant;
    private String path;

    @BeforeEach
    void anOrganization() {
        tenant = organizations.create();
        path = tenant.path() + "/budgets";
    }

    private Api.Answer create(Map<String, Object> body) {
        return tenant.admin().browser().post(path).json(body).send();
    }

    @Test
    void membersReadAndAdminsChange() {
        assertThat(tenant.member().browser().post(path).json(MONTHLY).send().status())
                .isEqualTo(403);
        Api.Answer created = create(MONTHLY).expect(201);
        assertThat(created.text("/state")).isEqualTo("OK");
        assertThat(Instant.parse(created.text("/resets_at"))).isAfter(Instant.now());
        String budget = path + "/" + created.json().at("/id").asInt();
        assertThat(tenant.member().browser().get(path).send().expect(200).json().at("/items"))
                .hasSize(1);

        assertThat(tenant.admin()
                        .browser()
                        .patch(budget)
                        .header("If-Match", "\"7\"")
                        .json(Map.of("limit", 1))
                        .send()
                        .status())
                .isEqualTo(412);
        Api.Answer changed = tenant.admin()
                .browser()
                .patch(budget)
                .header("If-Match", "\"1\"")
                .json(Map.of("limit", 60_000_000))
                .send()
                .expect(200);
        assertThat(changed.json().at("/limit").asLong()).isEqualTo(60_000_000);
        assertThat(changed.json().at("/revision").asInt()).isEqualTo(2);
        assertThat(tenant.owner()
                        .browser()
                        .get(tenant.path() + "/audit-log")
                        .send()
                        .expect(200)
                        .body())
                .contains("budgets.create", "budgets.update", "60000000");

        tenant.admin().browser().delete(budget).send().expect(204);
        tenant.admin().browser().get(budget).send().expect(404);
    }

    @Test
    void invalidBudgetsAreRefused() {
        create(MONTHLY).expect(201);
        create(MONTHLY).expect(409);
        assertThat(create(Map.of("scope", "WORKFLOW", "period", "DAY", "unit", "TOKENS", "limit", 0))
                        .expect(400)
                        .json()
                        .at("/errors")
                        .findValuesAsText("path"))
                .containsExactlyInAnyOrder("/limit", "/scope_id");
        create(Map.of("scope", "API_KEY", "scope_id", "x", "period", "DAY", "unit", "TOKENS", "limit", 1))
                .expect(400);
        create(Map.of("scope", "TEAM", "period", "DAY", "unit", "TOKENS", "limit", 1))
                .expect(400);
        create(Map.of("scope", "ORGANIZATION", "period", "DAY", "unit", "TOKENS", "limit", 1.5))
                .expect(400);
        create(Map.of(
                        "scope",
                        "ORGANIZATION",
                        "scope_id",
                        tenant.id().text(),
                        "period",
                        "DAY",
                        "unit",
                        "TOKENS",
                        "limit",
                        1))
                .expect(400);
    }

    @Test
    void keysOfAnotherOrganizationHaveNoBudget() {
        TestOrganizations.Tenant others = organizations.create();
        String key = others.owner()
                .browser()
                .post(others.path() + "/api-keys")
                .json(Map.of("name", "k"))
                .send()
                .expect(201)
                .text("/id");
        create(Map.of("scope", "API_KEY", "scope_id", key, "period", "DAY", "unit", "TOKENS", "limit", 1))
                .expect(400);
    }
}
