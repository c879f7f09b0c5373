package dev.parley.organization;

import static dev.parley.Tenant.eventually;
import static dev.parley.organization.InvitationSteps.accept;
import static dev.parley.organization.InvitationSteps.actions;
import static dev.parley.organization.InvitationSteps.invite;
import static dev.parley.organization.InvitationSteps.link;
import static dev.parley.organization.InvitationSteps.login;
import static dev.parley.organization.InvitationSteps.me;
import static dev.parley.organization.InvitationSteps.member;
import static dev.parley.organization.InvitationSteps.post;
import static dev.parley.organization.InvitationSteps.ticketFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.icegreen.greenmail.util.GreenMail;
import dev.parley.Api;
import dev.parley.db.Database;
import dev.parley.id.UserId;
import dev.parley.organization.InvitationSteps.Accepted;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.organization.member.TestOrganizations.TestUser;
import dev.parley.organization.oidc.ProviderBrowser;
import dev.parley.organization.oidc.TestProvider;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every way to a session and to a membership, and the resulting access: to Acme, whose conversations are protected, to
 * the organizations of two attackers, and to the one in which people of a domain register.
 */
@QuarkusTest
@QuarkusTestResource(value = MailedServiceResource.class, restrictToAnnotatedClass = true)
class MembershipMatrixTest {
    private static final String PASSWORD = "correct horse battery";
    private static final String MALLORYS = "the password of Mallory";
    private static final String MALLETS = "the password of Mallet";

    TestProvider provider;
    GreenMail mails;

    @Inject
    TestOrganizations organizations;

    @Inject
    Database database;

    private Tenant acme;
    private Tenant mallory;
    private Tenant mallet;
    private String cfo;
    private InvitationMailbox mailbox;

    @BeforeEach
    void threeOrganizations() {
        database.change(handle -> {
            handle.execute("DELETE FROM sign_in_throttle");
            handle.execute(
                    "INSERT INTO organization (id, name, created_at) VALUES (?, 'Registered', now())"
                            + " ON CONFLICT DO NOTHING",
                    MailedServiceResource.REGISTRATION.value());
        });
        mailbox = new InvitationMailbox(mails);
        acme = organizations.create();
        mallory = organizations.create();
        mallet = organizations.create();
        cfo = "cfo-" + acme.id() + "@acme.example";
    }

    @Test
    void aMailedInvitationProvesTheAddressAndOpensTheInvitingOrganization() {
        Api.Answer invited = invite(acme, cfo, "admin").expect(201);
        assertThat(invited.json().at("/invitation_token").isNull()).isTrue();
        assertThat(invited.text("/status")).isEqualTo("invited");
        assertThat(invited.json().at("/email_proven").booleanValue()).isFalse();
        String token = mailbox.mailedToken(cfo);
        Api.Answer shown = new Api().get(link(token)).send().expect(200);
        assertThat(shown.text("/email")).isEqualTo(cfo);
        assertThat(shown.text("/invited_by")).isEqualTo("TestUser");
        assertThat(shown.json().at("/has_account").booleanValue()).isFalse();

        Api browser = accept(token, PASSWORD).browser();

        assertReads(browser, acme);
        assertThat(me(browser).at("/email_proven").booleanValue()).isTrue();
        assertThat(me(browser).at("/id").asText()).isEqualTo(invited.text("/id"));
        assertThat(member(acme, cfo).at("/email_proven").booleanValue()).isTrue();
        assertThat(actions(acme)).containsSubsequence("invitations.accept", "members.create");
        assertReads(login(cfo, PASSWORD), acme);
        new Api().get(link(token)).send().expect(404);
    }

    @Test
    void anInvitationWhoseEmailFailedIsMarkedUntilItIsSentAgain() {
        invite(acme, cfo, "admin").expect(201);
        String failure = "UPDATE mail SET state = 'FAILED' WHERE recipient = ? AND state = 'SENT'";
        eventually(() -> database.transaction(handle -> handle.execute(failure, cfo)), changed -> changed == 1);
        assertThat(member(acme, cfo).at("/invitation_failed").booleanValue()).isTrue();
        invite(acme, cfo, "admin").expect(201);
        assertThat(member(acme, cfo).at("/invitation_failed").booleanValue()).isFalse();
    }

