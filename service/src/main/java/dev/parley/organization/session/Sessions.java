package dev.parley.organization.session;

import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.http.access.DashboardUser;
import dev.parley.id.SessionId;
import dev.parley.id.UserId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Sessions by their tokens. A session ends {@link #IDLE_TIMEOUT} after its last request and {@link #MAX_LIFETIME} after
 * it began. Every request reads it, so that signing out takes effect on every node at once.
 */
@Singleton
public final class Sessions {
    static final Duration IDLE_TIMEOUT = Duration.ofHours(12);
    static final Duration MAX_LIFETIME = Duration.ofDays(7);
    private static final Duration LAST_SEEN_PRECISION = Duration.ofMinutes(1);
    private static final int MAX_LISTED = 200;

    private final SessionStore store;
    private final SignInThrottle throttle;
    private final HmacHasher hasher;
    private final Clock clock;

    Sessions(Database database, SignInThrottle throttle, MasterKey masterKey, Clock clock) {
        this.store = database.statements(SessionStore.class);
        this.throttle = throttle;
        this.hasher = masterKey.hasher("session");
        this.clock = clock;
    }

    /**
     * Starts a session within a transaction and returns its token, whose hash is stored. The client's network becomes a
     * known one of the user. Deletes expired sessions. Rejects (401) an account that was deleted meanwhile.
     */
    public String begin(UserId user, SessionClient client) {
        String token = RandomTokens.next();
        Instant now = clock.instant();
        store.deleteExpired(now);
        if (!store.insert(hasher.hash(token), SessionId.next(), user, now, now.plus(MAX_LIFETIME), client)) {
            throw ApiProblem.of(ProblemKind.NOT_SIGNED_IN, "This account was deleted.");
        }
        throttle.remember(user, client);
        return token;
    }

    /** The user of a valid session. */
    Optional<DashboardUser> user(String token) {
        byte[] hash = hasher.hash(token);
        Instant now = clock.instant();
        Optional<SessionStore.FoundSession> found = store.find(hash, now, now.minus(IDLE_TIMEOUT));
        if (found.isPresent()
                && found.get().lastSeenAt().plus(LAST_SEEN_PRECISION).isBefore(now)) {
            store.see(hash, now);
        }
        return found.map(SessionStore.FoundSession::user);
    }

    /** Whether a session is valid; does not count as use. */
    public boolean isValid(String token) {
        Instant now = clock.instant();
        return store.isValid(hasher.hash(token), now, now.minus(IDLE_TIMEOUT));
    }

    /** The user's valid sessions, the one used last first; {@code token} is that of the current one. */
    public List<UserSession> list(UserId user, String token) {
        Instant now = clock.instant();
        return store.list(user, hasher.hash(token), now, now.minus(IDLE_TIMEOUT), MAX_LISTED);
    }

    /** Ends the user's sessions except the one with this token. */
    public void endOthers(UserId user, String token) {
        store.endOthers(user, hasher.hash(token));
    }

    public void end(String token) {
        store.end(hasher.hash(token));
    }
}
