package dev.parley.mail;

import static dev.parley.Tenant.eventually;
import static dev.parley.mail.MailTestBed.mail;
import static dev.parley.mail.MailTestBed.smtp;
import static dev.parley.mail.MailTestBed.someone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import dev.parley.FreePort;
import dev.parley.id.MailId;
import dev.parley.id.NodeId;
import dev.parley.id.UserId;
import dev.parley.mail.archive.ArchivedEmail;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Mails from the outbox to a real SMTP server, which may be down, slow, faulty or unwilling. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailSenderTest {
    private MailTestBed office;
    private GreenMail server;
    private int port;

    @BeforeAll
    void open() {
        office = new MailTestBed();
        port = FreePort.next();
        server = MailTestBed.server(port);
    }

    @AfterAll
    void close() {
        office.close();
        server.stop();
    }

    @AfterEach
    void clear() {
        office.clear();
    }

    @Test
    void aMailIsSentAfterTheCommitWithTextAndHtml() throws Exception {
        MailOutbox outbox = office.node(smtp(port));
        String ada = someone();
        office.add(
                outbox,
                new Email("1", Email.EmailKind.TICKET, ada, "Grüße & <more>", "Text äöü\n.\nmore", "<p>HTML äöü</p>"));
        MimeMessage received = receivedBy(ada).getFirst();
        assertThat(received.getSubject()).isEqualTo("Grüße & <more>");
        assertThat(received.getFrom()[0]).hasToString("Parley <parley@acme.example>");
        assertThat(received.getHeader("Auto-Submitted")).containsExactly("auto-generated");
        ArchivedEmail sent = eventually(() -> office.to(ada), mail -> mail.state() == MailState.SENT);
        assertThat(received.getMessageID()).isEqualTo("<" + sent.id().text() + "@acme.example>");
        assertThat(sent.attempts()).isEqualTo(1);
        assertThat(sent.sentAt()).isNotNull();
        var parts = (MimeMultipart) received.getContent();
        assertThat(parts.getContentType()).startsWith("multipart/alternative");
        assertThat(parts.getBodyPart(0).getContentType().toLowerCase(java.util.Locale.ROOT))
                .contains("text/plain", "utf-8");
        assertThat(parts.getBodyPart(0).getContent()).isEqualTo("Text äöü\r\n.\r\nmore");
        assertThat(parts.getBodyPart(1).getContentType()).startsWith("text/html");
        assertThat(parts.getBodyPart(1).getContent()).isEqualTo("<p>HTML äöü</p>");
    }

    @Test
    void aMailIsSentAgainOnceAsANewOneIfItsRecipientMayStillGetIt() throws Exception {
        MailOutbox outbox = office.node(smtp(port));
        String ada = UserId.next().text() + "@open.example";
        String stranger = someone();
        office.add(
                outbox,
                new Email("1", Email.EmailKind.TOOL, ada, "Report", "Text", "<p>HTML</p>"),
                mail("2", stranger),
                new Email("3", Email.EmailKind.INVITATION, someone(), "Join", "secret", null));
        eventually(() -> office.list(), all -> all.stream().allMatch(mail -> mail.state() == MailState.SENT));
        MailId report = office.to(ada).id();

        MailId copy = resend(outbox, report);

        assertThat(copy).isNotEqualTo(report);
        assertThat(eventually(() -> receivedBy(ada), received -> received.size() == 2))
                .allSatisfy(received -> assertThat(received.getSubject()).isEqualTo("Report"));
        eventually(() -> office.list(), all -> all.stream().allMatch(mail -> mail.state() == MailState.SENT));
        MailId copyOfCopy = resend(outbox, copy);
        assertThat(office.list().stream()
                        .filter(mail -> mail.id().equals(copy) || mail.id().equals(copyOfCopy)))
                .hasSize(2)
                .allSatisfy(
                        mail -> assertThat(Email.announcedChange(mail.change())).isEqualTo("1"));
        assertThatThrownBy(() -> resend(outbox, report)).hasMessageContaining("sent again already");
        assertThatThrownBy(() -> resend(outbox, office.to(stranger).id())).hasMessageContaining("not a member");
        MailId invitation = office.list().stream()
                .filter(mail -> mail.change().equals("3"))
                .findFirst()
                .orElseThrow()
                .id();
        assertThatThrownBy(() -> resend(outbox, invitation)).hasMessageContaining("Resend the invitation");
        assertThatThrownBy(() -> resend(outbox, MailId.next())).hasMessageContaining("email");
    }

    private MailId resend(MailOutbox outbox, MailId id) {
        return office.database.transaction(() -> outbox.resend(office.organization, id));
    }

    @Test
    void rolledBackMailsAreNotSent() {
        MailOutbox outbox = office.node(smtp(port));
        String ada = someone();
        String bob = someone();
        assertThatThrownBy(() -> office.database.change(_ -> {
                    outbox.add(office.organization, List.of(mail("rolled back", ada)));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        office.add(outbox, mail("done", bob));
        receivedBy(bob);
        assertThat(office.list()).noneMatch(mail -> mail.to().equals(ada));
        assertThat(server.getReceivedMessagesForDomain(ada)).isEmpty();
    }

    @Test
    void oneChangeSendsOneMailToEachRecipient() {
        MailOutbox outbox = office.node(smtp(port));
        String ada = someone();
        String bob = someone();
        office.add(outbox, mail("again", ada), mail("again", bob), mail("again", ada));
        office.add(outbox, mail("again", ada), mail("another", ada));
        eventually(() -> server.getReceivedMessagesForDomain(ada).length, count -> count == 2);
        assertThat(receivedBy(bob)).hasSize(1);
        assertThat(office.list().stream().filter(mail -> mail.to().equals(ada))).hasSize(2);
    }

    @Test
    void nothingFromASubjectOrAnAddressBecomesAHeader() throws Exception {
        MailOutbox outbox = office.node(smtp(port));
        String ada = someone();
        String evil = "x@acme.example\r\nRCPT TO:<" + someone() + ">";
        office.add(
                outbox,
                new Email("1", Email.EmailKind.TOOL, ada, "Hi\r\nBcc: eve@evil.example\r\n\r\nbody", "text", null),
                new Email("2", Email.EmailKind.TOOL, evil, "Hi", "text", null),
                new Email("3", Email.EmailKind.TOOL, "\"a b\" <c@d.example>, e@f.example", "Hi", "text", null));
        MimeMessage received = receivedBy(ada).getFirst();
        assertThat(received.getSubject()).isEqualTo("Hi Bcc: eve@evil.example body");
        assertThat(received.getHeader("Bcc")).isNull();
        assertThat(received.getAllRecipients()).hasSize(1);
        assertThat(office.list().stream()
                        .filter(mail -> mail.kind().equals("tool") && mail.state() == MailState.FAILED))
                .hasSize(2)
                .allMatch(mail -> "No mail can be sent to this address.".equals(mail.error()));
    }

    @Test
    void aServerThatIsDownGetsTheMailsWhenItIsBack() {
        int later = FreePort.next();
        MailOutbox outbox = office.node(smtp(later));
        List<String> people = IntStream.range(0, 20).mapToObj(_ -> someone()).toList();
        office.add(outbox, people.stream().map(one -> mail("down", one)).toArray(Email[]::new));
        eventually(
                () -> people.stream().mapToInt(one -> office.to(one).attempts()).sum(), attempts -> attempts > 0);
        GreenMail back = MailTestBed.server(later);
        try {
            eventually(
                    () -> {
                        office.skipPause();
                        return office.list();
                    },
                    all -> all.stream().allMatch(mail -> mail.state() == MailState.SENT));
            assertThat(back.getReceivedMessages()).hasSize(20);
            assertThat(people.stream().map(office::to)).allMatch(mail -> mail.error() == null);
        } finally {
            back.stop();
        }
    }

    @Test
    void reconnectsAfterTheServerRestarts() {
        int own = FreePort.next();
        MailOutbox outbox = office.node(smtp(own));
        String ada = someone();
        GreenMail first = MailTestBed.server(own);
        office.add(outbox, mail("before", ada));
        eventually(() -> office.to(ada).state(), state -> state == MailState.SENT);
        first.stop();
        GreenMail second = MailTestBed.server(own);
        try {
            String bob = someone();
            office.add(outbox, mail("after", bob));
            eventually(
                    () -> {
                        office.skipPause();
                        return office.to(bob).state();
                    },
                    state -> state == MailState.SENT);
            assertThat(second.getReceivedMessages()).hasSize(1);
        } finally {
            second.stop();
        }
    }

    @Test
    void oneRefusedRecipientFailsAloneAndABusyOneIsTriedAgain() {
        var counts = new SimpleMeterRegistry();
        Metrics.addRegistry(counts);
        try (var unwilling = new FaultySmtpServer()) {
            unwilling.answer(
                    "RCPT",
                    line -> line.contains("refused@")
                            ? "550 5.1.1 No such user"
                            : line.contains("busy@") && unwilling.count("busy@") < 2
                                    ? "451 Try again later"
                                    : "250 OK");
            MailOutbox outbox = office.node(smtp(unwilling.port()));
            String good = someone();
            String refused = "refused@" + someone().substring(0, 32) + ".example";
            String busy = "busy@" + someone().substring(0, 32) + ".example";
            office.add(outbox, mail("r", refused), mail("r", busy), mail("r", good));
            eventually(() -> office.to(good).state(), state -> state == MailState.SENT);
            ArchivedEmail failed = eventually(() -> office.to(refused), mail -> mail.state() == MailState.FAILED);
            assertThat(failed.error()).contains("550", "No such user");
            assertThat(failed.attempts()).isEqualTo(1);
            ArchivedEmail waiting = eventually(() -> office.to(busy), mail -> mail.error() != null);
            assertThat(waiting.state()).isEqualTo(MailState.PENDING);
            assertThat(waiting.nextAttemptAt()).isAfter(office.clock.instant());
            office.skipPause();
            eventually(() -> office.to(busy).state(), state -> state == MailState.SENT);
            assertThat(unwilling.delivered()).hasSize(2);
            assertThat(List.of("sent", "failed", "retrying"))
                    .allSatisfy(outcome -> assertThat(counts.get("parley.mails")
                                    .tag("outcome", outcome)
                                    .counter()
                                    .count())
                            .isPositive());
        } finally {
            Metrics.removeRegistry(counts);
        }
    }

    @Test
    void aServerThatNeverRespondsTimesOut() {
        try (var slow = new FaultySmtpServer()) {
            slow.answer("MAIL", _ -> "");
            MailOutbox outbox = office.node(smtp(slow.port(), Duration.ofMillis(300)));
            String ada = someone();
            office.add(outbox, mail("slow", ada));
            ArchivedEmail waiting = eventually(() -> office.to(ada), mail -> mail.error() != null);
            assertThat(waiting.state()).isEqualTo(MailState.PENDING);
            assertThat(slow.delivered()).isEmpty();
        }
    }

    @Test
    void aConnectionDroppedBeforeTheEndOfTheMailIsTriedAgain() {
        try (var dropping = new FaultySmtpServer()) {
            dropping.answer("DATA", _ -> dropping.count("DATA") < 2 ? null : "354 Go on");
            MailOutbox outbox = office.node(smtp(dropping.port()));
            String ada = someone();
            office.add(outbox, mail("dropped", ada));
            eventually(() -> office.to(ada), mail -> mail.error() != null);
            office.skipPause();
            eventually(() -> office.to(ada).state(), state -> state == MailState.SENT);
            assertThat(dropping.delivered()).hasSize(1);
        }
    }

    @Test
    void aMailWhoseResponseWasLostIsNotSentAgain() {
        try (var dropping = new FaultySmtpServer()) {
            dropping.answer(".", _ -> null);
            MailOutbox outbox = office.node(smtp(dropping.port()));
            String ada = someone();
            office.add(outbox, mail("lost", ada));
            eventually(() -> office.to(ada).state(), state -> state == MailState.UNCERTAIN);
            office.clock.advance(Duration.ofDays(2));
            String bob = someone();
            dropping.answer(".", _ -> "250 OK");
            office.add(outbox, mail("lost", bob));
            eventually(() -> office.to(bob).state(), state -> state == MailState.SENT);
            assertThat(office.to(ada).state()).isEqualTo(MailState.UNCERTAIN);
            assertThat(dropping.delivered()).hasSize(2);
        }
    }

    @Test
    void aMailThatIsRefusedForNowAtItsEndIsTriedUntilThePausesAreUsedUp() {
        try (var busy = new FaultySmtpServer()) {
            busy.answer(".", _ -> "452 Too much mail");
            MailOutbox outbox = office.node(smtp(busy.port()));
            String ada = someone();
            office.add(outbox, mail("busy", ada));
            ArchivedEmail failed = eventually(
                    () -> {
                        office.skipPause();
                        return office.to(ada);
                    },
                    mail -> mail.state() == MailState.FAILED);
            assertThat(failed.attempts()).isEqualTo(MailSender.RETRY_DELAYS.size() + 1);
            assertThat(failed.error()).contains("452");
        }
    }

    @Test
    void aResultIsRecordedAfterAnOutageOfTheDatabase() {
        office.database.change(handle -> handle.execute("""
                CREATE FUNCTION outage() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    RAISE EXCEPTION 'the database is starting up' USING ERRCODE = '57P03';
                END $$;
                CREATE TRIGGER outage BEFORE UPDATE ON mail FOR EACH ROW WHEN (NEW.state = 'SENT')
                    EXECUTE FUNCTION outage()"""));
        String ada = someone();
        try {
            office.add(office.node(smtp(port)), mail("outage", ada));
            receivedBy(ada);
            assertThat(office.to(ada).state()).isEqualTo(MailState.SENDING);
        } finally {
            office.database.change(handle -> handle.execute("DROP FUNCTION outage CASCADE"));
        }
        eventually(() -> office.to(ada).state(), state -> state == MailState.SENT);
        assertThat(receivedBy(ada)).hasSize(1);
    }

    @Test
    @Tag("all")
    void moreMailsThanFitInMemoryAreSent() {
        MailOutbox outbox = office.node(smtp(port));
        Email[] many = IntStream.range(0, 2 * MailStore.MAX_DUE)
                .mapToObj(_ -> mail("many", someone()))
                .toArray(Email[]::new);
        office.add(outbox, many);
        eventually(
                () -> Arrays.stream(server.getReceivedMessages())
                        .filter(mail -> subject(mail).equals("About many"))
                        .count(),
                count -> count == many.length);
    }

    @Test
    void aServerThatOffersNoStarttlsGetsNothing() {
        var strict = new dev.parley.settings.Settings.Smtp(
                "127.0.0.1",
                port,
                dev.parley.settings.Settings.SmtpMode.STARTTLS,
                "",
                "",
                "parley@acme.example",
                Duration.ofSeconds(2));
        MailOutbox outbox = office.node(strict);
        String ada = someone();
        office.add(office.outbox(false), mail("tls", ada));
        var mail = new OutgoingMail(
                new MailKey(office.organization, MailId.next()),
                NodeId.next(),
                1,
                ada,
                "s",
                "t",
                null,
                office.clock.instant());
        assertThat(new SmtpClient(strict).send(mail, () -> true))
                .isInstanceOfSatisfying(SendResult.Unreachable.class, result -> assertThat(result.reason())
                        .contains("STARTTLS"));
        assertThat(outbox.sends()).isTrue();
        assertThat(server.getReceivedMessagesForDomain(ada)).isEmpty();
    }

    @Test
    void recentHeldMailsAreSentWhenAServerIsConfigured() {
        String ada = someone();
        String bob = someone();
        office.add(office.outbox(false), mail("old", ada));
        office.clock.advance(MailSender.MAX_HELD_AGE.plusSeconds(1));
        office.add(office.outbox(false), mail("new", bob));
        assertThat(office.list()).allMatch(mail -> mail.state() == MailState.KEPT);
        office.node(smtp(port));
        receivedBy(bob);
        assertThat(office.to(ada).state()).isEqualTo(MailState.KEPT);
    }

    @Test
    void heldWorkflowMailsToForeignDomainsAreNotSentLater() {
        String stranger = someone();
        String open = "ada@open.example";
        office.add(
                office.outbox(false),
                new Email("tool:1", Email.EmailKind.TOOL, stranger, "Hello", "Hello", null),
                new Email("tool:1", Email.EmailKind.TOOL, open, "Hello", "Hello", null));
        office.node(smtp(port));
        receivedBy(open);
        assertThat(office.to(stranger).state()).isEqualTo(MailState.KEPT);
    }

    @Test
    void anInvitationsBodyIsEncryptedAndDeletedAfterSending() {
        String ada = someone();
        var invitation = new Email("1", Email.EmailKind.INVITATION, ada, "Welcome", "the token", "<p>the token</p>");
        MailOutbox outbox = office.outbox(true);
        office.add(outbox, invitation);
        assertThat(bodies(ada)).containsExactly(null, null).hasSize(2);
        assertThat(new String(encrypted(ada), java.nio.charset.StandardCharsets.ISO_8859_1))
                .isNotEmpty()
                .doesNotContain("token");
        office.node(smtp(port));
        assertThat(com.icegreen.greenmail.util.GreenMailUtil.getWholeMessage(
                        receivedBy(ada).getFirst()))
                .contains("the token");
        eventually(() -> office.to(ada).state(), state -> state == MailState.SENT);
        assertThat(encrypted(ada)).isNull();
    }

    @Test
    void oldMailsAreDeletedButPendingOnesNever() {
        String ada = someone();
        String bob = someone();
        office.add(office.outbox(false), mail("kept", ada));
        office.add(office.outbox(true), mail("waits", bob));
        office.clock.advance(Duration.ofDays(31));
        office.deadNode().sender().deleteOld();
        assertThat(office.list()).extracting(ArchivedEmail::to).containsExactly(bob);
    }

    private List<String> bodies(String to) {
        return office.database.with(
                handle -> handle.createQuery("SELECT body_text, body_html FROM mail WHERE recipient = ?")
                        .bind(0, to)
                        .map((row, _) -> Arrays.asList(row.getString(1), row.getString(2)))
                        .one());
    }

    private byte[] encrypted(String to) {
        return office.database.with(handle -> handle.createQuery("SELECT body_encrypted FROM mail WHERE recipient = ?")
                .bind(0, to)
                .map((row, _) -> java.util.Optional.ofNullable(row.getBytes(1)))
                .one()
                .orElse(null));
    }

    private List<MimeMessage> receivedBy(String address) {
        return Arrays.asList(
                eventually(() -> server.getReceivedMessagesForDomain(address), messages -> messages.length > 0));
    }

    private static String subject(MimeMessage message) {
        try {
            return message.getSubject();
        } catch (jakarta.mail.MessagingException e) {
            throw new IllegalStateException(e);
        }
    }
}
