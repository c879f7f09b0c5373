package dev.parley.organization.session;

import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.id.UserId;
import dev.parley.organization.session.SignInThrottleStore.Allowance;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ApiProblem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * Throttles password guessing over all nodes: after a few failures, each further attempt must wait twice as long as the
 * previous one, up to {@link #MAX_DELAY}. An attempt is counted before the password is checked and uncounted if it was
 * correct, so that concurrent guesses count. Unknown accounts are counted in the same way.
 *
 * <p>A device and a network from which the account's user has signed in with the current password have shares of their
 * own, so that the failures of others do not delay the user there (docs/decisions/0010). A user has at most
 * {@link #SHARES} of either kind: more devices or networks have some in common.
 */
@Singleton
public final class SignInThrottle {
    public static final int FREE_ATTEMPTS_PER_ACCOUNT = 5;
    public static final int FREE_ATTEMPTS_PER_ADDRESS = 50;
    static final Duration MAX_DELAY = Duration.ofMinutes(5);
    static final int SHARES = 16;
    private static final Duration FORGET_AFTER = Duration.ofHours(1);
    private static final Duration FORGET_NETWORK_AFTER = Duration.ofDays(90);

    private static final String FAILED = "Too many failed attempts to sign in.";
    private static final String RESETS = "Too many reset links were requested.";
    private static final Allowance PER_ACCOUNT =
            new Allowance(FREE_ATTEMPTS_PER_ACCOUNT, 1, MAX_DELAY.toSeconds(), FAILED);
    private static final Allowance PER_ADDRESS =
            new Allowance(FREE_ATTEMPTS_PER_ADDRESS, 1, MAX_DELAY.toSeconds(), FAILED);
    private static final Allowance RESETS_OF_ACCOUNT = new Allowance(3, 120, 3_600, RESETS);
    private static final Allowance RESETS_FROM_ADDRESS = new Allowance(30, 2, MAX_DELAY.toSeconds(), RESETS);

    private final Database database;
    private final SignInThrottleStore store;
    private final UserStore users;
    private final KnownDevices devices;
    private final HmacHasher hasher;
    private final Clock clock;

    SignInThrottle(Database database, KnownDevices devices, MasterKey masterKey, Clock clock) {
        this.database = database;
        this.store = database.statements(SignInThrottleStore.class);
        this.users = database.statements(UserStore.class);
        this.devices = devices;
        this.hasher = masterKey.hasher("sign-in");
        this.clock = clock;
    }

    /**
     * A device or network from which a user has signed in.
     *
     * @param key names the share and the user
     */
    public record KnownSource(String key, boolean isDevice) {}

    /** The client as a source from which the user has signed in. */
    public Optional<KnownSource> knownSource(UserId user, SessionClient client) {
        Optional<String> device = devices.find(client.deviceToken(), user);
        if (device.isPresent()) {
            return Optional.of(new KnownSource(share("device " + device.get(), user), true));
        }
        return store.isKnown(knownNetwork(user, client), clock.instant())
                ? Optional.of(new KnownSource(share("network " + network(client.address()), user), false))
                : Optional.empty();
    }

    /** One of the user's shares of the source's kind. */
    private String share(String source, UserId user) {
        int number = Math.floorMod(hasher.hash("share " + source + " " + user.text())[0], SHARES);
        return source.substring(0, source.indexOf(' ') + 1) + number + " " + user.text();
    }

    /** Counts an attempt, or rejects it with a 429 after too many failures. */
    public void attempt(String email, String address) {
        database.change(_ -> {
            count(address(address), PER_ADDRESS);
            count(account(email), PER_ACCOUNT);
            store.deleteForgotten(clock.instant());
        });
    }

    /** Same from a known source, which counts for its user alone. */
    public void attempt(KnownSource source, String address) {
        database.change(_ -> {
            if (!source.isDevice()) {
                count(address(address), PER_ADDRESS);
            }
            count(hasher.hash(source.key()), PER_ACCOUNT);
        });
    }

    /**
     * Counts a request for a mailed reset link, or rejects it with a 429: a mailbox gets a few mails, and then one after
     * ever longer pauses. Addresses without an account are counted in the same way.
     *
     * @param user the user of the address; any other if there is none
     */
    public void resetRequest(String email, UserId user, SessionClient client) {
        Optional<KnownSource> source = knownSource(user, client);
        database.change(_ -> {
            if (!source.map(KnownSource::isDevice).orElse(false)) {
                count(hasher.hash("reset from " + network(client.address())), RESETS_FROM_ADDRESS);
            }
            String account = source.map(KnownSource::key).orElseGet(() -> UserStore.normalized(email));
            count(hasher.hash("reset of " + account), RESETS_OF_ACCOUNT);
        });
    }

    /** Same for an attempt of a signed-in user, whom attempts to sign in do not delay. */
    public void attempt(UserId user) {
        database.change(_ -> count(signedIn(user), PER_ACCOUNT));
    }

    /** Resets the failures of a signed-in user. */
    public void succeeded(UserId user) {
        store.delete(signedIn(user));
    }

    /** Same for an attempt without an account. */
    public void attempt(String address) {
        database.change(_ -> count(address(address), PER_ADDRESS));
    }

    /** Uncounts this attempt of the address. */
    public void succeeded(String address) {
        store.uncount(address(address));
    }

    /**
     * Uncounts this attempt, and resets the failures of the account unless others have the same email address: the
     * owner of one must not get free guesses at another's password.
     */
    public void succeeded(String email, String address, boolean isOnlyAccount) {
        database.change(_ -> {
            store.uncount(address(address));
            if (isOnlyAccount) {
                store.delete(account(email));
            } else {
                store.uncount(account(email));
            }
        });
    }

    /** Same for an attempt from a known source. */
    public void succeeded(KnownSource source, String address) {
        database.change(_ -> {
            if (!source.isDevice()) {
                store.uncount(address(address));
            }
            store.delete(hasher.hash(source.key()));
        });
    }

    /** Uncounts an attempt from a known source, because the password was that of another account of the address. */
    public void uncount(KnownSource source, String address) {
        database.change(_ -> {
            if (!source.isDevice()) {
                store.uncount(address(address));
            }
            store.uncount(hasher.hash(source.key()));
        });
    }

    /** Makes the client's network a known one of the user, who has signed in. */
    public void remember(UserId user, SessionClient client) {
        store.remember(knownNetwork(user, client), clock.instant().plus(FORGET_NETWORK_AFTER));
    }

    private void count(byte[] subject, Allowance allowance) {
        Instant now = clock.instant();
        if (!store.count(subject, now, now.plus(FORGET_AFTER), allowance)) {
            Instant until = store.blockedUntil(subject).orElse(now);
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

    private byte[] knownNetwork(UserId user, SessionClient client) {
        return hasher.hash(
                "known network " + network(client.address()) + " " + user.text() + " " + users.passwordHash(user));
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
