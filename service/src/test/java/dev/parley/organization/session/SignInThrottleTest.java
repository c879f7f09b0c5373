package dev.parley.organization.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.TestClock;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.TestPostgres;
import dev.parley.id.UserId;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an attacker who tries the account of another person can delay. */
class SignInThrottleTest {
    private static final String EMAIL = "ada@acme.example";
    private static final UserId ADA = UserId.next();
    private static final SessionClient HOME = new SessionClient("198.51.100.7", null, null);

    private final TestClock clock = new TestClock();
    private final Database database = TestPostgres.migrated();
    private final MasterKey masterKey = new MasterKey(Settings.of(Map.of()).storage(), database);
    private final KnownDevices devices = new KnownDevices(database, masterKey, clock);
    private final SignInThrottle throttle = new SignInThrottle(database, devices, masterKey, clock);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aKnownNetworkIsNotDelayedByAttackersElsewhere() {
        signIn(HOME);
        int right = 0;
        for (int second = 0; second < 60; second++) {
            attack(new SessionClient("203.0.113." + second, null, null));
            right += second % 6 == 0 && signIn(HOME) ? 1 : 0;
        }
        assertThat(right).isEqualTo(10);
        assertThat(signIn(new SessionClient("192.0.2.1", null, null))).isFalse();
    }

    @Test
    void aKnownDeviceIsNotDelayedByAttackersOfTheSameNetwork() {
        signIn(HOME);
        var laptop = new SessionClient(HOME.address(), null, devices.token(ADA, null));
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
        var stolen = new SessionClient("192.0.2.1", null, devices.token(ADA, null));
        for (int i = 0; i < SignInThrottle.FREE_ATTEMPTS_PER_ACCOUNT; i++) {
            guess(stolen);
        }
        assertThatThrownBy(() -> guess(stolen)).isInstanceOf(ApiProblem.class);
        assertThat(signIn(HOME)).isTrue();
    }

    @Test
    void theTokenOfADeviceIsForOneUserAndATime() {
        String token = devices.token(ADA, null);
        assertThat(devices.find(token, ADA)).isPresent();
        assertThat(devices.find(token, UserId.next())).isEmpty();
        assertThat(devices.find(token.replaceFirst("\\.1", ".9"), ADA)).isEmpty();
        assertThat(devices.find(devices.token(ADA, null) + "x", ADA)).isEmpty();
        for (String foreign : new String[] {null, "", "x", "..", "a.1.b", "x".repeat(10_000)}) {
            assertThat(devices.find(foreign, ADA)).isEmpty();
        }
        clock.advance(KnownDevices.LIFETIME);
        assertThat(devices.find(token, ADA)).isEmpty();
    }

    @Test
    void aDeviceKeepsItsIdWhenItsTokenIsRenewed() {
        String first = devices.token(ADA, null);
        clock.advance(KnownDevices.LIFETIME.minusDays(1));
        String second = devices.token(ADA, first);
        clock.advance(KnownDevices.LIFETIME.minusDays(1));
        assertThat(devices.find(first, ADA)).isEmpty();
        assertThat(devices.find(second, ADA)).contains(first.substring(0, first.indexOf('.')));
        assertThat(devices.find(devices.token(UserId.next(), second), ADA)).isEmpty();
    }

    @Test
    void aChangedPasswordMakesDevicesAndNetworksUnknown() {
        UserStore users = database.statements(UserStore.class);
        UserId user = users.create(UserId.next(), EMAIL, "Ada", false, "first", clock.instant())
                .orElseThrow();
        var laptop = new SessionClient(HOME.address(), null, devices.token(user, null));
        remember(user, HOME);
        assertThat(throttle.knownSource(user, laptop)).isPresent();
        assertThat(throttle.knownSource(user, HOME)).isPresent();
        users.changePassword(user, "second");
        assertThat(throttle.knownSource(user, laptop)).isEmpty();
        assertThat(devices.find(devices.token(user, laptop.deviceToken()), user))
                .isPresent()
                .isNotEqualTo(Optional.of(laptop.deviceToken().substring(0, 43)));
    }

    @Test
    void manyDevicesAndNetworksHaveFewSharesInCommon() {
        Set<SignInThrottle.KnownSource> shares = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            var network = new SessionClient("10.0." + i / 250 + "." + i % 250, null, null);
            remember(ADA, network);
            shares.add(throttle.knownSource(ADA, network).orElseThrow());
            shares.add(throttle.knownSource(ADA, new SessionClient("10.0.0.1", null, devices.token(ADA, null)))
                    .orElseThrow());
        }
        assertThat(shares).hasSize(2 * SignInThrottle.SHARES);
    }

    @Test
    void theDeviceOfOneUserIsNoneOfAnotherWithTheSameAddress() {
        UserId mallory = UserId.next();
        var client = new SessionClient("192.0.2.1", null, devices.token(mallory, null));
        remember(mallory, client);
        assertThat(throttle.knownSource(ADA, client)).isEmpty();
        assertThat(throttle.knownSource(mallory, client)).isPresent();
    }

    @Test
    void aNetworkIsForgottenAfterNinetyDays() {
        signIn(HOME);
        clock.advance(Duration.ofDays(91));
        attack(new SessionClient("203.0.113.1", null, null));
        assertThat(signIn(HOME)).isFalse();
    }

    @Test
    void resetLinksHaveTheSameShares() {
        signIn(HOME);
        for (int i = 0; i < 100; i++) {
            try {
                throttle.resetRequest(EMAIL, ADA, new SessionClient("203.0.113." + i, null, null));
            } catch (ApiProblem tooMany) {
                // as expected
            }
        }
        assertThatCode(() -> throttle.resetRequest(EMAIL, ADA, HOME)).doesNotThrowAnyException();
        assertThatCode(() -> throttle.resetRequest(
                        EMAIL, ADA, new SessionClient("192.0.2.1", null, devices.token(ADA, null))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> throttle.resetRequest(EMAIL, ADA, new SessionClient("192.0.2.1", null, null)))
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
        remember(ADA, client);
        return true;
    }

    private void remember(UserId user, SessionClient client) {
        throttle.remember(user, client);
    }
}
