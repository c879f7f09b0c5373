package dev.parley.mail;

import dev.parley.db.AeadCipher;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.http.StrictJson;
import dev.parley.id.MailId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.node.NodeLease;
import dev.parley.settings.Settings;
import dev.parley.work.OwnedKey;
import dev.parley.work.WorkGroup;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.RowView;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** The table {@code mail} as the sender uses it. A node changes only its own mails, fenced by its lease. */
@Singleton
final class MailStore {
    /** Mails held longer than this are outdated and never sent. */
    static final Duration MAX_HELD_AGE = Duration.ofDays(3);

    /** Due mails that are read at once, and that wait in memory. */
    static final int MAX_DUE = 250;

    private static final Duration RETENTION = Duration.ofDays(30);
    private static final String NODE_LOST = "A node was lost before the server responded; the mail may have been sent.";

    /** JDBI does not mix positional with named parameters. */
    private static final String FENCE = NodeLease.FENCE.replace("?", ":node");

    /** The state is an expression, so that the row is always found by its key (docs/decisions/0111). */
    private static final String OWN =
            " FROM fence WHERE organization_id = :organization AND id = :id AND node_id = :node AND state || '' ";

    static final String BEGIN = FENCE + """
            UPDATE mail SET
                state = CASE WHEN handed_over THEN 'UNCERTAIN' ELSE 'SENDING' END,
                attempts = attempts + CASE WHEN handed_over THEN 0 ELSE 1 END,
                error = CASE WHEN handed_over THEN :lost ELSE error END,
                body_encrypted = CASE WHEN handed_over THEN NULL ELSE body_encrypted END
            """ + OWN + "IN ('PENDING', 'SENDING') AND due_at <= :now RETURNING mail.*";

    private final Database database;
    private final Clock clock;
    private final AeadCipher cipher;
    private final List<String> toolDomains;

    @Inject
    MailStore(Database database, Clock clock, MasterKey secret, Settings.Mail settings) {
        this(database, clock, secret.cipher("mail"), settings.toolDomains());
    }

    /** @param toolDomains domains to which workflows may currently send */
    MailStore(Database database, Clock clock, AeadCipher cipher, List<String> toolDomains) {
        this.database = database;
        this.clock = clock;
        this.cipher = cipher;
        this.toolDomains = List.copyOf(toolDomains);
    }

    /** The mails of a node that are due, those that have been due longest first. Claims mails that have no owner. */
    List<OwnedKey<MailKey>> due(NodeId node) {
        Instant now = clock.instant();
        return database.with(handle -> {
            handle.createUpdate(FENCE + """
                            , unowned AS MATERIALIZED (
                                SELECT organization_id, id FROM mail
                                WHERE node_id IS NULL AND state IN ('PENDING', 'SENDING') AND due_at <= :now
                                ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED
                            )
                            UPDATE mail m SET node_id = :node FROM fence, unowned u
                            WHERE m.organization_id = u.organization_id AND m.id = u.id""")
                    .bind("node", node)
                    .bind("now", now)
                    .bind("limit", MAX_DUE)
                    .execute();
            return handle.createQuery("""
                            SELECT organization_id AS organization, id FROM mail
                            WHERE node_id = :node AND state IN ('PENDING', 'SENDING') AND due_at <= :now
                            ORDER BY due_at LIMIT :limit""")
                    .bind("node", node)
                    .bind("now", now)
                    .bind("limit", MAX_DUE)
                    .mapTo(MailKey.class)
                    .map(key -> new OwnedKey<>(key, WorkGroup.of(key.organization()), 0))
                    .list();
        });
    }

    /** Leaves the mails of a dead node to all nodes that have an SMTP server, which this node may not have. */
    static void disown(Handle handle, NodeId dead) {
        handle.execute(
                "UPDATE mail SET node_id = NULL WHERE node_id = ? AND state IN ('PENDING', 'SENDING')", dead.value());
    }

    /**
     * Begins an attempt, unless the mail is not due or is not the owner's. A mail that was handed over by an attempt
     * without a result becomes UNCERTAIN instead.
     */
    Optional<OutgoingMail> begin(MailKey mail, NodeId owner) {
        return database.transaction(handle -> handle.createQuery(BEGIN)
                .bind("organization", mail.organization())
                .bind("id", mail.id())
                .bind("node", owner)
                .bind("now", clock.instant())
                .bind("lost", NODE_LOST)
                .map(row -> row.getColumn("state", MailState.class) == MailState.SENDING
                        ? Optional.of(read(row, mail, owner))
                        : Optional.<OutgoingMail>empty())
                .findOne()
                .flatMap(begun -> begun));
    }

