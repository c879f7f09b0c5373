package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.event.Stream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What two processes of the built service bring about together: live events, and letters. */
@Tag("chaos")
class AcrossNodesTest {
    private static final Duration BAR = Duration.ofSeconds(1);

    private Node here;
    private Node there;
    private Tenant tenant;

    @Test
    void whatOneNodeDoesReachesReadersOfTheOtherAndAnSmtpServer() throws Exception {
        try (Letters letters = new Letters();
                Cluster cluster = Cluster.start(Options.shortForm(1), letters.settings())) {
            here = cluster.nodes().get(0);
            there = cluster.nodes().get(1);
            tenant = Tenant.create(new Client(List.of(here), new Random(1), Map.of()));
            whatIsWrittenThereArrivesHereWithinASecond();
            eachTicketIsOneLetterWithALinkToIt(letters);
            whoIsSentAwayResumesElsewhere();
            cluster.stopAndForget();
        }
    }

    private void whatIsWrittenThereArrivesHereWithinASecond() throws Exception {
        send(there, conversation()); // The first message loads classes; it is not what is measured.
        for (int i = 0; i < 5; i++) {
            String conversation = conversation();
            try (Stream stream = follow(here, conversation)) {
                String id = send(there, conversation);
                long sent = System.nanoTime();
                stream.await(all -> all.stream()
                        .anyMatch(one -> one.type().equals("message.created")
                                && one.data().contains(id)));
                assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(BAR);
            }
        }
    }

    private void eachTicketIsOneLetterWithALinkToIt(Letters letters) throws Exception {
        String first = tenant.ticket(here);
        Letters.Letter letter = letters.awaitFirst();
        assertThat(letter.to()).isEqualTo(Cluster.EMAIL);
        assertThat(letter.subject()).startsWith("[Ticket #1] ").contains("approve");
        assertThat(letter.text()).contains("Do approve.", "Workflow: Chaos", first);
        assertThat(letter.html()).contains("Do approve.", "<html", first);
        String link = here.at("/organizations/" + tenant.organization() + "/tickets/" + first)
                .toString()
                .replace("127.0.0.1", "localhost");
        assertThat(letter.linksOfText()).containsExactly(link);
        assertThat(letter.linksOfHtml()).containsExactly(link);
        String path = java.net.URI.create(link).getPath();
        Client.Answer page = tenant.dashboard().at(here).once("GET", path, null).orElseThrow();
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains("<div id=\"root\">");
        Client.Answer ticket = tenant.dashboard()
                .at(there)
                .once("GET", "/dashboard/api" + path, null)
                .orElseThrow();
        assertThat(ticket.json().at("/id").asText()).isEqualTo(first);

        String second = tenant.ticket(there);
        letters.awaitAbout(second);
        assertThat(letters.about(first)).isEqualTo(1);
        assertThat(letters.about(second)).isEqualTo(1);
    }

    private void whoIsSentAwayResumesElsewhere() throws Exception {
        String conversation = conversation();
        List<Stream.Received> all = new ArrayList<>();
        try (Stream stream = follow(here, conversation)) {
            send(there, conversation);
            stream.await(found -> !found.isEmpty());
            here.shutDown();
            stream.awaitEnd();
            assertThat(stream.endedWell()).as("in good order").isTrue();
            all.addAll(stream.received());
        }
        String last = send(there, conversation);
        try (Stream stream =
                follow(there, conversation, "Last-Event-ID", all.getLast().id())) {
            all.addAll(stream.await(
                    found -> found.stream().anyMatch(one -> one.data().contains(last))));
        }
        List<Integer> sequences = all.stream().map(AcrossNodesTest::sequence).toList();
        assertThat(new HashSet<>(sequences)).hasSameSizeAs(sequences);
        for (int i = 0; i < sequences.size(); i++) {
            assertThat(sequences.get(i)).isEqualTo(i + 1);
        }
    }

    private static int sequence(Stream.Received event) {
        return Integer.parseInt(event.data().replaceFirst("(?s).*\"sequence\":(\\d+).*", "$1"));
    }

    private String conversation() throws InterruptedException {
        return tenant.api()
                .at(there)
                .once("POST", "/developer/api/conversations", Map.of())
                .orElseThrow()
                .json()
                .get("id")
                .asText();
    }

    private String send(Node node, String conversation) throws InterruptedException {
        return tenant.api()
                .at(node)
                .once(
                        "POST",
                        "/developer/api/messages",
                        Map.of("conversation_id", conversation, "content_type", "text", "content", "Hello"))
                .orElseThrow()
                .json()
                .get("id")
                .asText();
    }

    private Stream follow(Node node, String conversation, String... more) {
        List<String> headers =
                new ArrayList<>(List.of("Authorization", tenant.api().header("Authorization")));
        headers.addAll(List.of(more));
        Stream stream = Stream.open(
                node.at("/"),
                "/developer/api/conversations/" + conversation + "/events",
                headers.toArray(String[]::new));
        assertThat(stream.status()).isEqualTo(200);
        return stream;
    }
}
