package dev.parley.organization;

import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.http.DashboardUser;
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
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.Nested;

/**
 * The table {@code session}. A session ends {@link #IDLE_TIMEOUT} after its last request and {@link #MAX_LIFETIME} after it began.
 * Every request reads it, so that signing out takes effect on every node at once.
 */
@Singleton
public final class SessionStore {
    static final Duration IDLE_TIMEOUT = Duration.ofHours(12);
    static final Duration MAX_LIFETIME = Duration.ofDays(7);
    private static final Duration LAST_SEEN_PRECISION = Duration.ofMinutes(1);
    private static final int MAX_LISTED = 200;

    private final Database database;
    private final SignInThrottle throttle;
    private final HmacHasher hasher;
    private final Clock clock;

    private record FoundSession(@Nested DashboardUser person, Instant lastSeenAt) {}

    SessionStore(Database database, SignInThrottle throttle, MasterKey secret, Clock clock) {
        this.database = database;
        this.throttle = throttle;
        this.hasher = secret.hasher("session");
        this.clock = clock;
    }

    /**
     * Starts a session and returns its token, whose hash is stored. The client's network becomes a known one of the
     * user. Deletes expired sessions. Rejects (401) an account that was deleted meanwhile.
     */
    public String begin(Handle handle, UserId user, SessionClient client) {
        String token = RandomTokens.next();
        Instant now = clock.instant();
        handle.createUpdate("DELETE FROM session WHERE expires_at < :now")
                .bind("now", now)
                .execute();
        int inserted = handle.createUpdate("""
                        INSERT INTO session (token_hash, id, user_id, created_at, last_seen_at, expires_at, address,
                            user_agent)
                        SELECT :hash, :id, id, :now, :now, :expires, :address, :agent
                        FROM app_user WHERE id = :user FOR KEY SHARE""")
                .bind("id", SessionId.next())
                .bind("address", client.address())
                .bind("agent", client.userAgent())
                .bind("hash", hasher.hash(token))
                .bind("user", user)
                .bind("now", now)
                .bind("expires", now.plus(MAX_LIFETIME))
                .execute();
        if (inserted == 0) {
            throw ApiProblem.of(ProblemKind.NOT_SIGNED_IN, "This account was deleted.");
        }
        throttle.remember(handle, user, client);
        return token;
    }

    /** The user of a valid session. */
    Optional<DashboardUser> person(String token) {
        byte[] hash = hasher.hash(token);
        Instant now = clock.instant();
        return database.with(handle -> {
            Optional<FoundSession> found = handle.createQuery("""
                            SELECT %s, s.last_seen_at
                            FROM session s JOIN app_user u ON u.id = s.user_id
                            WHERE s.token_hash = :hash AND s.expires_at > :now AND s.last_seen_at > :idle""".formatted(UserStore.COLUMNS))
                    .bind("hash", hash)
                    .bind("now", now)
                    .bind("idle", now.minus(IDLE_TIMEOUT))
                    .mapTo(FoundSession.class)
                    .findOne();
            if (found.isPresent()
                    && found.get().lastSeenAt().plus(LAST_SEEN_PRECISION).isBefore(now)) {
                handle.createUpdate("UPDATE session SET last_seen_at = :now WHERE token_hash = :hash")
                        .bind("now", now)
                        .bind("hash", hash)
                        .execute();
            }
            return found.map(FoundSession::person);
        });
    }

    /** Whether a session is valid; does not count as use. */
    boolean isValid(String token) {
        Instant now = clock.instant();
        return database.with(handle -> handle.createQuery("""
                        SELECT EXISTS (SELECT FROM session
                        WHERE token_hash = :hash AND expires_at > :now AND last_seen_at > :idle)""")
                .bind("hash", hasher.hash(token))
                .bind("now", now)
                .bind("idle", now.minus(IDLE_TIMEOUT))
                .mapTo(Boolean.class)
                .one());
    }

    /** The user's valid sessions, the one used last first; {@code token} is that of the current one. */
    List<UserSession> list(UserId user, String token) {
        Instant now = clock.instant();
        return database.with(handle -> handle.createQuery("""
                        SELECT id, token_hash = :hash AS current, created_at, last_seen_at, address, user_agent
                        FROM session
                        WHERE user_id = :user AND expires_at > :now AND last_seen_at > :idle
                        ORDER BY current DESC, last_seen_at DESC, id DESC LIMIT :limit""")
                .bind("user", user)
                .bind("hash", hasher.hash(token))
                .bind("now", now)
                .bind("idle", now.minus(IDLE_TIMEOUT))
                .bind("limit", MAX_LISTED)
                .mapTo(UserSession.class)
                .list());
    }

    /** Ends one session of the user; false if the user has no such session. */
    boolean end(UserId user, SessionId session) {
        return database.with(handle -> handle.createUpdate("DELETE FROM session WHERE user_id = :user AND id = :id")
                        .bind("user", user)
                        .bind("id", session)
                        .execute()
                == 1);
    }

    void endOthers(UserId user, String token) {
        database.change(handle -> endOthers(handle, user, token));
    }

    /** Ends the user's sessions except the one with this token. */
    void endOthers(Handle handle, UserId user, String token) {
        handle.createUpdate("DELETE FROM session WHERE user_id = :user AND token_hash <> :hash")
                .bind("user", user)
                .bind("hash", hasher.hash(token))
                .execute();
    }

    /** Ends all sessions of the user. */
    void endAll(Handle handle, UserId user) {
        handle.createUpdate("DELETE FROM session WHERE user_id = :user")
                .bind("user", user)
                .execute();
    }

    void end(String token) {
        database.change(handle -> handle.createUpdate("DELETE FROM session WHERE token_hash = :hash")
                .bind("hash", hasher.hash(token))
                .execute());
    }
}
