package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditActionTest {
    private static final String ORG = "0192f0c1a2b37c4d8e5f60718293a4b5";
    private static final String ID = "0192f0c1a2b37c4d8e5f60718293a4b6";

    @ParameterizedTest
    @CsvSource({
        "PATCH,'',organization.update," + ORG,
        "DELETE,'',organization.delete," + ORG,
        "POST,/api-keys,api-keys.create,",
        "DELETE,/api-keys/" + ID + ",api-keys.delete," + ID,
        "PATCH,/members/" + ID + ",members.update," + ID,
        "PUT,/teams/3/members/" + ID + ",teams.members.update," + ID,
        "DELETE,/teams/3,teams.delete,3",
        "PUT,/workflows/" + ID + ",workflows.update," + ID,
        "POST,/workflows/" + ID + "/publish,workflows.publish," + ID,
        "POST,/tickets/" + ID + "/claim,tickets.claim," + ID,
        "POST,/conversations/" + ID + "/messages,conversations.messages.create," + ID,
        "POST,/webhook-secret/rotate,webhook-secret.rotate,",
        "POST,/tools/1001/try,tools.try,1001",
        "POST,/api-keys;x=1,api-keys.create,"
    })
    void theActionFollowsFromMethodAndPath(String method, String path, String action, String target) {
        assertThat(AuditAction.of(method, "/dashboard/api/organizations/" + ORG + path))
                .hasValueSatisfying(found -> {
                    assertThat(found.organization()).isEqualTo(ORG);
                    assertThat(found.name()).isEqualTo(action);
                    assertThat(found.target()).isEqualTo(target);
                });
    }

    @Test
    void theIdOfANewOrganizationIsInTheResponse() {
        assertThat(AuditAction.of("POST", "/dashboard/api/organizations"))
                .contains(new AuditAction(null, "organization.create", null, null));
    }

    @Test
    void theTeamOfATeamsMemberIsTheParent() {
        assertThat(AuditAction.of("DELETE", "/dashboard/api/organizations/" + ORG + "/teams/3/members/" + ID))
                .contains(new AuditAction(ORG, "teams.members.delete", ID, "3"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /dashboard/api/organizations/" + ORG + "/api-keys",
                "POST /dashboard/api/organizations/" + ORG + "/workflows/validate",
                "POST /dashboard/api/organizations/" + ORG + "/tool-providers/operations",
                "PUT /dashboard/api/organizations/" + ORG + "/workflows/" + ORG + "/positions",
                "PUT /dashboard/api/organizations/" + ORG + "/conversations/" + ORG + "/read-position",
                "POST /dashboard/api/login",
                "POST /developer/api/messages"
            })
    void requestsWithoutChangesAreNoActions(String request) {
        String[] parts = request.split(" ", -1);
        assertThat(AuditAction.of(parts[0], parts[1])).isEqualTo(Optional.empty());
    }
}
