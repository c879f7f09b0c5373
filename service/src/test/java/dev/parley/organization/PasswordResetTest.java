package dev.parley.organization;

import static dev.parley.organization.InvitationSteps.accept;
import static dev.parley.organization.InvitationSteps.actions;
import static dev.parley.organization.InvitationSteps.invite;
import static dev.parley.organization.InvitationSteps.login;
import static dev.parley.organization.InvitationSteps.me;
import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import dev.parley.Api;
import dev.parley.Tenant;
import dev.parley.TestClock;
import dev.parley.db.Database;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.TestUser;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.mail.MessagingException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Links that set a new password: mailed ones, and those that admins and operators create. */
@QuarkusTest
@QuarkusTestResource(value = MailedServiceResource.class, restrictToAnnotatedClass = true)
class PasswordResetTest {
    private static final String OLD = "correct horse battery";
    private static final String NEW = "staple that nobody guesses";
    private static final String PATH = "/dashboard/api/password-resets";

    GreenMail mails;

    @Inject
    TestOrganizations organizations;

    @Inject
    Database database;

    @Inject
    TestClock clock;

    private TestOrganizations.Tenant acme;
    private TestOrganizations.Tenant other;
    private InvitationMailbox mailbox;

    @BeforeEach
    void twoOrganizations() {
        database.change(handle -> handle.execute("DELETE FROM sign_in_throttle"));
        acme = organizations.create();
        other = organizations.create();
        mailbox = new InvitationMailbox(mails);
    }

    @AfterEach
    void theRealTime() {
        clock.reset();
    }

    @Test
    void aMailedLinkSetsThePasswordOnceAndEndsAllOtherSessions() {
        TestUser ada = member(acme);
        organizations.join(other.id(), ada, Role.MEMBER);
        Api elsewhere = login(ada.email(), OLD);
        String token = mailed(ada.email());

        assertThat(check(token).expect(200).text("/email")).isEqualTo(ada.email());
        Api browser = Api.dashboard();
        complete(browser, token, NEW).expect(204);

        assertThat(me(browser).at("/email").asText()).isEqualTo(ada.email());
        assertThat(me(browser).at("/email_proven").booleanValue()).isTrue();
        elsewhere.get("/dashboard/api/me").send().expect(401);
        Api.dashboard().login(ada.email(), OLD).expect(401);
        login(ada.email(), NEW);
        check(token).expect(404);
        complete(Api.dashboard(), token, OLD).expect(404);
        assertThat(actions(acme)).contains("members.reset-password");
        assertThat(actions(other)).contains("members.reset-password");
    }

