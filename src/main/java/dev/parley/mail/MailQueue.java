package dev.parley.mail;

import dev.parley.db.AeadCipher;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.http.StrictJson;
import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.settings.Settings;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.result.RowView;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code mail} as the sender uses it, over all organizations: claims with SKIP LOCKED, each with a lease and
 * fenced by its attempt, so that two nodes never send the same mail.
 */
@Singleton
final class MailQueue {
    /** Longer than any attempt: each step of an attempt has the configured time-out. */
    static final Duration LEASE = Duration.ofMinutes(10);

    /** Mails held longer than this are outdated and never sent. */
    static final Duration MAX_HELD_AGE = Duration.ofDays(3);

    private static final Duration RETENTION = Duration.ofDays(30);
    private static final String NODE_LOST = "A node was lost before the server responded; the mail may have been sent.";

    private final Database database;
    private final Clock clock;
    private final AeadCipher cipher;
    private final List<String> toolDomains;

    @Inject
    MailQueue(Database database, Clock clock, MasterKey secret, Settings.Mail settings) {
        this(database, clock, secret.seal("mail"), settings.toolDomains());
    }

    /** @param toolDomains domains to which workflows may currently send */
    MailQueue(Database database, Clock clock, AeadCipher cipher, List<String> toolDomains) {
        this.database = database;
        this.clock = clock;
        this.cipher = cipher;
        this.toolDomains = List.copyOf(toolDomains);
    }

    /**
     * Claims the mail that has been due longest, for this node until the lease ends. A mail that a lost node had
     * already handed over becomes UNCERTAIN instead.
     */
    Optional<OutgoingMail> claim() {
        while (true) {
            Optional<ClaimedMail> claimed = database.transaction(handle -> handle.createQuery("""
                            WITH due AS MATERIALIZED (
                                SELECT organization_id, id FROM mail
                                WHERE state IN ('PENDING', 'SENDING') AND due_at <= :now
                                ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
                            )
                            UPDATE mail m SET
                                state = CASE WHEN handed_over THEN 'UNCERTAIN' ELSE 'SENDING' END,
                                attempts = attempts + CASE WHEN handed_over THEN 0 ELSE 1 END,
                                error = CASE WHEN handed_over THEN :lost ELSE error END,
                                due_at = :leaseEnd
                            FROM due WHERE m.organization_id = due.organization_id AND m.id = due.id
                            RETURNING m.*""")
                    .bind("now", clock.instant())
                    .bind("leaseEnd", clock.instant().plus(LEASE))
                    .bind("lost", NODE_LOST)
                    .map(row ->
                            new ClaimedMail(row.getColumn("state", MailState.class) == MailState.SENDING, read(row)))
                    .findOne());
            if (claimed.isEmpty()) {
                return Optional.empty();
            }
            if (claimed.get().isSendable()) {
                return Optional.of(claimed.get().mail());
            }
        }
    }

    private record ClaimedMail(boolean isSendable, OutgoingMail mail) {}

    /** Records that the server may have the mail from now on; false if another node has claimed it meanwhile. */
    boolean handOver(OutgoingMail mail) {
        return update(mail, "handed_over = true", "state = 'SENDING' AND due_at > :now", null, clock.instant());
    }

    void markSent(OutgoingMail mail) {
        update(
                mail,
                "state = 'SENT', sent_at = :now, error = NULL, body_sealed = NULL",
                CLAIMED,
                null,
                clock.instant());
    }

    void markFailed(OutgoingMail mail, String error) {
        update(mail, "state = 'FAILED', error = :error, body_sealed = NULL", CLAIMED, error, clock.instant());
    }

    void markUncertain(OutgoingMail mail, String error) {
        update(mail, "state = 'UNCERTAIN', error = :error, body_sealed = NULL", CLAIMED, error, clock.instant());
    }

    void retryAt(OutgoingMail mail, String error, Instant retryAt) {
        update(mail, "state = 'PENDING', handed_over = false, error = :error, due_at = :now", CLAIMED, error, retryAt);
    }

    /** Another node that claimed it meanwhile can only have marked it as uncertain. */
    private static final String CLAIMED = "state IN ('SENDING', 'UNCERTAIN')";

    private boolean update(OutgoingMail mail, String change, String condition, @Nullable String error, Instant now) {
        return database.with(handle -> {
            var update = handle.createUpdate("""
                            UPDATE mail SET %s
                            WHERE organization_id = :organization AND id = :id AND attempts = :attempt
                              AND %s""".formatted(change, condition))
                    .bind("organization", mail.organization())
                    .bind("id", mail.id())
                    .bind("attempt", mail.attempt());
            if (change.contains(":error")) {
                update.bind("error", error);
            }
            if (change.contains(":now") || condition.contains(":now")) {
                update.bind("now", now);
            }
            return update.execute() == 1;
        });
    }

    /**
     * Queues held mails that are still recent, because an SMTP server is configured now. Mails of workflows to domains
     * that are no longer allowed stay held.
     */
    int queueHeld() {
        return database.with(handle -> handle.createUpdate("""
                        UPDATE mail SET state = 'PENDING', due_at = :now
                        WHERE state = 'KEPT' AND created_at > :heldAfter
                          AND (kind <> 'TOOL' OR '*' = ANY (:domains)
                            OR lower(split_part(recipient, '@', -1)) = ANY (:domains)
                            OR EXISTS (SELECT FROM app_user u JOIN membership m ON m.user_id = u.id
                                WHERE u.email = lower(recipient) AND m.organization_id = mail.organization_id))
                        """)
                .bind("now", clock.instant())
                .bind("heldAfter", clock.instant().minus(MAX_HELD_AGE))
                .bindArray("domains", String.class, toolDomains)
                .execute());
    }

    /** Deletes mails that ended or were held more than 30 days ago. */
    void deleteOld() {
        database.with(handle -> handle.execute(
                "DELETE FROM mail WHERE created_at < ? AND state NOT IN ('PENDING', 'SENDING')",
                clock.instant().minus(RETENTION)));
    }

    private OutgoingMail read(RowView row) {
        MailId id = row.getColumn("id", MailId.class);
        byte[] sealed = row.getColumn("body_sealed", byte[].class);
        String text = row.getColumn("body_text", String.class);
        var body = sealed == null
                ? new MailOutbox.EmailBody(text == null ? "" : text, row.getColumn("body_html", String.class))
                : StrictJson.readTrusted(cipher.open(sealed, id.text()), MailOutbox.EmailBody.class);
        return new OutgoingMail(
                row.getColumn("organization_id", OrganizationId.class),
                id,
                row.getColumn("attempts", Integer.class),
                row.getColumn("recipient", String.class),
                row.getColumn("subject", String.class),
                body.text(),
                body.html(),
                row.getColumn("created_at", Instant.class));
    }
}
