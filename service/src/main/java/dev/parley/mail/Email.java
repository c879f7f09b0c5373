package dev.parley.mail;

import dev.parley.id.MailId;
import dev.parley.problem.Text;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mail to one recipient, for {@link MailOutbox#add}. Several recipients of one change get separate mails, so that
 * none sees another's address and a rejected recipient does not delay the others.
 *
 * @param change identifies the announced change; one mail is sent per change and recipient in an organization
 * @param to the plain address of the recipient; an invalid one makes the mail FAILED and is not an error
 * @param subject line breaks and other control characters become spaces
 * @param html null for a plain-text mail
 */
public record Email(
        String change,
        EmailKind kind,
        String to,
        String subject,
        String text,
        @Nullable String html) {
    private static final int MAX_SUBJECT_LENGTH = 200;
    private static final String COPY = "resend:";

    /** The kind of a mail. */
    public enum EmailKind {
        TICKET(false),
        REMINDER(false),
        /** Contains a link with a token: its body is stored encrypted and never shown. */
        INVITATION(true),
        /** Contains a link with a token. Not listed: it would reveal an account of another organization. */
        PASSWORD_RESET(true),
        /** Sent by a workflow's task. */
        TOOL(false),
        /** A warning about a budget. */
        BUDGET(false);

        private final boolean confidential;

        EmailKind(boolean confidential) {
            this.confidential = confidential;
        }

        /** The kinds that admins of the organization see. */
        public static List<EmailKind> listed() {
            return Arrays.stream(values())
                    .filter(kind -> kind != PASSWORD_RESET)
                    .toList();
        }

        boolean isConfidential() {
            return confidential;
        }

        /** The text in the API. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Optional<EmailKind> parse(String text) {
            for (EmailKind kind : listed()) {
                if (kind.text().equals(text)) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }

    public Email {
        subject = singleLine(subject);
    }

    /** Replaces control characters and truncates to {@link #MAX_SUBJECT_LENGTH}. */
    private static String singleLine(String text) {
        return Text.ellipsis(text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ").strip(), MAX_SUBJECT_LENGTH);
    }

    @Override
    public String toString() {
        return "Email[" + kind + ", " + change + "]";
    }

    /** The change of a copy, which differs from the mail's so that it is sent. */
    static String changeOfCopy(MailId mail, String change) {
        return COPY + mail.text() + ":" + announcedChange(change);
    }

    /** The change that a mail announces, also if the mail is a copy that was sent again. */
    public static String announcedChange(String change) {
        return change.startsWith(COPY) ? change.substring(change.indexOf(':', COPY.length()) + 1) : change;
    }
}
