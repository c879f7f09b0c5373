package dev.parley.mail;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.TestPostgres;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.mail.archive.ArchivedEmail;
import dev.parley.mail.archive.MailArchive;
import dev.parley.node.NodeLease;
import dev.parley.node.TestNodes;
import dev.parley.settings.Settings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A separate database with the outbox, any number of nodes, and a controllable clock. */
public final class MailTestBed implements AutoCloseable {
    /** GreenMail's default of 2 s can be too short while all tests run. */
    private static final long STARTUP_TIMEOUT_MILLIS = 60_000;

    final Database database = TestPostgres.migrated();
    final Watch clock = new Watch();
    final OrganizationId organization = OrganizationId.next();
    private final MasterKey masterKey;
    private final List<Node> nodes = new ArrayList<>();

    MailTestBed() {
        var values = new EnumMap<>(
                Map.of(dev.parley.settings.Setting.PARLEY_SECRET, "a secret of the tests, which is long enough"));
        masterKey = new MasterKey(Settings.of(values).storage(), database);
        database.change(handle -> handle.execute(
                "INSERT INTO organization (id, name, created_at) VALUES (?, 'Test', now())", organization.value()));
    }

    /** A clock that a test advances. */
    static final class Watch extends Clock {
        private volatile Duration ahead = Duration.ZERO;

        void advance(Duration by) {
            ahead = ahead.plus(by);
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(ahead);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    static Settings.Smtp smtp(int port, Duration timeout) {
        return new Settings.Smtp(
                "127.0.0.1", port, Settings.SmtpMode.PLAIN, "", "", "Parley <parley@acme.example>", timeout);
    }

    static Settings.Smtp smtp(int port) {
        return smtp(port, Duration.ofSeconds(2));
    }

    public static GreenMail server(int port) {
        var setup = new ServerSetup(port, "127.0.0.1", ServerSetup.PROTOCOL_SMTP);
        setup.setServerStartupTimeout(STARTUP_TIMEOUT_MILLIS);
        var server = new GreenMail(setup);
        server.start();
        return server;
    }

    /** A node with its outbox. */
    record Node(NodeLease lease, MailSender sender, MailOutbox outbox) {}

    /** An outbox of a node that has lost its lease, so that its mails have no owner. */
    MailOutbox outbox(boolean sends) {
        return stopped(
                        new NodeLease(database, Duration.ofMinutes(1)),
                        Optional.of(smtp(1)).filter(_ -> sends))
                .outbox();
    }

    /** A node that owns mails and does nothing. */
    Node deadNode() {
        return stopped(TestNodes.start(database), Optional.of(smtp(1)));
    }

    private Node stopped(NodeLease lease, Optional<Settings.Smtp> smtp) {
        Node node = newNode(lease, smtp);
        node.sender.stop();
        return node;
    }

    Node start(Optional<Settings.Smtp> smtp) {
        Node node = newNode(TestNodes.start(database), smtp);
        node.sender.start();
        return node;
    }

    private Node newNode(NodeLease lease, Optional<Settings.Smtp> smtp) {
        var settings = new Settings.Mail(smtp, List.of("open.example"));
        var sender = new MailSender(lease, database, clock, masterKey, settings, Duration.ofMillis(50));
        Node node = new Node(lease, sender, new MailOutbox(database, clock, masterKey, lease, sender));
        nodes.add(node);
        return node;
    }

    /** Starts a sending node and returns its outbox. */
    MailOutbox node(Settings.Smtp smtp) {
        return start(Optional.of(smtp)).outbox();
    }

    void takeOver(Node expired, Node by) {
        TestNodes.takeOver(database, expired.lease, by.lease);
    }

    /** An outbox without an SMTP server, for tests of other features. */
    public static MailOutbox holding(NodeLease node, Database database, Clock clock, MasterKey masterKey) {
        Settings.Mail settings = Settings.of(Map.of()).mail();
        var sender = new MailSender(node, database, clock, masterKey, settings);
        return new MailOutbox(database, clock, masterKey, node, sender);
    }

    /** Adds mails in a separate transaction. */
    void add(MailOutbox outbox, Email... mails) {
        database.change(_ -> outbox.add(organization, Arrays.asList(mails)));
    }

    static Email mail(String change, String to) {
        return new Email(
                change,
                Email.EmailKind.TICKET,
                to,
                "About " + change,
                "The text of " + change,
                "<p>" + change + "</p>");
    }

    static String someone() {
        return UserId.next().text() + "@acme.example";
    }

    List<ArchivedEmail> list() {
        return new MailArchive(database).list(organization, MailArchive.MailFilter.ALL, Optional.empty(), 1000);
    }

    /** Advances the clock to the next due mail, unless one is due now or being sent. */
    void skipPause() {
        Instant now = clock.instant();
        List<Instant> due = list().stream()
                .filter(mail -> !mail.state().isFinal())
                .map(mail -> mail.nextAttemptAt() == null ? now : mail.nextAttemptAt())
                .sorted()
                .toList();
        if (!due.isEmpty() && due.getFirst().isAfter(now)) {
            clock.advance(Duration.between(now, due.getFirst()));
        }
    }

    ArchivedEmail to(String recipient) {
        return list().stream()
                .filter(mail -> mail.to().equals(recipient))
                .findFirst()
                .orElseThrow();
    }

    /** Stops the nodes of a test, which would send the next test's mails, and clears the outbox. */
    void clear() {
        nodes.forEach(node -> node.sender.stop());
        nodes.forEach(node -> node.lease.close());
        nodes.clear();
        database.change(handle -> handle.execute("DELETE FROM mail WHERE organization_id = ?", organization.value()));
        clock.ahead = Duration.ZERO;
    }

    @Override
    public void close() {
        clear();
        database.close();
    }
}
