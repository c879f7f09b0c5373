package dev.parley.chaos;

import com.icegreen.greenmail.util.GreenMail;
import dev.parley.mail.MailTestBed;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** An SMTP server for nodes, which records the mails that it received. */
final class RecordingSmtpServer implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Pattern LINK = Pattern.compile("https?://[^\\s\"<>]+");
    private static final Pattern HREF = Pattern.compile("href=\"([^\"]+)\"");

    private final GreenMail server = MailTestBed.server(0);

    /** A mail as displayed to people. */
    record Letter(String to, String subject, String text, String html) {
        List<String> linksOfText() {
            return LINK.matcher(text).results().map(MatchResult::group).toList();
        }

        List<String> linksOfHtml() {
            return HREF.matcher(html).results().map(found -> found.group(1)).toList();
        }
    }

    Map<String, String> settings() {
        return Map.of(
                "PARLEY_SMTP_HOST", "127.0.0.1",
                "PARLEY_SMTP_PORT", Integer.toString(server.getSmtp().getPort()),
                "PARLEY_SMTP_MODE", "plain",
                "PARLEY_SMTP_SENDER", "Parley <parley@acme.example>");
    }

    Letter awaitFirst() throws InterruptedException {
        return await(_ -> true);
    }

    Letter awaitAbout(String what) throws InterruptedException {
        return await(letter -> letter.text().contains(what));
    }

    long about(String what) {
        return all().stream().filter(letter -> letter.text().contains(what)).count();
    }

    private Letter await(Predicate<Letter> wanted) throws InterruptedException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        while (Instant.now().isBefore(deadline)) {
            for (Letter letter : all()) {
                if (wanted.test(letter)) {
                    return letter;
                }
            }
            ChaosClient.pause(20);
        }
        throw new AssertionError("no such letter came, only " + all());
    }

    private List<Letter> all() {
        return Arrays.stream(server.getReceivedMessages())
                .map(RecordingSmtpServer::read)
                .toList();
    }

    private static Letter read(MimeMessage message) {
        try {
            var parts = (MimeMultipart) message.getContent();
            return new Letter(
                    message.getAllRecipients()[0].toString(),
                    message.getSubject(),
                    (String) parts.getBodyPart(0).getContent(),
                    (String) parts.getBodyPart(1).getContent());
        } catch (MessagingException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
