package dev.parley.mail;

import dev.parley.db.AeadCipher;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.http.json.StrictJson;
import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.node.NodeLease;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
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

    public MailOutbox(Database database, Clock clock, MasterKey masterKey, NodeLease node, MailSender sender) {
        this.store = database.statements(MailStore.class);
        this.clock = clock;
        this.cipher = masterKey.cipher("mail");
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
    public void add(OrganizationId organization, List<Email> mails) {
        List<MailKey> added = mails.stream()
                .flatMap(mail -> insert(organization, mail).stream())
                .toList();
        if (sends()) {
            Database.afterCommit(() -> added.forEach(sender::wake));
        } else if (!added.isEmpty()) {
            LOG.infof(
                    "%d email(s) of organization %s are held: no SMTP server is configured (PARLEY_SMTP_HOST)",
                    added.size(), organization.text());
        }
    }

    /**
     * Sends a mail again as a new one, within a transaction. A mail is sent again at most once; its copy may be sent again.
     *
     * @return the new mail's id
     */
    public MailId resend(OrganizationId organization, MailId id) {
        MailStore.ResendableMail mail = store.resendable(organization, id, sender.toolDomains())
                .orElseThrow(() -> ApiProblem.notFound("email"));
        requireResendable(mail);
        var copy = new Email(
                Email.changeOfCopy(id, mail.change()),
                mail.kind(),
                mail.to(),
                mail.subject(),
                mail.text(),
                mail.html());
        MailKey added = insert(organization, copy)
                .orElseThrow(() -> conflict("This email was sent again already. Resend the newer one."));
        Database.afterCommit(() -> sender.wake(added));
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

    /** Empty if the mail's change and recipient already exist. */
    private Optional<MailKey> insert(OrganizationId organization, Email mail) {
        var key = new MailKey(organization, MailId.next());
        Optional<String> recipient = MailAddress.parse(mail.to());
        MailState state = recipient.isEmpty() ? MailState.FAILED : sends() ? MailState.PENDING : MailState.KEPT;
        boolean confidential = mail.kind().isConfidential();
        byte[] encrypted = confidential && !state.isFinal()
                ? cipher.encrypt(
                        StrictJson.write(new EmailBody(mail.text(), mail.html())),
                        key.id().text())
                : null;
        boolean added = store.insert(
                key,
                mail,
                recipient.orElse(mail.to()),
                confidential ? null : mail.text(),
                confidential ? null : mail.html(),
                encrypted,
                state,
                recipient.isEmpty() ? NO_ADDRESS : null,
                node.id(),
                clock.instant());
        return added ? Optional.of(key) : Optional.empty();
    }
}
