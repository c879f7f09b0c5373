package dev.parley.organization;

import static org.assertj.core.api.Assertions.assertThat;

import com.password4j.Argon2Function;
import com.password4j.Password;
import com.password4j.types.Argon2;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.db.Database;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.TestUser;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of users' own accounts. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class AccountTest {
    private static final String OLD = "correct horse battery";
    private static final String EMAILS = "/dashboard/api/me/emails";
    private static final String NEW = "staple that nobody guesses";

    /** The same password with the hash profile of earlier versions. */
    private static final String BEFORE = Password.hash(OLD)
            .addRandomSalt(16)
            .with(Argon2Function.getInstance(19 * 1024, 2, 1, 32, Argon2.ID))
            .getResult();

    @Inject
    TestOrganizations organizations;

    @Inject
    Database database;

    @BeforeEach
    void nobodyGuessed() {
        database.change(handle -> handle.execute("DELETE FROM sign_in_throttle"));
    }

    @Test
    void aChangedPasswordEndsAllOtherSessions() {
        TestUser ada = organizations.withPassword(OLD);
        Api here = ada.browser();
        assertThat(here.login(ada.email(), OLD).status()).isEqualTo(200);
        Api there = Api.dashboard();
        assertThat(there.login(ada.email(), OLD).status()).isEqualTo(200);

        assertThat(change(here, OLD, NEW).status()).isEqualTo(204);

        assertThat(here.get("/dashboard/api/me").send().status()).isEqualTo(200);
        assertThat(there.get("/dashboard/api/me").send().status()).isEqualTo(401);
        assertThat(Api.dashboard().login(ada.email(), OLD).status()).isEqualTo(401);
        assertThat(Api.dashboard().login(ada.email(), NEW).status()).isEqualTo(200);
    }

    @Test
    void theCurrentPasswordMustBeRightAndTheNewOneLong() {
        TestUser ada = organizations.withPassword(OLD);
        Api here = ada.browser();
        here.login(ada.email(), OLD);

        assertThat(change(here, "wrong wrong wrong", NEW).body()).contains("/current_password");
        Api.Answer tooShort = change(here, OLD, "7 chars");
        assertThat(tooShort.status()).isEqualTo(400);
        assertThat(tooShort.body()).contains("/new_password");
        assertThat(Api.dashboard().login(ada.email(), OLD).status()).isEqualTo(200);
        assertThat(change(here, OLD, "8 chars!").status()).isEqualTo(204);
    }

    @Test
    void anOutdatedHashIsRenewedAtSignIn() {
        TestUser ada = organizations.withPassword(OLD);
        String today = hash(ada);
        database.change(handle -> handle.createUpdate("UPDATE app_user SET password_hash = :hash WHERE id = :id")
                .bind("hash", BEFORE)
                .bind("id", ada.id())
                .execute());

        assertThat(Api.dashboard().login(ada.email(), NEW).status()).isEqualTo(401);
        assertThat(hash(ada)).isEqualTo(BEFORE);
        assertThat(Api.dashboard().login(ada.email(), OLD).status()).isEqualTo(200);

        String renewed = hash(ada);
        assertThat(profile(renewed)).isEqualTo(profile(today)).isNotEqualTo(profile(BEFORE));
        assertThat(Api.dashboard().login(ada.email(), OLD).status()).isEqualTo(200);
        assertThat(hash(ada)).isEqualTo(renewed);
    }

    @Test
    void guessingTheCurrentPasswordIsThrottled() {
        TestUser ada = organizations.withPassword(OLD);
        Api here = ada.browser();
        here.login(ada.email(), OLD);

        int status = 400;
        for (int attempt = 0; attempt < 30 && status == 400; attempt++) {
            status = change(here, "wrong wrong wrong", NEW).status();
        }

        assertThat(status).isEqualTo(429);
    }

    @Test
    void aPersonChangesTheOwnName() {
        TestUser ada = organizations.withPassword(OLD);
        Api here = ada.browser();
        here.login(ada.email(), OLD);

        Api.Answer changed = here.patch("/dashboard/api/me")
                .json(Map.of("name", "Ada Lovelace"))
                .send();

        assertThat(changed.status()).isEqualTo(204);
        assertThat(here.get("/dashboard/api/me").send().body()).contains("\"name\":\"Ada Lovelace\"");
        assertThat(here.patch("/dashboard/api/me")
                        .json(Map.of("name", " "))
                        .send()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aPersonChoosesTicketEmails() {
        TestUser ada = organizations.withPassword(OLD);
        Api here = ada.browser();
        here.login(ada.email(), OLD);
        Api.Answer before = here.get(EMAILS).send().expect(200);
        assertThat(before.body())
                .isEqualTo("{\"new_tickets\":true,\"changes\":true,\"comments\":true,\"reminders\":true}");

        here.patch(EMAILS).json(Map.of("comments", false)).send().expect(200);
        Api.Answer changed = here.patch(EMAILS)
                .json(Map.of("new_tickets", false, "reminders", true))
                .send()
                .expect(200);

        String expected = "{\"new_tickets\":false,\"changes\":true,\"comments\":false,\"reminders\":true}";
        assertThat(changed.body()).isEqualTo(expected);
        assertThat(here.get(EMAILS).send().body()).isEqualTo(expected);
    }

    @Test
    void aTicketEmailIsTurnedOnOrOffByABoolean() {
        TestUser ada = organizations.withPassword(OLD);
        Api here = ada.browser();
        here.login(ada.email(), OLD);

        for (Object value : new Object[] {"maybe", 7, List.of(true)}) {
            Api.Answer refused =
                    here.patch(EMAILS).json(Map.of("comments", value)).send();
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body()).contains("/comments");
        }
        assertThat(here.get(EMAILS).send().body()).doesNotContain("false");
        assertThat(Api.dashboard().get(EMAILS).send().status()).isEqualTo(401);
    }

    @Test
    void withoutAnSmtpServerLinksAreNotMailed() {
        Api.Answer offer =
                Api.dashboard().get("/dashboard/api/password-resets").send().expect(200);
        assertThat(offer.body()).isEqualTo("{\"mailed\":false}");
        for (String email : new String[] {organizations.withPassword(OLD).email(), "nobody@acme.example"}) {
            Api.Answer refused = Api.dashboard()
                    .post("/dashboard/api/password-resets")
                    .json(Map.of("email", email))
                    .send();
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.text("/detail")).contains("ask an admin");
        }
    }

    private String hash(TestUser somebody) {
        return database.with(handle -> handle.createQuery("SELECT password_hash FROM app_user WHERE id = :id")
                .bind("id", somebody.id())
                .mapTo(String.class)
                .one());
    }

    /** All of a hash except its salt and digest. */
    private static String profile(String hash) {
        return hash.substring(0, hash.indexOf("p="));
    }

    private static Api.Answer change(Api browser, String current, String next) {
        return browser.post("/dashboard/api/me/password")
                .json(Map.of("current_password", current, "new_password", next))
                .send();
    }
}
