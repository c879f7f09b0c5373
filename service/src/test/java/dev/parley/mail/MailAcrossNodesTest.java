package dev.parley.mail;

import static dev.parley.Tenant.eventually;
import static dev.parley.mail.MailTestBed.mail;
import static dev.parley.mail.MailTestBed.smtp;
import static dev.parley.mail.MailTestBed.someone;
import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import dev.parley.FreePort;
import dev.parley.id.NodeId;
import jakarta.mail.internet.MimeMessage;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Mails of several nodes, some of which die or are suspended. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MailAcrossNodesTest {
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
    void manyNodesSendEachMailOnce() throws Exception {
        List<MailOutbox> nodes =
                IntStream.range(0, 4).mapToObj(_ -> office.node(smtp(port))).toList();
        List<String> people = IntStream.range(0, 150).mapToObj(_ -> someone()).toList();
        var start = new CountDownLatch(1);
        List<Thread> writers = nodes.stream()
                .map(node -> Thread.ofVirtual().start(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    people.forEach(one -> office.add(node, mail("crowd", one)));
                }))
                .toList();
        start.countDown();
        for (Thread writer : writers) {
            writer.join();
        }
        eventually(office::list, all -> all.stream().allMatch(mail -> mail.state() == MailState.SENT));
        assertThat(Arrays.stream(server.getReceivedMessages())
                        .filter(mail -> subject(mail).equals("About crowd")))
                .hasSize(150);
    }

    @Test
    void aMailWhoseNodeDiedIsSentByAnotherUnlessTheServerMayHaveIt() {
        MailTestBed.Node dead = office.deadNode();
        String ada = someone();
        String bob = someone();
        String eve = someone();
        office.add(dead.outbox(), mail("died before", ada), mail("died after", bob), mail("not begun", eve));
        MailTestBed.Node alive = office.start(Optional.of(smtp(port)));
        MailStore store = office.database.statements(MailStore.class);
        OutgoingMail begun = begin(dead, ada);
        OutgoingMail handedOver = begin(dead, bob);
        assertThat(store.handOver(handedOver.key(), handedOver.owner())).isTrue();
        assertThat(alive.sender().begin(begun.key(), alive.lease().id()))
                .as("a living node's mails are its own")
                .isEmpty();
        office.takeOver(dead, alive);
        eventually(() -> office.to(ada).state(), state -> state == MailState.SENT);
        eventually(() -> office.to(eve).state(), state -> state == MailState.SENT);
        eventually(() -> office.to(bob).state(), state -> state == MailState.UNCERTAIN);
        assertThat(server.getReceivedMessagesForDomain(bob)).isEmpty();
        assertThat(server.getReceivedMessagesForDomain(ada)).hasSize(1);
        assertThat(office.to(ada).attempts()).isEqualTo(2);
        assertThat(store.handOver(begun.key(), begun.owner())).isFalse();
        assertThat(store.handOver(handedOver.key(), handedOver.owner())).isFalse();
        Instant now = office.clock.instant();
        store.markSent(handedOver.key(), handedOver.owner(), now);
        store.retryAt(begun.key(), begun.owner(), "late", now);
        assertThat(office.to(bob).state()).isEqualTo(MailState.UNCERTAIN);
        assertThat(office.to(ada).state()).isEqualTo(MailState.SENT);
    }

    @Test
    void aNodeThatIsSuspendedBeforeTheEndOfAMailDoesNotSendIt() {
        try (var slow = new FaultySmtpServer()) {
            MailTestBed.Node suspended = office.start(Optional.of(smtp(slow.port())));
            NodeId before = suspended.lease().id();
            MailTestBed.Node other = office.start(Optional.of(smtp(port)));
            slow.answer("DATA", _ -> {
                office.takeOver(suspended, other);
                return "354 Go on";
            });
            String ada = someone();
            office.add(suspended.outbox(), mail("suspended", ada));
            eventually(() -> office.to(ada).state(), state -> state == MailState.SENT);
            eventually(() -> suspended.lease().id(), id -> !id.equals(before));
            suspended.sender().stop();
            assertThat(receivedBy(ada)).hasSize(1);
            assertThat(slow.delivered()).isEmpty();
        }
    }

    @Test
    void theLateResultOfASuspendedNodeIsIgnored() {
        try (var slow = new FaultySmtpServer()) {
            MailTestBed.Node suspended = office.start(Optional.of(smtp(slow.port())));
            MailTestBed.Node other = office.start(Optional.of(smtp(port)));
            String ada = someone();
            slow.answer(".", _ -> {
                office.takeOver(suspended, other);
                eventually(() -> office.to(ada).state(), state -> state == MailState.UNCERTAIN);
                return "250 OK";
            });
            office.add(suspended.outbox(), mail("suspended", ada));
            eventually(slow::delivered, mails -> mails.size() == 1);
            suspended.sender().stop();
            assertThat(office.to(ada).state()).isEqualTo(MailState.UNCERTAIN);
            assertThat(server.getReceivedMessagesForDomain(ada)).isEmpty();
        }
    }

    @Test
    void mailsOfANodeWithoutALeaseAreSentByAnother() {
        MailTestBed.Node fenced = office.start(Optional.of(smtp(FreePort.next())));
        office.takeOver(fenced, office.start(Optional.of(smtp(port))));
        String ada = someone();
        office.add(fenced.outbox(), mail("fenced", ada));
        eventually(() -> office.to(ada).state(), state -> state == MailState.SENT);
        assertThat(office.to(ada).attempts()).isEqualTo(1);
    }

    @Test
    void aNodeWithoutAServerLeavesTheMailsItAdoptsToOthers() {
        MailTestBed.Node dead = office.deadNode();
        String ada = someone();
        office.add(dead.outbox(), mail("left", ada));
        office.takeOver(dead, office.start(Optional.empty()));
        assertThat(office.to(ada).state()).isEqualTo(MailState.PENDING);
        office.node(smtp(port));
        assertThat(receivedBy(ada)).hasSize(1);
    }

    private OutgoingMail begin(MailTestBed.Node node, String recipient) {
        var key = new MailKey(office.organization, office.to(recipient).id());
        return node.sender().begin(key, node.lease().id()).orElseThrow();
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
