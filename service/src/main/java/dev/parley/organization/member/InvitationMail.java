package dev.parley.organization.member;

import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.mail.Email;
import dev.parley.mail.EmailTemplate;
import dev.parley.mail.MailOutbox;
import dev.parley.organization.Member;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.util.List;

/** Mails an invitation's link to the invited person, if an SMTP server is configured. */
public @Singleton final class InvitationMail {
    private final MailOutbox outbox;
    private final String publicUrl;

    InvitationMail(MailOutbox outbox, Settings.PublicUrl publicUrl) {
        this.outbox = outbox;
        this.publicUrl = publicUrl.url();
    }

    /** Whether invitations are mailed; otherwise the inviting admin gets the token and passes it on. */
    public boolean isSent() {
        return outbox.sends();
    }

    /** Each invitation is a separate mail: a new one replaces the previous token. */
    void invite(OrganizationId organization, String name, String inviter, Member member, String token) {
        var template = new EmailTemplate()
                .heading("Welcome, " + member.name())
                .paragraph(inviter + " invited you to " + name
                        + " on Parley, which runs agents that combine AI models, tools, code and people. If you have an"
                        + " account here, you join with it; otherwise you choose a password.")
                .link("Accept the invitation", publicUrl + "/invitations/" + token)
                .footer("The link works once, for " + InvitationStore.LIFETIME.toDays() + " days. If you do not know "
                        + inviter + ", ignore this email.");
        outbox.add(
                organization,
                List.of(new Email(
                        "invitation:" + MailId.next().text(),
                        Email.EmailKind.INVITATION,
                        member.email(),
                        "You were invited to " + name,
                        template.text(),
                        template.html())));
    }
}
