package dev.parley.organization.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.TestSize;
import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.organization.Organizations;
import dev.parley.organization.session.SessionClient;
import dev.parley.organization.session.SignedIn;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.Settings;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The first user of an empty installation. */
class FirstRunTest {
    private static SessionResource.FirstUserRequest ada(String token) {
        return new SessionResource.FirstUserRequest(token, "Ada@Acme.example", "Ada", "correct horse battery", "Acme");
    }

    private final Database database = TestPostgres.migrated();
    private final Settings settings = Settings.of(Map.of());
    private final PasswordHasher passwords = new PasswordHasher(TestSize.SMALLEST);
    private final Clock clock = Clock.systemUTC();
    private final Organizations organizations = new Organizations(database, clock, settings.quotas());
    private final FirstUserSetup firstRun = TestFirstRun.of(database, passwords, settings);

    @AfterEach
    void close() {
        passwords.close();
        database.close();
    }

    @Test
    void theTokenMakesTheFirstUserOperatorAndOwner() {
        String token = firstRun.token().orElseThrow();

        SignedIn ada = firstRun.setUp(ada(token), new SessionClient("127.0.0.1", null, null));

        assertThat(ada.user().operator()).isTrue();
        assertThat(ada.user().email()).isEqualTo("ada@acme.example");
        assertThat(organizations.ofMember(ada.user().id(), Optional.empty(), 10))
                .singleElement()
                .satisfies(place -> {
                    assertThat(place.name()).isEqualTo("Acme");
                    assertThat(String.valueOf(place.role())).isEqualTo("owner");
                });
        assertThat(firstRun.isNeeded()).isFalse();
        assertThat(firstRun.token()).isEmpty();
    }

    @Test
    void aWrongTokenAndASecondSetUpAreRefused() {
        String token = firstRun.token().orElseThrow();
        assertRefused("wrong" + token, ProblemKind.FORBIDDEN);
        assertThat(firstRun.isNeeded()).isTrue();
        firstRun.setUp(ada(token), new SessionClient("127.0.0.1", null, null));
        assertRefused(token, ProblemKind.ALREADY_DONE);
    }

    private void assertRefused(String token, ProblemKind kind) {
        assertThatThrownBy(() -> firstRun.setUp(ada(token), new SessionClient("127.0.0.1", null, null)))
                .isInstanceOfSatisfying(
                        ApiProblem.class, problem -> assertThat(problem.kind()).isEqualTo(kind));
    }
}
