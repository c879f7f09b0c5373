package dev.parley.organization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.TestClock;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.TestPostgres;
import dev.parley.id.UserId;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an attacker who tries the account of another person can delay. */
class SignInThrottleTest {
    private static final String EMAIL = "ada@acme.example";
    private static final UserId ADA = UserId.next();
    private static final SessionClient HOME = new SessionClient("198.51.100.7", null);

    private final TestClock clock = new TestClock();
    private final Database database = TestPostgres.migrated();
    private final MasterKey secret = new MasterKey(Settings.of(Map.of()).storage(), database);
    private final KnownDevices devices = new KnownDevices(secret, clock);
    private final SignInThrottle throttle = new SignInThrottle(database, devices, secret, clock);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aKnownNetworkIsNotDelayedByAttackersElsewhere() {
        signIn(HOME);
        int right = 0;
        for (int second = 0; second < 60; second++) {
            attack(new SessionClient("203.0.113." + second, null));
            right += second % 6 == 0 && signIn(HOME) ? 1 : 0;
        }
        assertThat(right).isEqualTo(10);
        assertThat(signIn(new SessionClient("192.0.2.1", null))).isFalse();
    }

    @Test
    void aKnownDeviceIsNotDelayedByAttackersOfTheSameNetwork() {
        signIn(HOME);
        var laptop = new SessionClient(HOME.address(), null, devices.token(ADA));
        for (int second = 0; second < 20; second++) {
            attack(HOME);
            assertThat(signIn(laptop)).isTrue();
        }
        assertThat(signIn(HOME)).isFalse();
        assertThat(signIn(new SessionClient("192.0.2.1", null, laptop.deviceToken())))
                .isTrue();
    }

    @Test
    void aDeviceHasNoMoreFreeGuessesThanAnyoneElse() {
        var stolen = new SessionClient("192.0.2.1", null, devices.token(ADA));
        for (int i = 0; i < SignInThrottle.FREE_ATTEMPTS_PER_ACCOUNT; i++) {
            guess(stolen);
        }
        assertThatThrownBy(() -> guess(stolen)).isInstanceOf(ApiProblem.class);
        assertThat(signIn(HOME)).isTrue();
    }

    @Test
    void theTokenOfADeviceIsForOneUserAndATime() {
        String token = devices.token(ADA);
        assertThat(devices.find(token, ADA)).isPresent();
        assertThat(devices.find(token, UserId.next())).isEmpty();
        assertThat(devices.find(token.replaceFirst("\\.1", ".9"), ADA)).isEmpty();
        assertThat(devices.find(devices.token(ADA) + "x", ADA)).isEmpty();
        for (String foreign : new String[] {null, "", "x", "..", "a.1.b", "x".repeat(10_000)}) {
            assertThat(devices.find(foreign, ADA)).isEmpty();
        }
        clock.advance(KnownDevices.LIFETIME);
        assertThat(devices.find(token, ADA)).isEmpty();
    }

    @Test
    void theDeviceOfOneUserIsNoneOfAnotherWithTheSameAddress() {
        UserId mallory = UserId.next();
        var client = new SessionClient("192.0.2.1", null, devices.token(mallory));
        throttle.remember(mallory, client);
        assertThat(throttle.knownSource(ADA, client)).isEmpty();
        assertThat(throttle.knownSource(mallory, client)).isPresent();
    }

    @Test
    void aNetworkIsForgottenAfterNinetyDays() {
        signIn(HOME);
        clock.advance(Duration.ofDays(91));
        attack(new SessionClient("203.0.113.1", null));
        assertThat(signIn(HOME)).isFalse();
    }

    @Test
    void resetLinksHaveTheSameShares() {
        signIn(HOME);
        for (int i = 0; i < 100; i++) {
            try {
                throttle.resetRequest(EMAIL, ADA, new SessionClient("203.0.113." + i, null));
            } catch (ApiProblem tooMany) {
                // as expected
            }
        }
        assertThatCode(() -> throttle.resetRequest(EMAIL, ADA, HOME)).doesNotThrowAnyException();
        assertThatCode(() ->
                        throttle.resetRequest(EMAIL, ADA, new SessionClient("192.0.2.1", null, devices.token(ADA))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> throttle.resetRequest(EMAIL, ADA, new SessionClient("192.0.2.1", null)))
                .isInstanceOf(ApiProblem.class);
    }

    @Test
    void aSignedInUserIsNotDelayedByAttemptsToSignIn() {
        UserId ada = UserId.next();
        attack(HOME);
        throttle.attempt(ada);
        throttle.succeeded(ada);
        for (int i = 0; i < SignInThrottle.FREE_ATTEMPTS_PER_ACCOUNT; i++) {
            throttle.attempt(ada);
        }
        assertThatThrownBy(() -> throttle.attempt(ada)).isInstanceOf(ApiProblem.class);
    }

    /** Ten wrong passwords within a second. */
    private void attack(SessionClient attacker) {
        for (int i = 0; i < 10; i++) {
            clock.advance(Duration.ofMillis(100));
            try {
                guess(attacker);
            } catch (ApiProblem tooMany) {
                // as expected
            }
        }
    }

    private Optional<SignInThrottle.KnownSource> guess(SessionClient client) {
        Optional<SignInThrottle.KnownSource> source = throttle.knownSource(ADA, client);
        source.ifPresentOrElse(
                known -> throttle.attempt(known, client.address()), () -> throttle.attempt(EMAIL, client.address()));
        return source;
    }

    /** Signs in with the right password, if the throttle permits. */
    private boolean signIn(SessionClient client) {
        try {
            guess(client)
                    .ifPresentOrElse(
                            known -> throttle.succeeded(known, client.address()),
                            () -> throttle.succeeded(EMAIL, client.address(), true));
        } catch (ApiProblem tooMany) {
            return false;
        }
        throttle.remember(ADA, client);
        return true;
    }
}
