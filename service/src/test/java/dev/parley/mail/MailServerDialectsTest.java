package dev.parley.mail;

import static dev.parley.Tenant.eventually;
import static dev.parley.mail.MailTestBed.mail;
import static dev.parley.mail.MailTestBed.smtp;
import static dev.parley.mail.MailTestBed.someone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.mail.archive.ArchivedEmail;
import dev.parley.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mail servers as people run them (docs/guides/mail.md). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailServerDialectsTest {
    private MailTestBed office;

    @BeforeAll
    void open() {
        office = new MailTestBed();
    }

    @AfterAll
    void close() {
        office.close();
    }

    @AfterEach
    void clear() {
        office.clear();
    }

    @ParameterizedTest
    @CsvSource({
        "RCPT,450 4.2.0 Greylisted,PENDING",
        "RCPT,421 4.7.0 Too many errors,PENDING",
        "RCPT,504 5.5.2 <15b0717dc4c2>: Helo command rejected,PENDING",
        "RCPT,530 5.7.0 Authentication required,PENDING",
        "RCPT,503 AUTH first,PENDING",
        "RCPT,501 5.1.3 Bad recipient address syntax,FAILED",
        "RCPT,550 No such user,FAILED",
        "RCPT,552 5.2.2 Mailbox full,FAILED",
        "RCPT,554 5.7.1 Relay access denied,FAILED",
        "MAIL,550 5.7.60 Client does not have permissions to send as this sender,PENDING",
        "MAIL,530 5.7.0 Must issue a STARTTLS command first,PENDING",
        "MAIL,421 4.4.2 Connection dropped,PENDING",
        "MAIL,552 5.3.4 Message size exceeds fixed limit,FAILED",
        "DATA,451 4.7.1 Try again,PENDING",
        "DATA,554 5.5.1 No valid recipients,FAILED",
        "., 432 4.3.2 Concurrent connections limit exceeded,PENDING",
        "., 421 4.7.0 Rate limit,PENDING",
        "., 552 5.3.4 Message too big,FAILED",
        "., 554 5.6.0 Spam,FAILED",
        "EHLO,421 4.7.0 Try again later,PENDING"
    })
    void aRefusalEndsTheMailOnlyIfItIsAboutTheMail(String command, String response, MailState state) {
        try (var server = new FaultySmtpServer()) {
            server.answer(command, _ -> response);
            if (command.equals("EHLO")) {
                server.answer("HELO", _ -> response);
            }
            String ada = someone();
            office.add(office.node(smtp(server.port())), mail("refused", ada));
            ArchivedEmail refused = eventually(() -> office.to(ada), mail -> mail.error() != null);
            assertThat(refused.state()).isEqualTo(state);
            assertThat(refused.error()).contains(response.substring(0, 3));
            assertThat(server.delivered()).isEmpty();
        }
    }

    @Test
    void aMailIsPlainAsciiInShortLinesAndNamesItsDomain() {
        try (var server = new FaultySmtpServer()) {
            server.answer("EHLO", _ -> "250-mail.example\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 1000000");
            String ada = someone();
            String text = "x".repeat(5_000) + "\n.\n..dots\nFrom here\n" + "ü😀".repeat(1_000);
            office.add(
                    office.node(smtp(server.port())),
                    new Email("long", Email.EmailKind.TICKET, ada, "😀ü".repeat(60), text, "<p>" + text + "</p>"));
            eventually(() -> office.to(ada).state(), state -> state == MailState.SENT);
            assertThat(server.count("EHLO acme.example")).isEqualTo(1);
            assertThat(server.count("SMTPUTF8") + server.count("BODY=")).isZero();
            assertThat(server.delivered().getFirst())
                    .contains("X-Auto-Response-Suppress: All\n", "Auto-Submitted: auto-generated\n")
                    .matches("[\\t\\n\\r\\x20-\\x7E]*")
                    .satisfies(mail -> assertThat(mail.lines()).allMatch(line -> line.length() <= 998));
        }
    }

    @ParameterizedTest
    @CsvSource({"AUTH LOGIN XOAUTH2", "AUTH XOAUTH2 PLAIN", "AUTH GSSAPI NTLM LOGIN"})
    void aServerIsGivenTheCredentialsInAWayThatItOffers(String offer) {
        try (var server = new FaultySmtpServer()) {
            server.answer("EHLO", _ -> "250-mail.example\r\n250 " + offer);
            server.answer("AUTH", line -> line.contains("PLAIN") ? "235 Welcome" : "334 VXNlcm5hbWU6");
            server.answer(base64("ada"), _ -> "334 UGFzc3dvcmQ6");
            server.answer(base64("a password"), _ -> "235 Welcome");
            String ada = someone();
            office.add(office.node(withUser(server.port())), mail("login", ada));
            eventually(() -> office.to(ada).state(), state -> state == MailState.SENT);
        }
    }

    @Test
    void aServerThatOffersNoUsableAuthenticationDelaysTheMail() {
        try (var server = new FaultySmtpServer()) {
            server.answer("EHLO", _ -> "250-mail.example\r\n250 AUTH XOAUTH2 OAUTHBEARER");
            String ada = someone();
            office.add(office.node(withUser(server.port())), mail("login", ada));
            ArchivedEmail waiting = eventually(() -> office.to(ada), mail -> mail.error() != null);
            assertThat(waiting.state()).isEqualTo(MailState.PENDING);
            assertThat(waiting.error()).contains("authentication mechanisms");
        }
    }

    @Test
    void anyTextOfAServerIsStored() {
        try (var server = new FaultySmtpServer()) {
            server.answer("RCPT", _ -> "550-5.1.1 Nobody\0 here\u0007\r\n550 5.1.1 " + "x".repeat(2_000));
            String ada = someone();
            office.add(office.node(smtp(server.port())), mail("odd", ada));
            ArchivedEmail failed = eventually(() -> office.to(ada), mail -> mail.state() == MailState.FAILED);
            assertThat(failed.error()).contains("Nobody here").hasSizeLessThanOrEqualTo(500);
        }
    }

    private static Settings.Smtp withUser(int port) {
        return new Settings.Smtp(
                "127.0.0.1",
                port,
                Settings.SmtpMode.PLAIN,
                "ada",
                "a password",
                "Parley <parley@acme.example>",
                Duration.ofSeconds(10));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
