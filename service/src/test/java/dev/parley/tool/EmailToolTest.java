package dev.parley.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.tool.catalog.BuiltInToolId;
import dev.parley.tool.source.ToolFailure;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The mails and the allowed recipients of {@code email.send}. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class EmailToolTest {
    private static final int TOOL = BuiltInToolId.EMAIL_SEND.id();

    @Inject
    TestOrganizations organizations;

    @Inject
    Database database;

    @Inject
    ToolService tools;

    private ToolCatalogClient catalogue;
    private TestOrganizations.Tenant tenant;

    @BeforeEach
    void makeOrganization() {
        catalogue = new ToolCatalogClient(organizations);
        tenant = catalogue.tenant();
    }

    private List<String> recipients() {
        return database.with(handle -> handle.createQuery(
                        "SELECT recipient FROM mail WHERE organization_id = :organization ORDER BY recipient")
                .bind("organization", tenant.id())
                .mapTo(String.class)
                .list());
    }

    @Test
    void membersGetAMailEach() {
        String to = tenant.member().email() + ", " + tenant.admin().email();
        JsonNode sent = catalogue.call(TOOL, Map.of("to", to, "subject", "Hello", "text", "Good morning."));

        assertThat(sent.at("/structured/recipients").asInt())
                .as(sent.toString())
                .isEqualTo(2);
        assertThat(recipients())
                .containsExactlyInAnyOrder(
                        tenant.member().email(), tenant.admin().email());
    }

    @Test
    void theSameKeySendsOnce() throws Exception {
        Map<String, Object> mail = Map.of("to", tenant.member().email(), "subject", "Hello", "text", "Good morning.");

        var _ = tools.call(tenant.id(), TOOL, mail, "one key", Duration.ofSeconds(5));
        var _ = tools.call(tenant.id(), TOOL, mail, "one key", Duration.ofSeconds(5));

        assertThat(recipients()).hasSize(1);
    }

    @Test
    void nonMembersGetNoMail() {
        TestOrganizations.Tenant other = organizations.create();
        for (String stranger : List.of("somebody@example.com", other.owner().email())) {
            String to = tenant.member().email() + "," + stranger;
            JsonNode refused = catalogue.call(TOOL, Map.of("to", to, "subject", "Hello", "text", "x"));

            assertThat(refused.at("/error/error").asText()).isEqualTo("Recipient refused");
        }
        assertThat(recipients()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"no address", "a@b@c d", "x@example.com\r\nBcc: y@example.com", "Ann <a@example.com>", ",,,"})
    void anInvalidAddressIsRejected(String to) {
        JsonNode refused = catalogue.call(TOOL, Map.of("to", to, "subject", "Hello", "text", "x"));

        assertThat(refused.at("/error/error").asText()).isEqualTo("Invalid arguments");
    }

    @Test
    void anOrganizationSendsOnlySoManyInAnHour() throws Exception {
        Map<String, Object> mail = Map.of("to", tenant.member().email(), "subject", "Hello", "text", "x");
        for (int i = 0; i < 200; i++) {
            var _ = tools.call(tenant.id(), TOOL, mail, "key " + i, Duration.ofSeconds(5));
        }

        assertThatThrownBy(() -> tools.call(tenant.id(), TOOL, mail, "one more", Duration.ofSeconds(5)))
                .isInstanceOfSatisfying(ToolFailure.class, failed -> assertThat(failed.isTransient())
                        .isTrue());
    }
}
