package dev.parley.organization.passwordreset;

import dev.parley.db.Database;
import dev.parley.id.MailId;
import dev.parley.id.UserId;
import dev.parley.mail.Email;
import dev.parley.mail.EmailTemplate;
import dev.parley.mail.MailOutbox;
import dev.parley.organization.passwordreset.PasswordResetStore.ResetRecipient;
import dev.parley.organization.session.SessionClient;
import dev.parley.organization.session.SignInThrottle;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.Settings;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Mails reset links to people who forgot their password. The work for an address is done after the response, so that
 * neither the response nor its time depends on whether the address has an account. Only proven addresses get mails.
 */
@Singleton
final class PasswordResetRequests {
    private static final Logger LOG = Logger.getLogger(PasswordResetRequests.class);
    private static final int MAX_QUEUED = 1_000;

    private final Database database;
    private final PasswordResetStore store;
    private final PasswordResetLinks links;
    private final MailOutbox outbox;
    private final UserStore users;
    private final SignInThrottle throttle;
    private final Optional<String> provider;
    private final String publicUrl;

    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_QUEUED),
            Thread.ofPlatform().daemon().name("password-reset-", 0).factory());

    PasswordResetRequests(
            Database database,
            PasswordResetLinks links,
            MailOutbox outbox,
            SignInThrottle throttle,
            Optional<Settings.Oidc> oidc,
            Settings.PublicUrl publicUrl) {
        this.database = database;
        this.store = database.statements(PasswordResetStore.class);
        this.links = links;
        this.outbox = outbox;
        this.users = database.statements(UserStore.class);
        this.throttle = throttle;
        this.provider = oidc.map(Settings.Oidc::name);
        this.publicUrl = publicUrl.url();
    }

    /** Whether links are mailed; otherwise people ask an admin or operator for one. */
    boolean areMailed() {
        return outbox.sends();
    }

    /** Accepts a request for a link, or rejects it with a 429 after too many for the account or from the address. */
    void request(String email, SessionClient client) {
        if (!areMailed()) {
            throw ApiProblem.of(
                    ProblemKind.MAIL_NOT_CONFIGURED,
                    "No SMTP server is configured: ask an admin of your organization or an operator for a link.");
        }
        UserId user = users.proven(email).orElseGet(UserId::next);
        throttle.resetRequest(email, user, client);
        try {
            thread.execute(() -> mail(email));
        } catch (RejectedExecutionException _) {
            throw ApiProblem.tooMany("Too many people are requesting links right now.", Duration.ofSeconds(30));
        }
    }

    @PreDestroy
    void close() {
        thread.shutdown();
    }

    private void mail(String email) {
        try {
            database.change(_ -> store.recipient(email).ifPresent(this::send));
        } catch (RuntimeException e) {
            LOG.errorf(e, "A requested password reset link could not be mailed");
        }
    }

    private void send(ResetRecipient recipient) {
        EmailTemplate template = !recipient.hasPassword() && provider.isPresent()
                ? signInByProvider(recipient, provider.get())
                : withLink(
                        recipient,
                        links.create(recipient.user(), Optional.empty()).token());
        outbox.add(
                recipient.organization(),
                List.of(new Email(
                        "password-reset:" + MailId.next().text(),
                        Email.EmailKind.PASSWORD_RESET,
                        recipient.email(),
                        "Reset your Parley password",
                        template.text(),
                        template.html())));
    }

    private EmailTemplate withLink(ResetRecipient recipient, String token) {
        return new EmailTemplate()
                .heading("Hello, " + recipient.name())
                .paragraph("Someone asked for a new password for " + recipient.email() + " on Parley. The link works"
                        + " once, for " + PasswordResetLinks.LIFETIME.toMinutes() + " minutes, and signs you out"
                        + " everywhere else.")
                .link("Set a new password", publicUrl + PasswordResetLinks.PAGE + token)
                .paragraph("If it wasn't you, ignore this email: your password stays as it is.");
    }

    private EmailTemplate signInByProvider(ResetRecipient recipient, String name) {
        return new EmailTemplate()
                .heading("Hello, " + recipient.name())
                .paragraph("Someone asked for a new password for " + recipient.email() + " on Parley. This account has"
                        + " no password: choose 'Continue with " + name + "' on the sign-in page.")
                .link("Sign in", publicUrl + "/sign-in")
                .paragraph("If it wasn't you, ignore this email.");
    }
}
