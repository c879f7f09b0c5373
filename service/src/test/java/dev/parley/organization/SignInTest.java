package dev.parley.organization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.TestClock;
import dev.parley.db.Database;
import dev.parley.id.UserId;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.Tenant;
import dev.parley.organization.member.TestOrganizations.TestUser;
import dev.parley.organization.session.SignInThrottle;
import dev.parley.organization.user.UserStore;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class SignInTest {
    private static final String PASSWORD = "correct horse battery";

    private static final String WRONG = """
            {"error":"Not signed in","detail":"Email or password is wrong.","code":"wrong_credentials"}""";

    private static final String NOBODY = """
            {"error":"Not signed in","detail":"A session is required: POST /dashboard/api/login.","code":"not_signed_in"}""";

    @Inject
    TestOrganizations organizations;

    @Inject
    Database database;

    @Inject
    SignInThrottle throttle;

    @Inject
    TestClock clock;

    @BeforeEach
    void nobodyGuessed() {
        database.change(handle -> handle.execute("DELETE FROM sign_in_throttle"));
    }

    @AfterEach
    void theRealTime() {
        clock.reset();
    }

    @Test
    void signingInSetsAnHttpOnlySameSiteCookie() {
        TestUser ada = organizations.withPassword(PASSWORD);
        Api.Answer answer = ada.browser().login("  " + ada.email().toUpperCase(java.util.Locale.ROOT), PASSWORD);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo(
                        "{\"id\":\"" + ada.id().text() + "\",\"email\":\"" + ada.email()
                                + "\",\"name\":\"TestUser\",\"operator\":false,\"organizations\":[],\"email_proven\":true,\"emails_sent\":false,\"cost_currency\":\"USD\",\"standby\":false}");
        assertThat(answer.header("Set-Cookie"))
                .matches("parley_session=[A-Za-z0-9_-]{43};.*")
                .containsIgnoringCase("HttpOnly")
                .containsIgnoringCase("SameSite=Strict")
                .containsIgnoringCase("Path=/")
                .doesNotContainIgnoringCase("Secure");
        assertThat(ada.browser().get("/dashboard/api/me").send().body()).isEqualTo(answer.body());
    }

    @Test
    void meNamesTheOrganizationsAndRoles() {
        Tenant tenant = organizations.create();
        Api.Answer me = tenant.admin().browser().get("/dashboard/api/me").send().expect(200);
        assertThat(me.json().at("/organizations")).hasSize(1);
        assertThat(me.text("/organizations/0/id")).isEqualTo(tenant.id().text());
        assertThat(me.text("/organizations/0/role")).isEqualTo("admin");
    }

    @Test
    void signingOutEndsTheSessionAndTakesTheCookieBack() {
        TestUser ada = organizations.withPassword(PASSWORD);
        ada.browser().login(ada.email(), PASSWORD).expect(200);
        String token = ada.browser().session().orElseThrow();
        Api.Answer out = ada.browser().post("/dashboard/api/logout").send();
        assertThat(out.status()).isEqualTo(204);
        assertThat(out.header("Set-Cookie")).containsIgnoringCase("Max-Age=0");
        assertRefused(
                Api.dashboard().withSession(token).get("/dashboard/api/me").send(), NOBODY);
    }

    @Test
    void aSessionEndsWhenItWasIdleFor12HoursOrAfter7Days() {
        Api browser = organizations.testUser().browser();
        for (int hours = 0; hours + 11 < 7 * 24; hours += 11) {
            clock.advance(Duration.ofHours(11));
            browser.get("/dashboard/api/me").send().expect(200);
        }
        clock.advance(Duration.ofHours(11));
        browser.get("/dashboard/api/me").send().expect(401);
        clock.reset();
        Api idle = organizations.testUser().browser();
        clock.advance(Duration.ofHours(12).plusSeconds(1));
        idle.get("/dashboard/api/me").send().expect(401);
    }

    @Test
    void aRequestForAnotherUserThanTheSessionsIsRefused() {
        TestUser ada = organizations.testUser();
        TestUser bob = organizations.testUser();
        ada.browser()
                .get("/dashboard/api/me")
                .header("X-User-Id", ada.id().text())
                .send()
                .expect(200);
        for (String other : new String[] {bob.id().text(), "x", ""}) {
            Api.Answer answer = ada.browser()
                    .patch("/dashboard/api/me")
                    .json(Map.of("name", "Bob"))
                    .header("X-User-Id", other)
                    .send();
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.text("/error")).isEqualTo("Not signed in");
        }
        assertThat(ada.browser().get("/dashboard/api/me").send().text("/name")).isEqualTo("TestUser");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/me",
        "GET,/organizations",
        "GET,",
        "GET,/nothing/at/all",
        "POST,/logout",
        "POST,/login/x",
        "PATCH,/organizations/x",
        "GET,/login"
    })
    void everythingElseNeedsASession(String method, String path) {
        Api.Answer answer = Api.dashboard()
                .method(method, "/dashboard/api" + (path == null ? "" : path))
                .send();
        assertRefused(answer, NOBODY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "0000000000000000000000000000000000000000000", "\"\"", "é"})
    void anUnknownCookieIsNoSession(String cookie) {
        assertThat(Api.dashboard()
                        .get("/dashboard/api/me")
                        .header("Cookie", "parley_session=" + cookie)
                        .send()
                        .status())
                .isEqualTo(401);
    }

    @Test
    void anUnknownAccountAndAWrongPasswordGetTheSameResponse() {
        TestUser ada = organizations.withPassword(PASSWORD);
        TestUser invited = pending();
        assertRefused(Api.dashboard().login(ada.email(), PASSWORD + "!"), WRONG);
        assertRefused(Api.dashboard().login("nobody@test.example", PASSWORD), WRONG);
        assertRefused(Api.dashboard().login(invited.email(), "" + PASSWORD), WRONG);
        assertRefused(Api.dashboard().login("' OR 1=1 --", PASSWORD), WRONG);
    }

    @Test
    void anUnknownAccountTakesAsLongAsAWrongPassword() {
        TestUser ada = organizations.withPassword(PASSWORD);
        Api.dashboard().login(ada.email(), "warming up, wrong");
        long known = nanos(() -> Api.dashboard().login(ada.email(), "wrong password"));
        long unknown = nanos(() -> Api.dashboard().login("nobody@test.example", "wrong password"));
        assertThat((double) unknown / known).isBetween(0.2, 5.0);
    }

    @Test
    void afterFiveFailuresAnAccountWaitsTwiceAsLongEachTime() {
        clock.stop();
        TestUser ada = organizations.withPassword(PASSWORD);
        for (int i = 0; i < 5; i++) {
            assertThat(Api.dashboard().login(ada.email(), "wrong").status()).isEqualTo(401);
        }
        Api.Answer refused = Api.dashboard().login(ada.email(), PASSWORD);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.body()).isEqualTo("""
                {"error":"Too many requests","detail":"Too many failed attempts to sign in. Try again in 1 s.","code":"rate_limited"}""");
        clock.advance(Duration.ofSeconds(1));
        assertThat(Api.dashboard().login(ada.email(), "wrong").status()).isEqualTo(401);
        assertThat(Api.dashboard().login(ada.email(), PASSWORD).header("Retry-After"))
                .isEqualTo("2");
        clock.advance(Duration.ofSeconds(2));
        ada.browser().login(ada.email(), PASSWORD).expect(200);
        assertThat(Api.dashboard().login(ada.email(), "wrong").status()).isEqualTo(401);
        ada.browser().login(ada.email(), PASSWORD).expect(200);
    }

    @Test
    void othersFailuresDoNotDelayAKnownBrowser() {
        TestUser ada = organizations.withPassword(PASSWORD);
        Api.Answer first = ada.browser().login(ada.email(), PASSWORD).expect(200);
        String device = device(first);
        assertThat(device)
                .containsIgnoringCase("HttpOnly")
                .containsIgnoringCase("SameSite=Strict")
                .contains("Path=/dashboard/api");
        for (int i = 0; i < 20; i++) {
            Api.dashboard().login(ada.email(), "wrong");
        }
        Map<String, String> right = Map.of("email", ada.email(), "password", PASSWORD);
        Api.dashboard().post("/dashboard/api/login").json(right).send().expect(429);
        Api.Answer second = loginFrom(device, right).expect(200);
        assertThat(device(second).substring(0, 57)).isEqualTo(device.substring(0, 57));
    }

    @Test
    void aChangedPasswordMakesOtherBrowsersUnknown() {
        TestUser ada = organizations.withPassword(PASSWORD);
        String device = device(ada.browser().login(ada.email(), PASSWORD).expect(200));
        Api.Answer changed = ada.browser()
                .post("/dashboard/api/me/password")
                .json(Map.of("current_password", PASSWORD, "new_password", "another " + PASSWORD))
                .send()
                .expect(204);
        Map<String, String> wrong = Map.of("email", ada.email(), "password", "wrong");
        for (int i = 0; i < 20; i++) {
            Api.dashboard().login(ada.email(), "wrong");
        }
        loginFrom(device, wrong).expect(429);
        loginFrom(device(changed), wrong).expect(401);
    }

    private static Api.Answer loginFrom(String device, Map<String, String> credentials) {
        return Api.dashboard()
                .post("/dashboard/api/login")
                .header("Cookie", device.split(";", 2)[0])
                .json(credentials)
                .send();
    }

    private static String device(Api.Answer answer) {
        return answer.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith("parley_device="))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anAccountOfTheSameAddressGivesNoFreeGuesses() {
        String email = "shared-" + organizations.create().id() + "@test.example";
        for (String password : List.of("of Mallory", "of the other")) {
            String token = invite(organizations.create(), email);
            Api.dashboard()
                    .post("/dashboard/api/invitations/" + token)
                    .json(Map.of("password", "the password " + password))
                    .send()
                    .expect(200);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(Api.dashboard().login(email, "wrong").status()).isEqualTo(401);
            assertThat(Api.dashboard().login(email, "the password of Mallory").status())
                    .isEqualTo(200);
        }
        assertThat(wrongPasswordsUntilThrottled(email)).isLessThan(SignInThrottle.FREE_ATTEMPTS_PER_ACCOUNT);
    }

    /** Longer waits follow, so that a machine on which an attempt takes seconds is throttled later. */
    private static int wrongPasswordsUntilThrottled(String email) {
        int refused = 0;
        while (Api.dashboard().login(email, "wrong").status() == 401) {
            refused++;
        }
        return refused;
    }

    @Test
    void anAccountThatDoesNotExistIsSlowedDownLikeAnyOther() {
        for (int i = 0; i < 5; i++) {
            assertThat(Api.dashboard().login("ghost@test.example", "wrong").status())
                    .isEqualTo(401);
        }
        assertThat(wrongPasswordsUntilThrottled("GHOST@test.example"))
                .isLessThan(SignInThrottle.FREE_ATTEMPTS_PER_ACCOUNT);
    }

    @Test
    void anAddressThatTriesManyAccountsIsSlowedDown() {
        for (int i = 0; i < SignInThrottle.FREE_ATTEMPTS_PER_ADDRESS; i++) {
            throttle.attempt("spray" + i + "@test.example", "127.0.0.1");
        }
        assertThat(Api.dashboard().login("one-more@test.example", "x").status()).isEqualTo(429);
    }

    @Test
    void guessesMadeAtOnceAreCountedToo() {
        TestUser ada = organizations.withPassword(PASSWORD);
        List<Integer> answers =
                atOnce(40, () -> Api.dashboard().login(ada.email(), "wrong").status());
        assertThat(answers).containsOnly(401, 429);
        assertThat(answers.stream().filter(status -> status == 401).count()).isLessThanOrEqualTo(8);
    }

    @Test
    @Tag("all")
    void aHundredPeopleSignInAtOnce() {
        TestUser ada = organizations.withPassword(PASSWORD);
        assertThat(atOnce(
                        100, () -> Api.dashboard().login(ada.email(), PASSWORD).status()))
                .containsOnly(200);
    }

    @Test
    void anInvitationSetsThePasswordOnce() {
        Tenant tenant = organizations.create();
        String email = "invited-" + tenant.id() + "@test.example";
        Api.Answer added = tenant.admin()
                .browser()
                .post(tenant.path() + "/members")
                .json(Map.of("email", email, "name", "New", "role", "member"))
                .send()
                .expect(201);
        String path = "/dashboard/api/invitations/" + added.text("/invitation_token");
        Api browser = Api.dashboard();
        assertThat(browser.post(path)
                        .json(Map.of("password", "7 chars"))
                        .send()
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/password");
        Api.Answer accepted =
                browser.post(path).json(Map.of("password", "8 chars!")).send().expect(200);
        assertThat(accepted.text("/organizations/0/id")).isEqualTo(tenant.id().text());
        assertThat(browser.get("/dashboard/api/me").send().body()).isEqualTo(accepted.body());
        assertThat(browser.post(path)
                        .json(Map.of("password", PASSWORD))
                        .send()
                        .expect(404)
                        .text("/detail"))
                .isEqualTo("There is no such invitation.");
        Api.dashboard().login(email, "8 chars!").expect(200);
    }

    @Test
    void anInvitationEndsAfterSevenDays() {
        Tenant tenant = organizations.create();
        String token = invite(tenant, "late-" + tenant.id() + "@test.example");
        clock.advance(Duration.ofDays(7).plusSeconds(1));
        Api.dashboard()
                .post("/dashboard/api/invitations/" + token)
                .json(Map.of("password", PASSWORD))
                .send()
                .expect(404);
    }

    @Test
    void aNewInvitationReplacesTheOldOne() {
        Tenant tenant = organizations.create();
        String email = "twice-" + tenant.id() + "@test.example";
        String first = invite(tenant, email);
        String second = invite(tenant, email);
        Api browser = Api.dashboard();
        browser.post("/dashboard/api/invitations/" + first)
                .json(Map.of("password", PASSWORD))
                .send()
                .expect(404);
        browser.post("/dashboard/api/invitations/" + second)
                .json(Map.of("password", PASSWORD))
                .send()
                .expect(200);
    }

    @Test
    void theFirstUserIsCreatedOnlyIfThereIsNone() {
        UserStore users = database.statements(UserStore.class);
        assertThat(users.areNone()).isFalse();
        assertThat(users.create(UserId.next(), "Somebody.Else@test.example", "S", false, null, clock.instant()))
                .isPresent();
        assertThat(users.create(UserId.next(), "somebody.else@TEST.example", "S", false, null, clock.instant()))
                .isEmpty();
    }

    private TestUser pending() {
        Tenant tenant = organizations.create();
        String email = "pending-" + tenant.id() + "@test.example";
        invite(tenant, email);
        return new TestUser(tenant.owner().id(), email, Api.dashboard());
    }

    private static String invite(Tenant tenant, String email) {
        return tenant.owner()
                .browser()
                .post(tenant.path() + "/members")
                .json(Map.of("email", email, "name", "New", "role", "member"))
                .send()
                .expect(201)
                .text("/invitation_token");
    }

    private static List<Integer> atOnce(int times, java.util.function.Supplier<Integer> call) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Integer>> answers = IntStream.range(0, times)
                    .mapToObj(_ -> CompletableFuture.supplyAsync(call, threads))
                    .toList();
            return answers.stream().map(CompletableFuture::join).toList();
        }
    }

    private static long nanos(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return System.nanoTime() - start;
    }

    private static void assertRefused(Api.Answer answer, String body) {
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body()).isEqualTo(body);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).isEmpty();
    }
}
