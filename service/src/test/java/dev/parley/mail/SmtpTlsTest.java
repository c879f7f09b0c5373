package dev.parley.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.egress.TestTls;
import dev.parley.id.MailId;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.settings.Settings.Smtp;
import dev.parley.settings.Settings.SmtpMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** STARTTLS, implicit TLS, and authentication, against a server with real TLS. */
class SmtpTlsTest {
    private static final String PASSWORD = "the password";

    @TempDir
    Path directory;

    private SSLContext usual;
    private SSLContext tls;

    /** The mailer uses the JVM's trust store; here it contains the server's certificate. */
    @BeforeEach
    void trust() throws Exception {
        usual = SSLContext.getDefault();
        tls = TestTls.of(directory, "ip:127.0.0.1");
        SSLContext.setDefault(tls);
    }

    @AfterEach
    void trustAsBefore() {
        SSLContext.setDefault(usual);
    }

    @Test
    void nothingButTheWishForTlsIsSaidInTheClear() {
        try (FaultySmtpServer server = server(tls, false)) {
            assertThat(send(server, SmtpMode.STARTTLS, PASSWORD)).isInstanceOf(SendResult.Sent.class);

            assertThat(server.inTheClear()).hasSize(2).last().isEqualTo("STARTTLS");
            assertThat(server.inTheClear().getFirst()).startsWith("EHLO");
            assertThat(server.count("AUTH PLAIN")).isEqualTo(1);
            assertThat(server.delivered()).singleElement().asString().contains("The text");
        }
    }

    @Test
    void tlsFromTheStart() {
        try (FaultySmtpServer server = server(tls, true)) {
            assertThat(send(server, SmtpMode.TLS, PASSWORD)).isInstanceOf(SendResult.Sent.class);

            assertThat(server.inTheClear()).isEmpty();
            assertThat(server.delivered()).hasSize(1);
        }
    }

    @Test
    void aRejectedPasswordSendsNothingAndIsNotLogged() {
        try (FaultySmtpServer server = server(tls, false)) {
            assertThat(send(server, SmtpMode.STARTTLS, "wrong secret"))
                    .isInstanceOfSatisfying(SendResult.Unreachable.class, result -> assertThat(result.reason())
                            .contains("535")
                            .doesNotContain("wrong secret"));
            assertThat(server.delivered()).isEmpty();
        }
    }

    @Test
    void anUntrustedServerGetsNothing() {
        SSLContext.setDefault(usual);
        assertNothingSent(tls);
    }

    @Test
    void aCertificateForAnotherNameGetsNothing() throws Exception {
        SSLContext other = TestTls.of(directory, "dns:mail.example");
        SSLContext.setDefault(other);
        assertNothingSent(other);
    }

    private static void assertNothingSent(SSLContext tls) {
        for (SmtpMode mode : new SmtpMode[] {SmtpMode.STARTTLS, SmtpMode.TLS}) {
            try (FaultySmtpServer server = server(tls, mode == SmtpMode.TLS)) {
                assertThat(send(server, mode, PASSWORD)).isInstanceOf(SendResult.Unreachable.class);
                assertThat(server.count("AUTH")).isZero();
                assertThat(server.delivered()).isEmpty();
            }
        }
    }

    private static FaultySmtpServer server(SSLContext tls, boolean atOnce) {
        var server = new FaultySmtpServer(tls, atOnce);
        server.answer("EHLO", _ -> "250-here\r\n250-STARTTLS\r\n250 AUTH PLAIN");
        server.answer("STARTTLS", _ -> "220 Go on");
        server.answer("AUTH", line -> {
            byte[] given = Base64.getDecoder().decode(line.substring("AUTH PLAIN ".length()));
            boolean right = new String(given, StandardCharsets.UTF_8).endsWith("\0parley\0" + PASSWORD);
            return right ? "235 Welcome" : "535 Wrong password";
        });
        return server;
    }

    private static SendResult send(FaultySmtpServer server, SmtpMode mode, String password) {
        var smtp = new Smtp(
                "127.0.0.1", server.port(), mode, "parley", password, "parley@acme.example", Duration.ofSeconds(10));
        var mail = new OutgoingMail(
                new MailKey(OrganizationId.next(), MailId.next()),
                NodeId.next(),
                1,
                "ada@acme.example",
                "Subject",
                "The text",
                null,
                Instant.now());
        return new SmtpClient(smtp).send(mail, () -> true);
    }
}
