package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Calls every operation of the OpenAPI document with ids of another organization: the response must be the same as for
 * ids that do not exist. Covers new routes automatically.
 */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class CrossOrganizationTest {
    @Inject
    TestOrganizations organizations;

    private final JsonNode document = ApiOperation.documents();

    private ApiFixture theirs;
    private TestOrganizations.Tenant ours;
    private String key;

    @BeforeEach
    void twoOrganizations() {
        theirs = new ApiFixture(organizations);
        ours = organizations.create();
        key = organizations.key(ours.id());
        // Excludes the built-in tools, which every organization has.
        theirs.parameters.put(
                "toolId",
                theirs.browser
                        .get("/dashboard/api/organizations/" + theirOrg() + "/tools?provider_id="
                                + theirs.parameters.get("providerId"))
                        .send()
                        .text("/items/0/tool_id"));
    }

    @Test
    void resourcesOfAnotherOrganizationAreNotFound() {
        List<String> wrong = new ArrayList<>();
        int asked = 0;
        for (ApiOperation operation : ApiOperation.all(document)) {
            String path = theirs.path(operation);
            if (!operation.path().contains("{")
                    || operation.path().contains("/invitations/")
                    // Every organization has the same templates.
                    || operation.path().contains("{templateId}")) {
                continue;
            }
            asked++;
            if (operation.isDashboard()) {
                expectNothing(operation, path, path.replace(theirOrg(), unknownOf(theirOrg())), wrong);
                String inOurs = path.replace(theirOrg(), ours.id().text());
                if (operation.path().indexOf('{') != operation.path().lastIndexOf('{')) {
                    expectNothing(
                            operation, inOurs, unknown(operation, ours.id().text()), wrong);
                }
            } else {
                expectNothing(operation, path, unknown(operation, ""), wrong);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(asked).isGreaterThan(100);
        theirs.browser
                .get("/dashboard/api/organizations/" + theirOrg() + "/api-keys")
                .send()
                .expect(200);
    }

    @Test
    void bodiesCannotReferenceAnotherOrganization() {
        Map<String, String> parameters = theirs.parameters;
        String team = parameters.get("teamId");
        String workflow = parameters.get("workflowId");
        String conversation = parameters.get("conversationId");
        Api developer = new Api();
        assertThat(developer
                        .post("/developer/api/messages")
                        .key(key)
                        .json(Map.of("conversation_id", conversation, "content_type", "text", "content", "x"))
                        .send()
                        .status())
                .isEqualTo(404);
        for (Map<String, Object> body : List.<Map<String, Object>>of(
                Map.of("team_id", Integer.parseInt(team)),
                Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow)))) {
            int status = developer
                    .post("/developer/api/conversations")
                    .key(key)
                    .json(body)
                    .send()
                    .status();
            assertThat(status).as(body.toString()).isIn(400, 404);
            assertThat(ours.owner()
                            .browser()
                            .post(ours.path() + "/conversations")
                            .json(body)
                            .send()
                            .status())
                    .as(body.toString())
                    .isIn(400, 404);
        }
        for (Map<String, Object> body : List.<Map<String, Object>>of(
                Map.of("name", "K", "team_id", Integer.parseInt(team)), Map.of("name", "K", "workflow_id", workflow))) {
            assertThat(ours.owner()
                            .browser()
                            .post(ours.path() + "/api-keys")
                            .json(body)
                            .send()
                            .status())
                    .as(body.toString())
                    .isIn(400, 404);
        }
    }

    private void expectNothing(ApiOperation operation, String path, String unknown, List<String> wrong) {
        Api.Answer answer = send(operation, path);
        Api.Answer toUnknown = send(operation, unknown);
        if (answer.status() != 404 || !answer.body().equals(toUnknown.body())) {
            wrong.add(operation.name() + " at " + path + " → " + answer.status() + " " + answer.body() + "; unknown → "
                    + toUnknown.status() + " " + toUnknown.body());
        }
    }

    private Api.Answer send(ApiOperation operation, String path) {
        return theirs.send(
                operation,
                operation.isDashboard()
                        ? ours.owner().browser().method(operation.httpMethod(), path)
                        : new Api().method(operation.httpMethod(), path).key(key));
    }

    private String theirOrg() {
        return theirs.parameters.get("orgId");
    }

    /** The operation's path with ids that do not exist. */
    private String unknown(ApiOperation operation, String organization) {
        Map<String, String> known = new HashMap<>(theirs.parameters);
        String path = theirs.path(operation);
        for (Map.Entry<String, String> parameter : known.entrySet()) {
            String value = parameter.getValue();
            String other = parameter.getKey().equals("orgId") ? organization : unknownOf(value);
            path = path.replaceAll("(?<=/)" + java.util.regex.Pattern.quote(value) + "(?=/|$)", other);
        }
        return path;
    }

    private static String unknownOf(String id) {
        return id.length() > 9 ? "0192f0c1a2b37c4d8e5f60718293a4b5" : "999999";
    }
}
