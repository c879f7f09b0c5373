package dev.parley.organization.session;

import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;

/** The table {@code sign_in_throttle}. A subject is the hash of what attempts are counted for. */
interface SignInThrottleStore {
    /**
     * A limit on attempts.
     *
     * @param free attempts without a wait
     * @param firstSeconds the first wait, which doubles with each further attempt
     */
    record Allowance(int free, double firstSeconds, double maxSeconds, String refusal) {}

    /** Counts an attempt; false if it must wait. */
    @SqlUpdate("""
            INSERT INTO sign_in_throttle AS t (subject, failures, blocked_until, forget_at)
            VALUES (:subject, 1, '-infinity', :forget)
            ON CONFLICT (subject) DO UPDATE SET
                failures = CASE WHEN t.forget_at < :now THEN 1 ELSE t.failures + 1 END,
                blocked_until = CASE
                    WHEN t.forget_at < :now OR t.failures + 1 < :free THEN '-infinity'
                    ELSE :now + make_interval(secs =>
                        least(:maxSeconds, :firstSeconds * power(2, least(t.failures + 1 - :free, 20)))) END,
                forget_at = :forget
            WHERE t.blocked_until <= :now""")
    boolean count(byte[] subject, Instant now, Instant forget, @BindMethods Allowance allowance);

    @SqlQuery("SELECT blocked_until FROM sign_in_throttle WHERE subject = :subject")
    Optional<Instant> blockedUntil(byte[] subject);

    @SqlUpdate("""
            UPDATE sign_in_throttle SET failures = greatest(failures - 1, 0), blocked_until = '-infinity'
            WHERE subject = :subject""")
    void uncount(byte[] subject);

    @SqlUpdate("DELETE FROM sign_in_throttle WHERE subject = :subject")
    void delete(byte[] subject);

    /** Remembers a known network. */
    @SqlUpdate("""
            INSERT INTO sign_in_throttle (subject, failures, blocked_until, forget_at)
            VALUES (:subject, 0, '-infinity', :forget)
            ON CONFLICT (subject) DO UPDATE SET forget_at = excluded.forget_at""")
    void remember(byte[] subject, Instant forget);

    @SqlQuery("SELECT EXISTS (SELECT FROM sign_in_throttle WHERE subject = :subject AND forget_at > :now)")
    boolean isKnown(byte[] subject, Instant now);

    @SqlUpdate("DELETE FROM sign_in_throttle WHERE forget_at < :now")
    void deleteForgotten(Instant now);
}
