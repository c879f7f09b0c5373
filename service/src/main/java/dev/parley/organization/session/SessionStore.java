package dev.parley.organization.session;

import dev.parley.http.access.DashboardUser;
import dev.parley.id.SessionId;
import dev.parley.id.UserId;
import dev.parley.organization.user.UserStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table {@code session}. A session is valid if it has not expired and was last seen after {@code idle}. */
public interface SessionStore {
    /** A valid session's user. */
    record FoundSession(@Nested DashboardUser user, Instant lastSeenAt) {}

    /** False if the account was deleted. */
    @SqlUpdate("""
            INSERT INTO session (token_hash, id, user_id, created_at, last_seen_at, expires_at, address, user_agent)
            SELECT :hash, :id, id, :now, :now, :expires, :address, :userAgent
            FROM app_user WHERE id = :user FOR KEY SHARE""")
    boolean insert(
            byte[] hash, SessionId id, UserId user, Instant now, Instant expires, @BindMethods SessionClient client);

    @SqlQuery("SELECT " + UserStore.COLUMNS + """
            , s.last_seen_at FROM session s JOIN app_user u ON u.id = s.user_id
            WHERE s.token_hash = :hash AND s.expires_at > :now AND s.last_seen_at > :idle""")
    Optional<FoundSession> find(byte[] hash, Instant now, Instant idle);

    @SqlUpdate("UPDATE session SET last_seen_at = :now WHERE token_hash = :hash")
    void see(byte[] hash, Instant now);

    @SqlQuery("""
            SELECT EXISTS (SELECT FROM session
            WHERE token_hash = :hash AND expires_at > :now AND last_seen_at > :idle)""")
    boolean isValid(byte[] hash, Instant now, Instant idle);

    /** The user's valid sessions: the current one first, then those used last. */
    @SqlQuery("""
            SELECT id, token_hash = :hash AS current, created_at, last_seen_at, address, user_agent
            FROM session
            WHERE user_id = :user AND expires_at > :now AND last_seen_at > :idle
            ORDER BY current DESC, last_seen_at DESC, id DESC LIMIT :limit""")
    List<UserSession> list(UserId user, byte[] hash, Instant now, Instant idle, int limit);

    /** Ends one session of the user; false if the user has no such session. */
    @SqlUpdate("DELETE FROM session WHERE user_id = :user AND id = :id")
    boolean end(UserId user, SessionId id);

    @SqlUpdate("DELETE FROM session WHERE token_hash = :hash")
    void end(byte[] hash);

    /** Ends the user's sessions except one. */
    @SqlUpdate("DELETE FROM session WHERE user_id = :user AND token_hash <> :hash")
    void endOthers(UserId user, byte[] hash);

    @SqlUpdate("DELETE FROM session WHERE user_id = :user")
    void endAll(UserId user);

    @SqlUpdate("DELETE FROM session WHERE expires_at < :now")
    void deleteExpired(Instant now);
}