    /** Records that the server may have the mail from now on; false if this node has lost it. */
    boolean handOver(OutgoingMail mail) {
        return update(mail, "handed_over = true", _ -> {});
    }

    void markSent(OutgoingMail mail) {
        update(
                mail,
                "state = 'SENT', sent_at = :now, error = NULL, body_encrypted = NULL",
                sent -> sent.bind("now", clock.instant()));
    }

    /** @param state FAILED or UNCERTAIN */
    void markUnsent(OutgoingMail mail, MailState state, String error) {
        update(mail, "state = :state, error = :error, body_encrypted = NULL", unsent -> unsent.bind(
                        "state", state.name())
                .bind("error", error));
    }

    void retryAt(OutgoingMail mail, String error, Instant retryAt) {
        update(mail, "state = 'PENDING', handed_over = false, error = :error, due_at = :due", retry -> retry.bind(
                        "error", error)
                .bind("due", retryAt));
    }

    private boolean update(OutgoingMail mail, String change, Consumer<Update> parameters) {
        return database.with(handle -> {
            Update update = handle.createUpdate(FENCE + " UPDATE mail SET " + change + OWN + "= 'SENDING'")
                    .bind("organization", mail.key().organization())
                    .bind("id", mail.key().id())
                    .bind("node", mail.owner());
            parameters.accept(update);
            return update.execute() == 1;
        });
    }

    /**
     * Queues held mails that are still recent, because an SMTP server is configured now. Mails of workflows to domains
     * that are no longer allowed stay held.
     */
    int queueHeld() {
        return database.with(handle -> handle.createUpdate("""
                        UPDATE mail SET state = 'PENDING', due_at = :now, node_id = NULL
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

    /**
     * A mail that may be sent again.
     *
     * @param text empty if the body is confidential
     * @param mayBeSent whether the recipient is a member, or workflows may write to the domain
     */
    record ResendableMail(
            String change,
            Email.EmailKind kind,
            MailState state,
            String to,
            String subject,
            String text,
            @Nullable String html,
            boolean mayBeSent) {}

    Optional<ResendableMail> resendable(Handle handle, OrganizationId organization, MailId id) {
        return handle.createQuery("""
                        SELECT change_id AS change, kind, state, recipient AS "to", subject, coalesce(body_text, '') AS text,
                            body_html AS html, EXISTS (SELECT FROM app_user u JOIN membership m ON m.user_id = u.id
                                WHERE u.email = lower(recipient) AND m.organization_id = mail.organization_id)
                            OR kind = 'TOOL' AND ('*' = ANY (:domains)
                                OR lower(split_part(recipient, '@', -1)) = ANY (:domains)) AS may_be_sent
                        FROM mail
                        WHERE organization_id = :organization AND id = :id AND kind <> 'PASSWORD_RESET'""")
                .bind("organization", organization)
                .bind("id", id)
                .bindArray("domains", String.class, toolDomains)
                .mapTo(ResendableMail.class)
                .findOne();
    }

    /** Deletes mails that ended or were held more than 30 days ago. */
    void deleteOld() {
        database.with(handle -> handle.execute(
                "DELETE FROM mail WHERE created_at < ? AND state NOT IN ('PENDING', 'SENDING')",
                clock.instant().minus(RETENTION)));
    }

    private OutgoingMail read(RowView row, MailKey key, NodeId owner) {
        byte[] encrypted = row.getColumn("body_encrypted", byte[].class);
        String text = row.getColumn("body_text", String.class);
        var body = encrypted == null
                ? new MailOutbox.EmailBody(text == null ? "" : text, row.getColumn("body_html", String.class))
                : StrictJson.readTrusted(cipher.decrypt(encrypted, key.id().text()), MailOutbox.EmailBody.class);
        return new OutgoingMail(
                key,
                owner,
                row.getColumn("attempts", Integer.class),
                row.getColumn("recipient", String.class),
                row.getColumn("subject", String.class),
                body.text(),
                body.html(),
                row.getColumn("created_at", Instant.class));
    }
}
