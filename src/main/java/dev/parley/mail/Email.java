package dev.parley.mail;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mail to one recipient, for {@link MailOutbox#add}. Several recipients of one change get a mail each: none sees the
 * others' addresses, and one that the server refuses holds up nobody.
 *
 * @param change what it tells of: of one change and recipient in an organization one mail is sent
 * @param to the recipient's address alone; one that no mail can be sent to makes the mail FAILED, not an error
 * @param subject line breaks and other control characters become spaces
 * @param html null for a mail of plain text
 */
public record Email(
        String change,
        EmailKind kind,
        String to,
        String subject,
        String text,
        @Nullable String html) {
    private static final int LONGEST_SUBJECT = 200;

    /** What a mail is about. */
    public enum EmailKind {
        TICKET(false),
        REMINDER(false),
        /** Holds a link with a token: its body is stored sealed, and shown to nobody. */
        INVITATION(true),
        /** Sent by a workflow's task. */
        TOOL(false);

        private final boolean confidential;

        EmailKind(boolean confidential) {
            this.confidential = confidential;
        }

        boolean isConfidential() {
            return confidential;
        }

        /** As the API writes it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Optional<EmailKind> parse(String text) {
            for (EmailKind kind : values()) {
                if (kind.text().equals(text)) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }

    public Email {
        subject = line(subject);
    }

    /** One line without control characters, not too long for a subject. */
    private static String line(String text) {
        String line = text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ").strip();
        if (line.length() <= LONGEST_SUBJECT) {
            return line;
        }
        int end = LONGEST_SUBJECT - 1;
        return line.substring(0, Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end) + "…";
    }

    @Override
    public String toString() {
        return "Mail[" + kind + ", " + change + "]";
    }
}
