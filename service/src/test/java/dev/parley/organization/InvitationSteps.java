package dev.parley.organization;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.parley.Api;
import dev.parley.organization.member.TestOrganizations.Tenant;
import java.util.List;
import java.util.Map;

/** The HTTP requests of inviting admins and invited people. */
final class InvitationSteps {
    private InvitationSteps() {}

    /** @param browser signed in when the status is 200 */
    record Accepted(int status, Api browser) {}

    static Api.Answer invite(Tenant tenant, String email, String role) {
        return tenant.owner()
                .browser()
                .post(tenant.path() + "/members")
                .json(Map.of("email", email, "name", "Invited", "role", role))
                .send();
    }

    static Accepted accept(String token, String password) {
        Api browser = Api.dashboard();
        return new Accepted(post(browser, token, Map.of("password", password)).status(), browser);
    }

    static Api.Answer post(Api browser, String token, Map<String, String> body) {
        return browser.post(link(token)).json(body).send();
    }

    static String link(String token) {
        return "/dashboard/api/invitations/" + token;
    }

    static Api login(String email, String password) {
        Api browser = Api.dashboard();
        browser.login(email, password).expect(200);
        return browser;
    }

    static JsonNode me(Api browser) {
        return browser.get("/dashboard/api/me").send().expect(200).json();
    }

    static JsonNode member(Tenant tenant, String email) {
        var items = tenant.owner()
                .browser()
                .get(tenant.path() + "/members")
                .send()
                .expect(200)
                .json()
                .at("/items");
        for (var item : items) {
            if (item.at("/email").asText().equals(email)) {
                return item;
            }
        }
        return MissingNode.getInstance();
    }

    static List<String> actions(Tenant tenant) {
        return tenant.owner()
                .browser()
                .get(tenant.path() + "/audit-log")
                .send()
                .expect(200)
                .json()
                .at("/items")
                .findValuesAsText("action");
    }

    /** A ticket that is assigned to a person. */
    static String ticketFor(Tenant tenant, String user) {
        Api owner = tenant.owner().browser();
        String workflow = owner.post(tenant.path() + "/workflows")
                .json(Map.of(
                        "name",
                        "Approval",
                        "assignment_rules",
                        List.of(Map.of("rule_type", "Human Feedback", "assignment_type", "User", "assignee_id", user)),
                        "tasks",
                        List.of(Map.of("id", "approve", "kind", "Human", "name", "Approve", "instructions", "Look"))))
                .send()
                .expect(201)
                .text("/id");
        return owner.post(tenant.path() + "/workflows/" + workflow + "/test-run?wait_seconds=30")
                .json(Map.of())
                .send()
                .expect(200)
                .text("/tasks/0/ticket_id");
    }
}