    @Test
    void theResponseIsTheSameForAnUnknownAddressWhichGetsNoMail() {
        TestUser ada = member(acme);
        String unproven = handedOn("unproven-" + acme.id() + "@acme.example");
        String unknown = "unknown-" + acme.id() + "@acme.example";
        invite(acme, "invited-" + acme.id() + "@acme.example", "member").expect(201);
        mailbox.mailedToken("invited-" + acme.id() + "@acme.example");

        List<Api.Answer> answers = Stream.of(
                        unknown, unproven, "invited-" + acme.id() + "@acme.example", "no address", ada.email())
                .map(this::request)
                .toList();

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.body()).isEqualTo(answers.getFirst().body());
            assertThat(answer.headers().map().keySet())
                    .isEqualTo(answers.getFirst().headers().map().keySet());
        });
        // The requests are handled in their order.
        mailbox.mailedToken(ada.email());
        assertThat(recipients()).doesNotContain(unknown, unproven);
        assertThat(recipients().stream().filter(("invited-" + acme.id() + "@acme.example")::equals))
                .hasSize(1);
    }

    @Test
    void aLinkExpiresAndDiesWithTheNextChangeOfThePassword() {
        TestUser ada = member(acme);
        String late = mailed(ada.email());
        clock.advance(Duration.ofHours(1).plusSeconds(1));
        check(late).expect(404);
        complete(Api.dashboard(), late, NEW).expect(404);
        clock.reset();

        String unused = mailed(ada.email());
        login(ada.email(), OLD)
                .post("/dashboard/api/me/password")
                .json(Map.of("current_password", OLD, "new_password", NEW))
                .send()
                .expect(204);
        complete(Api.dashboard(), unused, OLD).expect(404);
    }

    @Test
    void oneOfTwoSimultaneousUsesOfALinkWins() {
        TestUser ada = member(acme);
        String token = mailed(ada.email());
        List<Integer> statuses = Stream.of(NEW, NEW + "!")
                .map(password -> CompletableFuture.supplyAsync(
                        () -> complete(Api.dashboard(), token, password).status()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .sorted()
                .toList();
        assertThat(statuses).containsExactly(204, 404);
    }

    @Test
    void requestsAndGuessesAreThrottled() {
        TestUser ada = member(acme);
        for (int sent = 0; sent < 3; sent++) {
            request(ada.email()).expect(202);
        }
        Api.Answer refused =
                request("  " + ada.email().toUpperCase(java.util.Locale.ROOT)).expect(429);
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(60, 120);
        for (int sent = 0; sent < 3; sent++) {
            request("unknown@acme.example").expect(202);
        }
        request("unknown@acme.example").expect(429);

        int status = 404;
        for (int guess = 0; guess < 60 && status == 404; guess++) {
            status = check("A".repeat(43)).status();
        }
        assertThat(status).isEqualTo(429);
    }

    @Test
    void weakAndMissingFieldsAreNamed() {
        assertThat(request("").expect(400).body()).contains("/email");
        assertThat(complete(Api.dashboard(), "x", "short").expect(400).body()).contains("/password");
        assertThat(new Api()
                        .post(PATH + "/check")
                        .header("X-Requested-With", "parley")
                        .json(Map.of())
                        .send()
                        .expect(400)
                        .body())
                .contains("/token");
        new Api().post(PATH).json(Map.of("email", "a@b.example")).send().expect(403);
    }

    @Test
    void aPersonWithoutAPasswordIsSentToTheProvider() throws Exception {
        TestUser ada = member(acme);
        identity(ada);
        database.change(handle -> handle.execute(
                "UPDATE app_user SET password_hash = NULL WHERE id = ?",
                ada.id().value()));

        request(ada.email()).expect(202);

        Tenant.eventually(this::recipients, found -> found.contains(ada.email()));
        var mail = Arrays.stream(mails.getReceivedMessages())
                .filter(each -> to(each).equals(ada.email()))
                .findFirst()
                .orElseThrow();
        var text = String.valueOf(((jakarta.mail.internet.MimeMultipart) mail.getContent())
                .getBodyPart(0)
                .getContent());
        assertThat(text).contains("Continue with").doesNotContain("/reset-password");
    }

    @Test
    void resetMailsAreNotListedAndTokensAreNotStored() {
        TestUser ada = member(acme);
        String token = mailed(ada.email());
        Api.Answer listed =
                acme.owner().browser().get(acme.path() + "/emails").send().expect(200);
        assertThat(listed.body()).doesNotContain("Reset your Parley password");
        acme.owner()
                .browser()
                .get(acme.path() + "/emails?kind=password_reset")
                .send()
                .expect(400);
        assertThat((int) database.with(handle -> handle.createQuery(
                                "SELECT count(*) FROM mail WHERE body_text LIKE '%' || :token || '%'")
                        .bind("token", token)
                        .mapTo(Integer.class)
                        .one()))
                .isZero();
    }

    @Test
    void anAdminsLinkConfinesTheAccount() {
        TestUser ada = member(acme);
        Api elsewhere = login(ada.email(), OLD);
        String token = link(acme.admin(), acme, ada).expect(201).text("/reset_token");
        assertThat(actions(acme)).first().isEqualTo("members.reset-link");

        Api browser = Api.dashboard();
        complete(browser, token, NEW).expect(204);

        elsewhere.get("/dashboard/api/me").send().expect(401);
        assertThat(me(browser).at("/email_proven").booleanValue()).isFalse();
        assertThat(me(browser).at("/id").asText()).isEqualTo(ada.id().text());
        assertThat(InvitationSteps.member(acme, ada.email()).at("/status").asText())
                .isEqualTo("active");
        // The owner of the address proves it by a mailed invitation and gets an account of their own.
        invite(other, ada.email(), "member").expect(201);
        Api proven = accept(mailbox.mailedToken(ada.email()), OLD).browser();
        assertThat(me(proven).at("/email_proven").booleanValue()).isTrue();
        browser.get("/dashboard/api/me").send().expect(401);
    }

    @Test
    void anAdminResetsOnlyAccountsOfTheOrganizationAlone() {
        TestUser shared = member(acme);
        organizations.join(other.id(), shared, Role.MEMBER);
        TestUser operator = organizations.operator();
        organizations.join(acme.id(), operator, Role.MEMBER);
        TestUser sso = member(acme);
        identity(sso);
        TestUser stranger = member(other);
        String invited = invite(acme, "new-" + acme.id() + "@acme.example", "member")
                .expect(201)
                .text("/id");

        assertThat(link(acme.admin(), acme, shared).expect(409).text("/detail")).contains("another organization");
        assertThat(link(acme.admin(), acme, operator).expect(403).text("/detail"))
                .contains("operator");
        assertThat(link(acme.admin(), acme, sso).expect(409).text("/detail")).contains("OpenID Connect");
        link(acme.admin(), acme, stranger).expect(404);
        link(acme.admin(), other, stranger).expect(404);
        link(acme.admin(), acme, acme.owner()).expect(403);
        link(acme.admin(), acme, acme.admin()).expect(409);
        link(acme.member(), acme, acme.admin()).expect(403);
        link(acme.owner(), acme, acme.admin()).expect(201);
        acme.admin()
                .browser()
                .post(acme.path() + "/members/" + invited + "/reset-link")
                .send()
                .expect(409);
    }

    @Test
    void anAdminsLinkDiesWhenTheAccountIsNoLongerTheOrganizationsAlone() {
        TestUser joined = member(acme);
        TestUser removed = member(acme);
        TestUser promoted = member(acme);
        String forJoined = link(acme.admin(), acme, joined).expect(201).text("/reset_token");
        String forRemoved = link(acme.admin(), acme, removed).expect(201).text("/reset_token");
        String forPromoted = link(acme.admin(), acme, promoted).expect(201).text("/reset_token");

        organizations.join(other.id(), joined, Role.MEMBER);
        organizations.leave(acme.id(), removed);
        acme.owner()
                .browser()
                .patch(acme.path() + "/members/" + promoted.id().text())
                .json(Map.of("role", "owner"))
                .send()
                .expect(200);

        complete(Api.dashboard(), forJoined, NEW).expect(409);
        complete(Api.dashboard(), forRemoved, NEW).expect(404);
        complete(Api.dashboard(), forPromoted, NEW).expect(404);
        login(joined.email(), OLD);
    }

    @Test
    void anOperatorsLinkWorksForEveryAccountWhichStaysProven() {
        TestUser shared = member(acme);
        organizations.join(other.id(), shared, Role.OWNER);
        TestUser operator = organizations.operator();

        String token = link(operator, other, shared).expect(201).text("/reset_token");
        Api browser = Api.dashboard();
        complete(browser, token, NEW).expect(204);

        assertThat(me(browser).at("/email_proven").booleanValue()).isTrue();
        assertThat(me(browser).at("/organizations")).hasSize(2);
        link(operator, acme, operator).expect(404);
    }

    @Test
    void aMemberWhoCannotSignInIsOfferedALinkInsteadOfAnInvitation() {
        TestUser ada = member(acme);
        assertThat(invite(acme, ada.email(), "member").expect(409).text("/detail"))
                .contains("create a reset link");
    }

    @Test
    void sessionsAreListedAndEnded() {
        TestUser ada = member(acme);
        Api here = login(ada.email(), OLD);
        Api there = login(ada.email(), OLD);
        login(ada.email(), OLD);
        var listed = here.get("/dashboard/api/me/sessions").send().expect(200).json();
        assertThat(listed.findValuesAsText("current")).containsExactly("true", "false", "false");
        assertThat(listed.at("/0/user_agent").asText()).startsWith("Java-http-client");
        assertThat(listed.at("/0/address").asText()).isNotEmpty();
        String theirs = there.get("/dashboard/api/me/sessions").send().text("/0/id");

        acme.member()
                .browser()
                .delete("/dashboard/api/me/sessions/" + theirs)
                .send()
                .expect(404);
        here.delete("/dashboard/api/me/sessions/" + theirs).send().expect(204);
        there.get("/dashboard/api/me").send().expect(401);
        here.delete("/dashboard/api/me/sessions").send().expect(204);

        assertThat(here.get("/dashboard/api/me/sessions").send().json()).hasSize(1);
    }

    private TestUser member(TestOrganizations.Tenant tenant) {
        TestUser ada = organizations.withPassword(OLD);
        organizations.join(tenant.id(), ada, Role.MEMBER);
        return ada;
    }

    /** An account whose address nobody proved. */
    private String handedOn(String email) {
        assertThat(accept(organizations.inviteWithoutSmtp(acme.id(), email, Role.MEMBER), OLD)
                        .status())
                .isEqualTo(200);
        return email;
    }

    private void identity(TestUser user) {
        database.change(handle -> handle.execute(
                "INSERT INTO user_identity (issuer, subject, user_id, email, created_at)"
                        + " VALUES ('https://id.example', ?, ?, ?, now())",
                user.id().text(),
                user.id().value(),
                user.email()));
    }

    private String mailed(String email) {
        request(email).expect(202);
        return mailbox.mailedToken(email);
    }

    private Api.Answer request(String email) {
        return Api.dashboard().post(PATH).json(Map.of("email", email)).send();
    }

    private static Api.Answer check(String token) {
        return Api.dashboard()
                .post(PATH + "/check")
                .json(Map.of("token", token))
                .send();
    }

    private static Api.Answer complete(Api browser, String token, String password) {
        return browser.post(PATH + "/complete")
                .json(Map.of("token", token, "password", password))
                .send();
    }

    private static Api.Answer link(TestUser caller, TestOrganizations.Tenant tenant, TestUser user) {
        return caller.browser()
                .post(tenant.path() + "/members/" + user.id().text() + "/reset-link")
                .send();
    }

    private List<String> recipients() {
        return Arrays.stream(mails.getReceivedMessages())
                .map(PasswordResetTest::to)
                .toList();
    }

    private static String to(jakarta.mail.internet.MimeMessage mail) {
        try {
            return mail.getAllRecipients()[0].toString();
        } catch (MessagingException e) {
            throw new AssertionError(e);
        }
    }
}