    @Test
    void anAccountJoinsAFurtherOrganizationOnlyByAcceptingWhileSignedIn() {
        Api browser = proven(acme, cfo);
        invite(mallory, cfo.toUpperCase(Locale.ROOT), "owner").expect(201);
        String token = mailbox.mailedToken(cfo);
        assertReads(browser, acme);
        assertThat(new Api().get(link(token)).send().json().at("/has_account").booleanValue())
                .isTrue();

        post(Api.dashboard(), token, Map.of()).expect(400);
        post(Api.dashboard(), token, Map.of("password", MALLORYS)).expect(409);
        TestUser other = organizations.testUser();
        assertThat(post(other.browser(), token, Map.of()).expect(403).text("/detail"))
                .contains(cfo);
        post(other.browser(), token, Map.of("password", MALLORYS)).expect(409);
        assertThat(Api.dashboard().login(cfo, MALLORYS).status()).isEqualTo(401);
        assertReads(browser, acme);

        post(browser, token, Map.of()).expect(200);
        assertReads(browser, acme, mallory);
        assertReads(login(cfo, PASSWORD), acme, mallory);
        post(browser, token, Map.of()).expect(404);
    }

    @Test
    void anUnprovenAccountBelongsToTheOrganizationThatCreatedItAlone() {
        Api browser = handedOn(mallory, cfo, MALLORYS);
        assertReads(browser, mallory);
        assertThat(me(browser).at("/email_proven").booleanValue()).isFalse();
        assertThat(member(mallory, cfo).at("/status").asText()).isEqualTo("active");
        assertThat(member(mallory, cfo).at("/email_proven").booleanValue()).isFalse();

        invite(acme, cfo, "admin").expect(201);
        String token = mailbox.mailedToken(cfo);
        assertReads(browser, mallory);
        post(browser, token, Map.of()).expect(400);
        assertReads(browser, mallory);
        assertReads(login(cfo, MALLORYS), mallory);
    }

    @Test
    void twoAttackersLoseTheirAccountsWhenTheAddressIsProvenByMail() {
        Api mallorys = handedOn(mallory, cfo, MALLORYS);
        Api mallets = handedOn(mallet, cfo, MALLETS);
        invite(acme, cfo, "admin").expect(201);

        Api browser = accept(mailbox.mailedToken(cfo), PASSWORD).browser();

        assertReads(browser, acme);
        for (Api attacker : List.of(mallorys, mallets)) {
            attacker.get("/dashboard/api/me").send().expect(401);
        }
        for (String password : List.of(MALLORYS, MALLETS)) {
            assertThat(Api.dashboard().login(cfo, password).status()).isEqualTo(401);
        }
        for (Tenant attacker : List.of(mallory, mallet)) {
            assertThat(member(attacker, cfo).isMissingNode()).isTrue();
            assertThat(actions(attacker)).first().isEqualTo("members.replace");
            assertThat(actions(attacker)).contains("invitations.accept");
        }
        assertThat(actions(acme)).doesNotContain("members.replace");
        // The prover's request origin is not shown to organizations that lost a member.
        assertThat(mallory.owner()
                        .browser()
                        .get(mallory.path() + "/audit-log")
                        .send()
                        .json()
                        .at("/items/0/address")
                        .isNull())
                .isTrue();
    }

    @Test
    void twoAttackersAndAcmeWithoutMailEachHaveAnAccountOfTheirOwn() {
        Api mallorys = handedOn(mallory, cfo, MALLORYS);
        Api mallets = handedOn(mallet, cfo, MALLETS);
        Api browser = handedOn(acme, cfo, PASSWORD);
        assertReads(browser, acme);
        assertReads(mallorys, mallory);
        assertReads(mallets, mallet);
        assertReads(login(cfo, PASSWORD), acme);
        assertReads(login(cfo, MALLORYS), mallory);
        assertReads(login(cfo, MALLETS), mallet);
    }

    @Test
    void onePasswordForTwoOrganizationsOpensTheOneThatIsAskedFor() {
        handedOn(mallory, cfo, PASSWORD);
        handedOn(acme, cfo, PASSWORD);
        for (Tenant requested : List.of(acme, mallory)) {
            Api browser = Api.dashboard();
            browser.post("/dashboard/api/login")
                    .json(Map.of(
                            "email",
                            cfo,
                            "password",
                            PASSWORD,
                            "organization_id",
                            requested.id().text()))
                    .send()
                    .expect(200);
            assertReads(browser, requested);
        }
        assertReads(login(cfo, PASSWORD), acme);
    }

