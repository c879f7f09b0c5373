package dev.parley.organization;

import static dev.parley.Tenant.eventually;

import com.icegreen.greenmail.util.GreenMail;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the tokens of mailed invitations and reset links. */
final class InvitationMailbox {
    private static final Pattern LINK = Pattern.compile("(?:/invitations/|/reset-password#)([A-Za-z0-9_-]{43})");

    private final GreenMail mails;
    private final Set<String> takenTokens = new HashSet<>();

    InvitationMailbox(GreenMail mails) {
        this.mails = mails;
    }

    /** The token of the newest mail to the address; removes the mail. */
    String mailedToken(String email) {
        List<String> tokens = eventually(
                () -> Arrays.stream(mails.getReceivedMessages())
                        .filter(mail -> isTo(mail, email))
                        .flatMap(mail -> tokenIn(mail).stream())
                        .filter(token -> !takenTokens.contains(token))
                        .toList(),
                found -> !found.isEmpty());
        takenTokens.add(tokens.getLast());
        return tokens.getLast();
    }

    private static boolean isTo(MimeMessage mail, String email) {
        try {
            return mail.getAllRecipients()[0].toString().equals(email);
        } catch (MessagingException e) {
            throw new AssertionError(e);
        }
    }

    private static Optional<String> tokenIn(MimeMessage mail) {
        try {
            var parts = (MimeMultipart) mail.getContent();
            Matcher link = LINK.matcher(String.valueOf(parts.getBodyPart(0).getContent()));
            return link.find() ? Optional.of(link.group(1)) : Optional.empty();
        } catch (MessagingException | IOException e) {
            throw new AssertionError(e);
        }
    }
}
