package dev.parley.mail;

import dev.parley.id.MailId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.node.NodeLease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The table {@code mail} as the sender uses it. A node changes only its own mails, fenced by its lease. */
interface MailStore {
    /** Due mails that are read at once, and that wait in memory. */
    int MAX_DUE = 250;

    /** The state is an expression, so that the row is always found by its key (docs/decisions/0111). */
    String OWN =
            " FROM fence WHERE organization_id = :organization AND mail.id = :id AND node_id = :node AND state || '' ";

    String SENDING = OWN + "= 'SENDING'";

    String BEGIN = NodeLease.NAMED_FENCE + """
            UPDATE mail SET
                state = CASE WHEN handed_over THEN 'UNCERTAIN' ELSE 'SENDING' END,
                attempts = attempts + CASE WHEN handed_over THEN 0 ELSE 1 END,
                error = CASE WHEN handed_over
                    THEN 'A node was lost before the server responded; the mail may have been sent.' ELSE error END,
                body_encrypted = CASE WHEN handed_over THEN NULL ELSE body_encrypted END
            """ + OWN + "IN ('PENDING', 'SENDING') AND due_at <= :now RETURNING mail.*";

    /** Whether the recipient is a member. */
    String TO_MEMBER = """
            EXISTS (SELECT FROM app_user u JOIN membership m ON m.user_id = u.id
                WHERE u.email = lower(recipient) AND m.organization_id = mail.organization_id)
            """;

    /** Whether workflows may write to the recipient's domain. */
    String TO_DOMAIN = "('*' = ANY (:domains) OR lower(split_part(recipient, '@', -1)) = ANY (:domains))";

    /** A mail whose attempt has begun, with its body or the encrypted one. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record BegunMail(
            MailState state,
            int attempts,
            String recipient,
            String subject,
            @Nullable String bodyText,
            @Nullable String bodyHtml,
            byte @Nullable [] bodyEncrypted,
            Instant createdAt) {}

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

    /**
     * Inserts a mail, unless its change and recipient exist. A fenced node cannot own it; then it has no owner until a
     * node claims it.
     */
    @SqlUpdate("""
            INSERT INTO mail (organization_id, id, change_id, kind, recipient, subject, body_text, body_html,
                body_encrypted, state, due_at, error, created_at, node_id)
            VALUES (:organization, :id, :change, :kind, :recipient, :subject,
                :bodyText, :bodyHtml, :encrypted, :state, :now, :error, :now, (SELECT id FROM node WHERE id = :node FOR KEY SHARE))
            ON CONFLICT (organization_id, change_id, recipient) DO NOTHING""")
    boolean insert(
            @BindMethods MailKey key,
            @BindMethods Email mail,
            String recipient,
            @Nullable String bodyText,
            @Nullable String bodyHtml,
            byte @Nullable [] encrypted,
            MailState state,
            @Nullable String error,
            NodeId node,
            Instant now);

    @SqlUpdate(NodeLease.NAMED_FENCE + """
            , unowned AS MATERIALIZED (
                SELECT organization_id, id FROM mail
                WHERE node_id IS NULL AND state IN ('PENDING', 'SENDING') AND due_at <= :now
                ORDER BY due_at LIMIT\s""" + MAX_DUE + """
                 FOR UPDATE SKIP LOCKED
            )
            UPDATE mail m SET node_id = :node FROM fence, unowned u
            WHERE m.organization_id = u.organization_id AND m.id = u.id""")
    void claimUnowned(NodeId node, Instant now);

    /** The mails of a node that are due, those that have been due longest first. */
    @SqlQuery("""
            SELECT organization_id AS organization, id FROM mail
            WHERE node_id = :node AND state IN ('PENDING', 'SENDING') AND due_at <= :now
            ORDER BY due_at LIMIT\s""" + MAX_DUE)
    List<MailKey> due(NodeId node, Instant now);

    /** Leaves the mails of a dead node to all nodes that have an SMTP server, which this node may not have. */
    @SqlUpdate("UPDATE mail SET node_id = NULL WHERE node_id = :dead AND state IN ('PENDING', 'SENDING')")
    void disown(NodeId dead);

    /**
     * Begins an attempt, unless the mail is not due or is not the node's. A mail that was handed over by an attempt
     * without a result becomes UNCERTAIN instead.
     */
    @SqlQuery(BEGIN)
    Optional<BegunMail> begin(@BindMethods MailKey key, NodeId node, Instant now);

    /** Records that the server may have the mail from now on; false if this node has lost it. */
    @SqlUpdate(NodeLease.NAMED_FENCE + " UPDATE mail SET handed_over = true" + SENDING)
    boolean handOver(@BindMethods MailKey key, NodeId node);

    @SqlUpdate(NodeLease.NAMED_FENCE
            + " UPDATE mail SET state = 'SENT', sent_at = :now, error = NULL, body_encrypted = NULL" + SENDING)
    void markSent(@BindMethods MailKey key, NodeId node, Instant now);

    /** @param state FAILED or UNCERTAIN */
    @SqlUpdate(
            NodeLease.NAMED_FENCE + " UPDATE mail SET state = :state, error = :error, body_encrypted = NULL" + SENDING)
    void markUnsent(@BindMethods MailKey key, NodeId node, MailState state, String error);

    @SqlUpdate(NodeLease.NAMED_FENCE
            + " UPDATE mail SET state = 'PENDING', handed_over = false, error = :error, due_at = :due" + SENDING)
    void retryAt(@BindMethods MailKey key, NodeId node, String error, Instant due);

    /**
     * Queues held mails that are still recent, because an SMTP server is configured now. Mails of workflows to domains
     * that are no longer allowed stay held.
     */
    @SqlUpdate("""
            UPDATE mail SET state = 'PENDING', due_at = :now, node_id = NULL
            WHERE state = 'KEPT' AND created_at > :heldAfter
              AND (kind <> 'TOOL' OR\s""" + TO_DOMAIN + " OR " + TO_MEMBER + ")")
    int queueHeld(Instant now, Instant heldAfter, List<String> domains);

    @SqlQuery("""
            SELECT change_id AS change, kind, state, recipient AS "to", subject, coalesce(body_text, '') AS text,
                body_html AS html,\s""" + TO_MEMBER + " OR kind = 'TOOL' AND " + TO_DOMAIN + """
             AS may_be_sent
            FROM mail WHERE organization_id = :organization AND id = :id AND kind <> 'PASSWORD_RESET'""")
    Optional<ResendableMail> resendable(OrganizationId organization, MailId id, List<String> domains);

    @SqlUpdate("DELETE FROM mail WHERE created_at < :before AND state NOT IN ('PENDING', 'SENDING')")
    void deleteOld(Instant before);
}
