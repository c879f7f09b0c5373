package dev.parley.mail;

import dev.parley.db.AeadCipher;
import dev.parley.db.MasterKey;
import dev.parley.http.StrictJson;
import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.node.NodeLease;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the mails of a change in the change's own transaction: mails of a rolled-back change are not sent, mails
 * survive the loss of a node, and applying a change again adds no further mails.
 */
@Singleton
public final class MailOutbox {
    private static final Logger LOG = Logger.getLogger(MailOutbox.class);
    private static final String NO_ADDRESS = "No mail can be sent to this address.";

    private final Clock clock;
    private final AeadCipher cipher;
    private final NodeLease node;
    private final MailSender sender;
    private final MailStore store;

    @Inject
    public MailOutbox(Clock clock, MasterKey secret, NodeLease node, MailSender sender, MailStore store) {
        this.store = store;
        this.clock = clock;
        this.cipher = secret.cipher("mail");
        this.node = node;
        this.sender = sender;
    }

    /** The parts of an encrypted body. */
    record EmailBody(String text, @Nullable String html) {}

    /** Whether an SMTP server is configured; otherwise mails are held (and invitations are not written at all). */
    public boolean sends() {
        return sender.sends();
    }

    /** The From header of all mails; empty without an SMTP server. */
    public Optional<String> from() {
        return sender.from();
    }

    /**
     * Adds mails within a transaction; this node sends them after the commit. Skips mails whose change and recipient
     * already exist.
     */
    public void add(Handle handle, OrganizationId organization, List<Email> mails) {
        List<MailKey> added = mails.stream()
                .map(mail -> add(handle, organization, mail))
                .flatMap(Optional::stream)
                .toList();
        if (sends()) {
            handle.afterCommit(() -> added.forEach(sender::wake));
        } else if (!added.isEmpty()) {
            LOG.infof(
                    "%d email(s) of organization %s are held: no SMTP server is configured (PARLEY_SMTP_HOST)",
                    added.size(), organization.text());
        }
    }

    /**
     * Sends a mail again as a new one. A mail is sent again at most once; its copy may be sent again.
     *
     * @return the new mail's id
     */
    public MailId resend(Handle handle, OrganizationId organization, MailId id) {
        MailStore.ResendableMail mail =
                store.resendable(handle, organization, id).orElseThrow(() -> ApiProblem.notFound("email"));
        requireResendable(mail);
        var copy = new Email(
                Email.changeOfCopy(id, mail.change()),
                mail.kind(),
                mail.to(),
                mail.subject(),
                mail.text(),
                mail.html());
        MailKey added = add(handle, organization, copy)
                .orElseThrow(() -> conflict("This email was sent again already. Resend the newer one."));
        handle.afterCommit(() -> sender.wake(added));
        return added.id();
    }

    private void requireResendable(MailStore.ResendableMail mail) {
        if (mail.kind().isConfidential()) {
            throw conflict("The link of this email is not stored. Resend the invitation instead.");
        }
        if (!sends()) {
            throw conflict("No email server is configured.");
        }
        if (mail.state() == MailState.PENDING || mail.state() == MailState.SENDING) {
            throw conflict("This email has not been sent yet.");
        }
        if (!mail.mayBeSent()) {
            throw conflict("The recipient is not a member of this organization any more.");
        }
    }

    private static ApiProblem conflict(String detail) {
        return ApiProblem.of(ProblemKind.CONFLICT, detail);
    }

    /** A fenced node cannot own the mail; then the mail has no owner until a node claims it. */
    private Optional<MailKey> add(Handle handle, OrganizationId organization, Email mail) {
        MailId id = MailId.next();
        Optional<String> recipient = MailAddress.parse(mail.to());
        boolean readable = !mail.kind().isConfidential();
        MailState state = recipient.isEmpty() ? MailState.FAILED : sends() ? MailState.PENDING : MailState.KEPT;
        byte[] encryptedBody = readable || state.isFinal()
                ? null
                : cipher.encrypt(StrictJson.write(new EmailBody(mail.text(), mail.html())), id.text());
        var now = clock.instant();
        int added = handle.createUpdate("""
                        INSERT INTO mail (organization_id, id, change_id, kind, recipient, subject, body_text, body_html,
                            body_encrypted, state, due_at, error, created_at, node_id)
                        VALUES (:organization, :id, :change, :kind, :to, :subject, :text, :html, :encrypted, :state, :now,
                            :error, :now, (SELECT id FROM node WHERE id = :node FOR KEY SHARE))
                        ON CONFLICT (organization_id, change_id, recipient) DO NOTHING""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("change", mail.change())
                .bind("kind", mail.kind().name())
                .bind("to", recipient.orElse(mail.to()))
                .bind("subject", mail.subject())
                .bind("text", readable ? mail.text() : null)
                .bind("html", readable ? mail.html() : null)
                .bind("encrypted", encryptedBody)
                .bind("state", state.name())
                .bind("error", recipient.isEmpty() ? NO_ADDRESS : null)
                .bind("now", now)
                .bind("node", node.id())
                .execute();
        return added == 0 ? Optional.empty() : Optional.of(new MailKey(organization, id));
    }
}
