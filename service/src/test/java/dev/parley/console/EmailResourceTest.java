package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.mail.Email;
import dev.parley.mail.MailOutbox;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An organization's mails as its admins see them, without an SMTP server. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class EmailResourceTest {
    @Inject
    TestOrganizations organizations;

    @Inject
    MailOutbox outbox;

    @Inject
    Database database;

    private TestOrganizations.Tenant tenant;

    @BeforeEach
    void create() {
        tenant = organizations.create();
    }

    @Test
    void withoutAServerMailsAreKeptAndAdminsReadThem() {
        add(mail("1", Email.EmailKind.TICKET, "ada@acme.example"));
        var listed =
                tenant.admin().browser().get(tenant.path() + "/emails").send().expect(200);
        assertThat(listed.text("/items/0/state")).isEqualTo("KEPT");
        assertThat(listed.text("/items/0/to")).isEqualTo("ada@acme.example");
        assertThat(listed.json().at("/items/0").has("text")).isFalse();
        var one = tenant.owner()
                .browser()
                .get(tenant.path() + "/emails/" + listed.text("/items/0/id"))
                .send()
                .expect(200);
        assertThat(one.text("/text")).isEqualTo("Text of 1");
        assertThat(one.text("/html")).isEqualTo("<p>1</p>");
        assertThat(one.text("/to")).isEqualTo("ada@acme.example");
        assertThat(one.json().at("/from").isNull()).isTrue();
        assertThat(one.json().at("/recipients/0/attempts").asInt()).isZero();
    }

    @Test
    void membersAndOthersSeeNone() {
        add(mail("1", Email.EmailKind.TICKET, "ada@acme.example"));
        String id =
                tenant.admin().browser().get(tenant.path() + "/emails").send().text("/items/0/id");
        tenant.member().browser().get(tenant.path() + "/emails").send().expect(403);
        tenant.member().browser().get(tenant.path() + "/email-summaries").send().expect(403);
        tenant.member().browser().get(tenant.path() + "/emails/" + id).send().expect(403);
        TestOrganizations.Tenant other = organizations.create();
        other.owner().browser().get(tenant.path() + "/emails").send().expect(404);
        other.owner().browser().get(tenant.path() + "/email-summaries").send().expect(404);
        other.owner().browser().get(other.path() + "/emails/" + id).send().expect(404);
        tenant.owner().browser().get(tenant.path() + "/emails/nonsense").send().expect(404);
    }

    @Test
    void theBodyOfAnInvitationIsNeverShown() {
        add(mail("1", Email.EmailKind.INVITATION, "ada@acme.example"));
        String id =
                tenant.owner().browser().get(tenant.path() + "/emails").send().text("/items/0/id");
        var one = tenant.owner()
                .browser()
                .get(tenant.path() + "/emails/" + id)
                .send()
                .expect(200);
        assertThat(one.json().at("/text").isNull()).isTrue();
        assertThat(one.json().at("/html").isNull()).isTrue();
        assertThat(one.body()).doesNotContain("Text of 1");
    }

    @Test
    void listsArePagedAndFiltered() {
        for (int i = 0; i < 5; i++) {
            add(mail("t" + i, Email.EmailKind.TICKET, "ada@acme.example"));
            add(mail("r" + i, Email.EmailKind.REMINDER, "ada@acme.example"));
        }
        add(mail("bad", Email.EmailKind.TICKET, "nobody"));
        var first = tenant.admin()
                .browser()
                .get(tenant.path() + "/emails?kind=reminder&limit=3")
                .send()
                .expect(200);
        assertThat(first.json().at("/items").findValuesAsText("change")).containsExactly("r4", "r3", "r2");
        var second = tenant.admin()
                .browser()
                .get(tenant.path() + "/emails?kind=reminder&limit=3&after=" + first.text("/next"))
                .send()
                .expect(200);
        assertThat(second.json().at("/items").findValuesAsText("change")).containsExactly("r1", "r0");
        assertThat(second.json().at("/next").isNull()).isTrue();
        var failed = tenant.admin()
                .browser()
                .get(tenant.path() + "/emails?state=FAILED,SENT")
                .send()
                .expect(200);
        assertThat(failed.json().at("/items").findValuesAsText("change")).containsExactly("bad");
        assertThat(failed.text("/items/0/error")).isEqualTo("No mail can be sent to this address.");
    }

    @Test
    void theMailsOfAChangeAreOneItem() {
        List<String> team =
                List.of("ada@acme.example", "bob@acme.example", "cy@acme.example", "nobody", "eve@x.example");
        database.change(_ -> outbox.add(
                tenant.id(),
                team.stream()
                        .map(to -> mail("team", Email.EmailKind.TICKET, to))
                        .toList()));
        add(mail("late", Email.EmailKind.REMINDER, "eve@x.example"));

        assertThat(list("").findValuesAsText("change")).hasSize(6);
        JsonNode items = summaries("");
        assertThat(items.findValuesAsText("change")).containsExactly("late", "team");
        assertThat(items.at("/1/to")).hasSize(3);
        assertThat(items.at("/1/ticket_id").isNull()).isTrue();
        assertThat(count("")).isEqualTo(2);
        assertThat(count("?kind=reminder")).isEqualTo(1);
        assertThat(count("?search=nothing")).isZero();
        assertThat(items.at("/1/states")).hasToString("{\"KEPT\":4,\"FAILED\":1}");
        assertThat(items.at("/1/error").asText()).isEqualTo("No mail can be sent to this address.");
        JsonNode page = summaries("?limit=1&after=" + items.at("/0/id").asText());
        assertThat(page.findValuesAsText("change")).containsExactly("team");
        assertThat(summaries("?after=" + page.at("/0/id").asText())).isEmpty();

        JsonNode failed = summaries("?state=FAILED");
        assertThat(failed.findValuesAsText("change")).containsExactly("team");
        assertThat(failed.at("/0/to/0").asText()).isEqualTo("nobody");
        JsonNode one = tenant.owner()
                .browser()
                .get(tenant.path() + "/emails/" + failed.at("/0/id").asText())
                .send()
                .expect(200)
                .json();
        assertThat(one.get("recipients").findValuesAsText("to")).containsExactlyInAnyOrderElementsOf(team);
        assertThat(one.get("recipients").findValuesAsText("state")).containsOnlyOnce("FAILED");
    }

    @Test
    void mailsAreSearchedByRecipientSubjectAndTime() {
        add(mail("1", Email.EmailKind.TICKET, "ada@acme.example"));
        add(mail("2", Email.EmailKind.TICKET, "bob@acme.example"));
        assertThat(list("?search=ADA").findValuesAsText("change")).containsExactly("1");
        assertThat(list("?search=subject%20acme").findValuesAsText("change")).containsExactly("2", "1");
        assertThat(list("?search=of%202%20ada")).isEmpty();
        assertThat(list("?search=%25")).isEmpty();
        assertThat(summaries("?search=ADA").findValuesAsText("change")).containsExactly("1");
        assertThat(list("?since=2026-01-01T00:00:00Z")).hasSize(2);
        assertThat(list("?until=2026-01-01T00:00:00Z")).isEmpty();
        assertThat(list("?since=2100-01-01T00:00:00Z")).isEmpty();
    }

    @Test
    void aMailIsResentByAdminsOnlyAndNotWithoutAServer() {
        add(mail("1", Email.EmailKind.TICKET, tenant.member().email()));
        String resend = tenant.path() + "/emails/"
                + tenant.owner().browser().get(tenant.path() + "/emails").send().text("/items/0/id") + "/resend";
        assertThat(tenant.admin().browser().post(resend).send().expect(409).text("/detail"))
                .isEqualTo("No email server is configured.");
        tenant.member().browser().post(resend).send().expect(403);
        TestOrganizations.Tenant other = organizations.create();
        other.owner().browser().post(resend).send().expect(404);
        other.owner()
                .browser()
                .post(resend.replace(tenant.path(), other.path()))
                .send()
                .expect(404);
        assertThat(tenant.owner()
                        .browser()
                        .get("/dashboard/api/me")
                        .send()
                        .json()
                        .at("/emails_sent")
                        .asBoolean())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"state=OPEN", "kind=TICKET", "limit=0", "after=x", "since=now", "search=%00"})
    void aFilterThatMeansNothingIsRefused(String query) {
        tenant.admin().browser().get(tenant.path() + "/emails?" + query).send().expect(400);
    }

    private JsonNode list(String query) {
        return items("/emails" + query);
    }

    private int count(String query) {
        return tenant.admin()
                .browser()
                .get(tenant.path() + "/email-summaries/count" + query)
                .send()
                .expect(200)
                .json()
                .get("count")
                .asInt();
    }

    private JsonNode summaries(String query) {
        return items("/email-summaries" + query);
    }

    private JsonNode items(String path) {
        return tenant.admin()
                .browser()
                .get(tenant.path() + path)
                .send()
                .expect(200)
                .json()
                .get("items");
    }

    private static Email mail(String change, Email.EmailKind kind, String to) {
        return new Email(change, kind, to, "Subject of " + change, "Text of " + change, "<p>" + change + "</p>");
    }

    private void add(Email mail) {
        database.change(_ -> outbox.add(tenant.id(), List.of(mail)));
    }
}