    @Test
    void aVerifiedAddressOfTheProviderReplacesUnprovenAccounts() {
        Api mallorys = handedOn(mallory, cfo, MALLORYS);
        invite(acme, cfo, "admin").expect(201);
        provider.person("cfo-" + acme.id(), cfo, true);

        Api browser = ProviderBrowser.signIn(provider).browser();

        assertReads(browser);
        mallorys.get("/dashboard/api/me").send().expect(401);
        assertThat(actions(mallory)).first().isEqualTo("members.replace");
        assertThat(Api.dashboard().login(cfo, MALLORYS).status()).isEqualTo(401);
        post(browser, mailbox.mailedToken(cfo), Map.of()).expect(200);
        assertReads(browser, acme);
        assertReads(ProviderBrowser.signIn(provider).browser(), acme);
    }

    @Test
    void theProviderLinksAccountsOnlyByVerifiedAddresses() {
        proven(acme, cfo);
        provider.person("other-" + acme.id(), cfo, false);
        ProviderBrowser.Arrival refused = ProviderBrowser.signIn(provider);
        assertThat(refused.location()).contains("oidc_email_not_verified");
        refused.browser().get("/dashboard/api/me").send().expect(401);
        provider.person("cfo-" + acme.id(), cfo, true);
        assertReads(ProviderBrowser.signIn(provider).browser(), acme);
        provider.person("stranger", "stranger@acme.example", true);
        assertThat(ProviderBrowser.signIn(provider).location()).contains("oidc_not_invited");
    }

    @Test
    void anAccountThatLostItsProviderIsOpenedByMailAlone() {
        provider.person("cfo-" + acme.id(), cfo, true);
        invite(acme, cfo, "admin").expect(201);
        Api browser = ProviderBrowser.signIn(provider).browser();
        post(browser, mailbox.mailedToken(cfo), Map.of()).expect(200);
        database.change(handle -> handle.execute("DELETE FROM user_identity WHERE email = ?", cfo));
        String mallorys = organizations.inviteWithoutSmtp(mallory.id(), cfo, Role.MEMBER);
        post(Api.dashboard(), mallorys, Map.of("password", MALLORYS)).expect(409);
        assertThat(catchThrowable(() -> organizations.inviteWithoutSmtp(acme.id(), cfo, Role.ADMIN)))
                .hasMessageContaining("SMTP");

        invite(acme, cfo, "admin").expect(201);
        Api again = accept(mailbox.mailedToken(cfo), PASSWORD).browser();

        assertReads(again, acme);
        assertThat(me(again).at("/id")).isEqualTo(me(browser).at("/id"));
        invite(mallory, cfo, "member").expect(201);
        post(again, mailbox.mailedToken(cfo), Map.of()).expect(200);
        assertReads(again, acme, mallory);
    }

    @Test
    void aRegisteredUserReadsOnlyTheDomainsOrganization() {
        String ada = "ada-" + acme.id() + "@" + MailedServiceResource.DOMAIN;
        Api mallorys = handedOn(mallory, ada, MALLORYS);
        String token = organizations.inviteWithoutSmtp(mallet.id(), ada, Role.OWNER);
        provider.person("ada-" + acme.id(), ada, true);

        Api browser = ProviderBrowser.signIn(provider).browser();

        assertReadsOnly(browser, Set.of("registered"));
        mallorys.get("/dashboard/api/me").send().expect(401);
        post(Api.dashboard(), token, Map.of("password", MALLETS)).expect(409);
        assertReadsOnly(browser, Set.of("registered"));
    }

    @Test
    void theDemoAndOperatorsReadOnlyTheirOwnOrganizations() {
        Api operator = organizations.operator().browser();
        assertReads(operator);
        operator.get("/dashboard/api/organizations/" + acme.id()).send().expect(200);
        assertThat(me(operator).at("/email_proven").booleanValue()).isTrue();

        String demo = database.with(
                handle -> handle.createQuery("SELECT email FROM app_user WHERE operator AND name = 'Demo'")
                        .mapTo(String.class)
                        .one());
        UserId demoUser =
                database.with(handle -> new UserId(handle.createQuery("SELECT id FROM app_user WHERE email = :email")
                        .bind("email", demo)
                        .mapTo(UUID.class)
                        .one()));
        Api demoBrowser = organizations.browser(demoUser);
        String token = organizations.inviteWithoutSmtp(mallory.id(), demo, Role.MEMBER);
        post(Api.dashboard(), token, Map.of("password", MALLORYS)).expect(409);
        assertReadsOnly(demoBrowser, Set.of("Demo"));
        post(demoBrowser, token, Map.of()).expect(200);
        assertReadsOnly(demoBrowser, Set.of("Demo", "mallory"));
    }

