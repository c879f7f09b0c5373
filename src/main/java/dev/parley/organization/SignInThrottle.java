package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.id.UserId;
import dev.parley.problem.ApiProblem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Throttles password guessing over all nodes: after a few failures, each further attempt must wait twice as long as the
 * previous one, up to {@link #MAX_DELAY}. An attempt is counted before the password is checked and uncounted if it was
 * correct, so that concurrent guesses count. Unknown accounts are counted in the same way.
 *
 * <p>A device and a network from which the account's user has signed in with the current password have shares of their
 * own, so that the failures of others do not delay the user there (docs/decisions/0173). A user has at most
 * {@link #SHARES} of either kind: more devices or networks have some in common.
 */
@Singleton
public final class SignInThrottle {
    static final int FREE_ATTEMPTS_PER_ACCOUNT = 5;
    static final int FREE_ATTEMPTS_PER_ADDRESS = 50;
    static final Duration MAX_DELAY = Duration.ofMinutes(5);
    static final int SHARES = 16;
    private static final Duration FORGET_AFTER = Duration.ofHours(1);
    private static final Duration FORGET_NETWORK_AFTER = Duration.ofDays(90);

    private static final String FAILED = "Too many failed attempts to sign in.";
    private static final String RESETS = "Too many reset links were requested.";
    private static final Allowance PER_ACCOUNT =
            new Allowance(FREE_ATTEMPTS_PER_ACCOUNT, Duration.ofSeconds(1), MAX_DELAY, FAILED);
    private static final Allowance PER_ADDRESS =
            new Allowance(FREE_ATTEMPTS_PER_ADDRESS, Duration.ofSeconds(1), MAX_DELAY, FAILED);
    private static final Allowance RESETS_OF_ACCOUNT =
            new Allowance(3, Duration.ofMinutes(2), Duration.ofHours(1), RESETS);
    private static final Allowance RESETS_FROM_ADDRESS = new Allowance(30, Duration.ofSeconds(2), MAX_DELAY, RESETS);

    private final Database database;
    private final KnownDevices devices;
    private final HmacHasher hasher;
    private final Clock clock;

    /**
     * A limit on attempts.
     *
     * @param free attempts without a wait
     * @param firstWait doubles with each further attempt
     */
    private record Allowance(int free, Duration firstWait, Duration maxWait, String refusal) {}

    SignInThrottle(Database database, KnownDevices devices, MasterKey secret, Clock clock) {
        this.database = database;
        this.devices = devices;
        this.hasher = secret.hasher("sign-in");
        this.clock = clock;
    }

    /**
     * A device or network from which a user has signed in.
     *
     * @param key names the share and the user
     */
    record KnownSource(String key, boolean isDevice) {}

    /** The client as a source from which the user has signed in. */
    Optional<KnownSource> knownSource(UserId user, SessionClient client) {
        Optional<String> device = devices.find(client.deviceToken(), user);
        if (device.isPresent()) {
            return Optional.of(new KnownSource(share("device " + device.get(), user), true));
        }
        return database.with(handle -> isKnown(handle, user, client))
                ? Optional.of(new KnownSource(share("network " + network(client.address()), user), false))
                : Optional.empty();
    }

    /** One of the user's shares of the source's kind. */
    private String share(String source, UserId user) {
        int number = Math.floorMod(hasher.hash("share " + source + " " + user.text())[0], SHARES);
        return source.substring(0, source.indexOf(' ') + 1) + number + " " + user.text();
    }

    /** Counts an attempt, or rejects it with a 429 after too many failures. */
    void attempt(String email, String address) {
        database.change(handle -> {
            count(handle, address(address), PER_ADDRESS);
            count(handle, account(email), PER_ACCOUNT);
            handle.createUpdate("DELETE FROM sign_in_throttle WHERE forget_at < :now")
                    .bind("now", clock.instant())
                    .execute();
        });
    }

    /** Same from a known source, which counts for its user alone. */
    void attempt(KnownSource source, String address) {
        database.change(handle -> {
            if (!source.isDevice()) {
                count(handle, address(address), PER_ADDRESS);
            }
            count(handle, hasher.hash(source.key()), PER_ACCOUNT);
        });
    }

    /**
     * Counts a request for a mailed reset link, or rejects it with a 429: a mailbox gets a few mails, and then one after
     * ever longer pauses. Addresses without an account are counted in the same way.
     *
     * @param user the user of the address; any other if there is none
     */
    void resetRequest(String email, UserId user, SessionClient client) {
        Optional<KnownSource> source = knownSource(user, client);
        database.change(handle -> {
            if (!source.map(KnownSource::isDevice).orElse(false)) {
                count(handle, hasher.hash("reset from " + network(client.address())), RESETS_FROM_ADDRESS);
            }
            String account = source.map(KnownSource::key).orElseGet(() -> UserStore.normalized(email));
            count(handle, hasher.hash("reset of " + account), RESETS_OF_ACCOUNT);
        });
    }

    /** Same for an attempt of a signed-in user, whom attempts to sign in do not delay. */
    void attempt(UserId user) {
        database.change(handle -> count(handle, signedIn(user), PER_ACCOUNT));
    }

    /** Resets the failures of a signed-in user. */
    void succeeded(UserId user) {
        database.change(handle -> delete(handle, signedIn(user)));
    }

    /** Same for an attempt without an account. */
    public void attempt(String address) {
        database.change(handle -> count(handle, address(address), PER_ADDRESS));
    }

    /** Uncounts this attempt of the address. */
    public void succeeded(String address) {
        database.change(handle -> uncount(handle, address(address)));
    }

    /**
     * Uncounts this attempt, and resets the failures of the account unless others have the same email address: the
     * owner of one must not get free guesses at another's password.
     */
    void succeeded(String email, String address, boolean isOnlyAccount) {
        database.change(handle -> {
            uncount(handle, address(address));
            if (isOnlyAccount) {
                delete(handle, account(email));
            } else {
                uncount(handle, account(email));
            }
        });
    }

    /** Same for an attempt from a known source. */
    void succeeded(KnownSource source, String address) {
        database.change(handle -> {
            if (!source.isDevice()) {
                uncount(handle, address(address));
            }
            delete(handle, hasher.hash(source.key()));
        });
    }

    /** Uncounts an attempt from a known source, because the password was that of another account of the address. */
    void uncount(KnownSource source, String address) {
        database.change(handle -> {
            if (!source.isDevice()) {
                uncount(handle, address(address));
            }
            uncount(handle, hasher.hash(source.key()));
        });
    }

    /** Makes the client's network a known one of the user, who has signed in. */
    void remember(Handle handle, UserId user, SessionClient client) {
        handle.createUpdate("""
                        INSERT INTO sign_in_throttle (subject, failures, blocked_until, forget_at)
                        VALUES (:subject, 0, '-infinity', :forget)
                        ON CONFLICT (subject) DO UPDATE SET forget_at = excluded.forget_at""")
                .bind("subject", knownNetwork(handle, user, client))
                .bind("forget", clock.instant().plus(FORGET_NETWORK_AFTER))
                .execute();
    }

    private boolean isKnown(Handle handle, UserId user, SessionClient client) {
        return handle.createQuery(
                        "SELECT EXISTS (SELECT FROM sign_in_throttle WHERE subject = :subject AND forget_at > :now)")
                .bind("subject", knownNetwork(handle, user, client))
                .bind("now", clock.instant())
                .mapTo(Boolean.class)
                .one();
    }

    private static void delete(Handle handle, byte[] subject) {
        handle.createUpdate("DELETE FROM sign_in_throttle WHERE subject = :subject")
                .bind("subject", subject)
                .execute();
    }

    private static void uncount(Handle handle, byte[] subject) {
        handle.createUpdate("""
                        UPDATE sign_in_throttle SET failures = greatest(failures - 1, 0), blocked_until = '-infinity'
                        WHERE subject = :subject""").bind("subject", subject).execute();
    }

    private void count(Handle handle, byte[] subject, Allowance allowance) {
        Instant now = clock.instant();
        int counted = handle.createUpdate("""
                        INSERT INTO sign_in_throttle AS t (subject, failures, blocked_until, forget_at)
                        VALUES (:subject, 1, '-infinity', :forget)
                        ON CONFLICT (subject) DO UPDATE SET
                            failures = CASE WHEN t.forget_at < :now THEN 1 ELSE t.failures + 1 END,
                            blocked_until = CASE
                                WHEN t.forget_at < :now OR t.failures + 1 < :free THEN '-infinity'
                                ELSE :now + make_interval(secs =>
                                    least(:longest, :first * power(2, least(t.failures + 1 - :free, 20)))) END,
                            forget_at = :forget
                        WHERE t.blocked_until <= :now""")
                .bind("subject", subject)
                .bind("now", now)
                .bind("forget", now.plus(FORGET_AFTER))
                .bind("free", allowance.free())
                .bind("first", (double) allowance.firstWait().toSeconds())
                .bind("longest", (double) allowance.maxWait().toSeconds())
                .execute();
        if (counted == 0) {
            Instant until = handle.createQuery("SELECT blocked_until FROM sign_in_throttle WHERE subject = :subject")
                    .bind("subject", subject)
                    .mapTo(Instant.class)
                    .findOne()
                    .orElse(now);
            Duration wait = wait(now, until);
            throw ApiProblem.tooMany(allowance.refusal() + " Try again in " + seconds(wait) + " s.", wait);
        }
    }

    private static Duration wait(Instant now, Instant until) {
        Duration wait = Duration.between(now, until);
        return wait.isPositive() ? wait : Duration.ofSeconds(1);
    }

    /** Rounded up, as in {@code Retry-After}. */
    private static long seconds(Duration wait) {
        return wait.plusSeconds(1).minusNanos(1).toSeconds();
    }

    private byte[] account(String email) {
        return hasher.hash("account " + UserStore.normalized(email));
    }

    private byte[] knownNetwork(Handle handle, UserId user, SessionClient client) {
        return hasher.hash("known network " + network(client.address()) + " " + user.text() + " "
                + KnownDevices.passwordHash(handle, user));
    }

    private byte[] signedIn(UserId user) {
        return hasher.hash("signed in " + user.text());
    }

    private byte[] address(String address) {
        return hasher.hash("address " + network(address));
    }

    /** An IPv6 customer has a whole /64. */
    private static String network(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        String[] groups = address.split(":", -1);
        return String.join(":", Arrays.copyOf(groups, Math.min(4, groups.length)));
    }
}