    @Test
    void ofTwoWhoProveAnAddressAtOnceOneSucceeds() {
        invite(acme, cfo, "admin").expect(201);
        String first = mailbox.mailedToken(cfo);
        invite(mallory, cfo, "admin").expect(201);
        String second = mailbox.mailedToken(cfo);
        List<CompletableFuture<Accepted>> accepting = Stream.of(first, second)
                .map(token -> CompletableFuture.supplyAsync(() -> accept(token, "the password for " + token)))
                .toList();
        List<Accepted> accepted =
                accepting.stream().map(CompletableFuture::join).toList();
        assertThat(accepted).extracting(Accepted::status).containsExactlyInAnyOrder(200, 409);
        int winner = accepted.get(0).status() == 200 ? 0 : 1;
        Api browser = accepted.get(winner).browser();
        assertReads(browser, winner == 0 ? acme : mallory);
        post(browser, winner == 0 ? second : first, Map.of()).expect(200);
        assertReads(browser, acme, mallory);
    }

    @Test
    void oneTokenIsAcceptedOnceHoweverManyTryAtOnce() {
        String token = organizations.inviteWithoutSmtp(mallory.id(), cfo, Role.MEMBER);
        List<CompletableFuture<Integer>> accepting = Stream.of(PASSWORD, MALLORYS, MALLETS, "one more password")
                .map(password -> CompletableFuture.supplyAsync(
                        () -> accept(token, password).status()))
                .toList();
        assertThat(accepting.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder(200, 404, 404, 404);
    }

    @Test
    void aMemberProvesTheAddressInTheSameOrganizationAndTakesNothingOver() {
        Api unproven = handedOn(acme, cfo, MALLORYS);
        String old = me(unproven).at("/id").asText();
        Api owner = acme.owner().browser();
        owner.post(acme.path() + "/teams").json(Map.of("name", "T")).send().expect(201);
        owner.put(acme.path() + "/teams/1/members/" + old).send().expect(204);
        String conversation = unproven.post(acme.path() + "/conversations")
                .json(Map.of())
                .send()
                .expect(201)
                .text("/id");
        String ticket = ticketFor(acme, old);
        unproven.post(acme.path() + "/tickets/" + ticket + "/claim")
                .json(Map.of())
                .send()
                .expect(200);

        Api.Answer again = invite(acme, cfo, "member").expect(201);
        assertThat(again.text("/status")).isEqualTo("active");
        assertThat(again.text("/id")).isEqualTo(old);
        assertReads(unproven, acme);
        Api browser = accept(mailbox.mailedToken(cfo), PASSWORD).browser();

        assertReads(browser, acme);
        unproven.get("/dashboard/api/me").send().expect(401);
        assertThat(Api.dashboard().login(cfo, MALLORYS).status()).isEqualTo(401);
        assertThat(me(browser).at("/id").asText()).isNotEqualTo(old);
        assertThat(me(browser).at("/organizations/0/role").asText()).isEqualTo("admin");
        assertThat(owner.get(acme.path() + "/teams/1/members").send().json().at("/items"))
                .isEmpty();
        assertThat(browser.get(acme.path() + "/tickets?assignee=me")
                        .send()
                        .json()
                        .at("/items"))
                .isEmpty();
        Api.Answer kept = owner.get(acme.path() + "/tickets/" + ticket).send().expect(200);
        assertThat(kept.text("/claimed_by")).isEqualTo(old);
        owner.get(acme.path() + "/conversations/" + conversation).send().expect(200);
        assertThat(actions(acme)).containsSubsequence("invitations.accept", "members.replace");
        assertThat(invite(acme, cfo, "member").status()).isEqualTo(409);
    }

    @Test
    void aFormerMembersAccountEndsWhenTheAddressIsInvitedAgain() {
        Api former = handedOn(mallory, cfo, MALLORYS);
        String id = me(former).at("/id").asText();
        Api owner = mallory.owner().browser();
        owner.delete(mallory.path() + "/members/" + id).send().expect(204);
        assertReads(former);
        assertReads(login(cfo, MALLORYS));

        Api again = handedOn(mallory, cfo, MALLETS);

        assertThat(me(again).at("/id").asText()).isNotEqualTo(id);
        assertReads(again, mallory);
        former.get("/dashboard/api/me").send().expect(401);
        assertThat(Api.dashboard().login(cfo, MALLORYS).status()).isEqualTo(401);
    }

    @Test
    void aWithdrawnOrReplacedInvitationAndThatOfADeletedOrganizationOpenNothing() {
        String id = invite(acme, cfo, "member").expect(201).text("/id");
        String first = mailbox.mailedToken(cfo);
        invite(acme, cfo, "member").expect(201);
        String second = mailbox.mailedToken(cfo);
        assertThat(accept(first, PASSWORD).status()).isEqualTo(404);
        acme.owner().browser().delete(acme.path() + "/members/" + id).send().expect(204);
        assertThat(accept(second, PASSWORD).status()).isEqualTo(404);
        String token = organizations.inviteWithoutSmtp(mallory.id(), cfo, Role.MEMBER);
        mallory.owner().browser().delete(mallory.path()).send().expect(204);
        assertThat(accept(token, PASSWORD).status()).isEqualTo(404);
        new Api().get(link(token)).send().expect(404);
    }

    @Test
    void theDatabaseHoldsTheRuleToo() {
        Api unproven = handedOn(mallory, cfo, MALLORYS);
        UserId id = UserId.parse(me(unproven).at("/id").asText()).orElseThrow();
        TestUser person = new TestUser(id, cfo, unproven);
        assertThat(catchThrowable(() -> organizations.join(acme.id(), person, Role.MEMBER)))
                .hasMessageContaining("belongs only to the organization that created it");
        assertReads(unproven, mallory);
    }

    /** A member whose address was proven by a mailed invitation. */
    private Api proven(Tenant tenant, String email) {
        invite(tenant, email, "member").expect(201);
        return accept(mailbox.mailedToken(email), PASSWORD).browser();
    }

    @Test
    void anUpdatedInvitationIsMailedOnceMoreAndGivesTheNewRole() {
        invite(acme, cfo, "member").expect(201);
        String first = mailbox.mailedToken(cfo);
        assertThat(invite(acme, cfo, "admin").expect(201).json().at("/updated").asBoolean())
                .isTrue();
        String second = mailbox.mailedToken(cfo);

        assertThat(accept(first, PASSWORD).status()).isEqualTo(404);
        assertThat(accept(second, PASSWORD).status()).isEqualTo(200);
        assertThat(member(acme, cfo).at("/role").asText()).isEqualTo("admin");
    }

    /** A member by a token that the admin saw, because no SMTP server was configured at that time. */
    private Api handedOn(Tenant tenant, String email, String password) {
        Accepted accepted = accept(organizations.inviteWithoutSmtp(tenant.id(), email, Role.ADMIN), password);
        assertThat(accepted.status()).isEqualTo(200);
        return accepted.browser();
    }

    private void assertReads(Api browser, Tenant... tenants) {
        assertReadsOnly(browser, Arrays.stream(tenants).map(this::name).collect(Collectors.toSet()));
    }

    private String name(Tenant tenant) {
        return tenant.equals(acme) ? "acme" : tenant.equals(mallory) ? "mallory" : "mallet";
    }

    /** Reads members and conversations of exactly these organizations. */
    private void assertReadsOnly(Api browser, Set<String> names) {
        Map<String, String> all = Map.of(
                "acme", acme.id().text(),
                "mallory", mallory.id().text(),
                "mallet", mallet.id().text(),
                "registered", MailedServiceResource.REGISTRATION.text());
        Set<String> read = new HashSet<>();
        all.forEach((name, id) -> {
            for (String list : List.of("/members", "/conversations", "/tickets", "/workflows")) {
                int status = browser.get("/dashboard/api/organizations/" + id + list)
                        .send()
                        .status();
                assertThat(status).isIn(200, 404);
                assertThat(read.contains(name) && status == 404).isFalse();
                if (status == 200) {
                    read.add(name);
                }
            }
        });
        Set<String> shown = new HashSet<>();
        me(browser)
                .at("/organizations")
                .findValuesAsText("id")
                .forEach(id -> shown.add(all.entrySet().stream()
                        .filter(entry -> entry.getValue().equals(id))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse("Demo")));
        assertThat(shown).isEqualTo(names);
        shown.remove("Demo");
        assertThat(read).isEqualTo(shown);
    }
}
