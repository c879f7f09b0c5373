package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.event.SseClient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes of the built service together: live events, mails, and a rolling restart. */
@Tag("chaos")
@Tag("all")
class AcrossNodesTest {
    private static final Duration BAR = Duration.ofSeconds(1);

    private ChaosNode here;
    private ChaosNode there;
    private ChaosTenant tenant;

    @Test
    void nodesWorkTogetherAndNoRequestFailsWhileTheyRestart() throws Exception {
        try (RecordingSmtpServer letters = new RecordingSmtpServer();
                Cluster cluster = Cluster.start(ChaosOptions.shortForm(1), letters.settings())) {
            here = cluster.nodes().get(0);
            there = cluster.nodes().get(1);
            tenant = ChaosTenant.create(new ChaosClient(List.of(here), new Random(1), Map.of()));
            whatIsWrittenThereArrivesHereWithinASecond();
            eachTicketIsOneLetterWithALinkToIt(letters);
            whatOneNodeAcknowledgedIsReadThroughTheOther(here, there);
            whatOneNodeAcknowledgedIsReadThroughTheOther(there, here);
            whatBothNodesStoreAtOnceIsAnsweredInTheOrderOfTheList();
            new RollingRestart(cluster.nodes(), tenant).run();
            whoIsSentAwayResumesElsewhere();
            cluster.stopAndForget();
        }
    }

    private void whatIsWrittenThereArrivesHereWithinASecond() throws Exception {
        send(there, conversation()); // The first message loads classes and is not measured.
        for (int i = 0; i < 5; i++) {
            String conversation = conversation();
            try (SseClient stream = follow(here, conversation)) {
                String id = send(there, conversation);
                long sent = System.nanoTime();
                stream.await(all -> all.stream()
                        .anyMatch(one -> one.type().equals("message.created")
                                && one.data().contains(id)));
                assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(BAR);
            }
        }
    }

    private void eachTicketIsOneLetterWithALinkToIt(RecordingSmtpServer letters) throws Exception {
        String first = tenant.ticket(here);
        RecordingSmtpServer.Letter letter = letters.awaitFirst();
        assertThat(letter.to()).isEqualTo(Cluster.EMAIL);
        assertThat(letter.subject()).startsWith("[Ticket #1] ").contains("approve");
        assertThat(letter.text()).contains("Do approve.", "Agent: Chaos", first);
        assertThat(letter.html()).contains("Do approve.", "<html", first);
        String link = here.at("/organizations/" + tenant.organization() + "/tickets/" + first)
                .toString()
                .replace("127.0.0.1", "localhost");
        String account = URI.create(link).resolve("/account").toString();
        assertThat(letter.linksOfText()).containsExactly(link, account);
        assertThat(letter.linksOfHtml()).containsExactly(link, account);
        String path = URI.create(link).getPath();
        ChaosClient.Answer page =
                tenant.dashboard().at(here).once("GET", path, null).orElseThrow();
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains("<div id=\"root\">");
        ChaosClient.Answer ticket = tenant.dashboard()
                .at(there)
                .once("GET", "/dashboard/api" + path, null)
                .orElseThrow();
        assertThat(ticket.json().at("/id").asText()).isEqualTo(first);

        String second = tenant.ticket(there);
        letters.awaitAbout(second);
        assertThat(letters.about(first)).isEqualTo(1);
        assertThat(letters.about(second)).isEqualTo(1);
    }

    private void whatOneNodeAcknowledgedIsReadThroughTheOther(ChaosNode owner, ChaosNode other) throws Exception {
        for (String end : List.of("cancel", "terminate")) {
            String id = ask(
                            owner,
                            "POST",
                            "/workflows/" + tenant.workflows().get("one") + "/trigger/sync?wait_seconds=0",
                            Map.of("human_msg", "offline:wait 60000"))
                    .get("workflow_instance_id")
                    .asText();
            String path = "/workflow_instances/" + id;
            Map<String, String> actions = new LinkedHashMap<>();
            actions.put("pause", "PAUSED");
            actions.put("resume", "RUNNING");
            actions.put(end, end.equals("cancel") ? "CANCELLED" : "TERMINATED");
            for (Map.Entry<String, String> action : actions.entrySet()) {
                JsonNode done = ask(other, "POST", path + "/" + action.getKey(), Map.of());
                assertThat(done.get("status").asText()).isEqualTo(action.getValue());
                for (ChaosNode node : List.of(owner, other)) {
                    assertThat(ask(node, "GET", path + "/status", null)
                                    .get("status")
                                    .asText())
                            .isEqualTo(action.getValue());
                    assertThat(ask(node, "GET", "/workflow_instances", null)
                                    .at("/items/0/status")
                                    .asText())
                            .isEqualTo(action.getValue());
                    JsonNode logs = ask(node, "GET", path + "/logs", null).get("items");
                    assertThat(logs.get(logs.size() - 1)
                                    .at("/status_changes/0/to")
                                    .asText())
                            .isEqualTo(action.getValue());
                }
            }
        }
    }

    private void whatBothNodesStoreAtOnceIsAnsweredInTheOrderOfTheList() throws Exception {
        Map<String, List<Future<String>>> sent = new LinkedHashMap<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 40; round++) {
                String conversation = conversation();
                sent.put(
                        conversation,
                        threads.invokeAll(List.of(
                                () -> send(here, conversation, "Question 1."),
                                () -> send(there, conversation, "Question 2."),
                                () -> send(here, conversation, "Question 3."),
                                () -> send(there, conversation, "Question 4."))));
            }
        }
        for (String conversation : sent.keySet()) {
            List<JsonNode> all = answered(conversation, sent.get(conversation).size());
            assertThat(contents(all, "AGENT_RESPONSE").stream()
                            .map(answer -> answer.replaceFirst("(?s).*?(Question \\d\\.).*", "$1")))
                    .as(conversation)
                    .isEqualTo(contents(all, "USER_INPUT"));
        }
    }

    /** All messages after they were answered, oldest first. */
    private List<JsonNode> answered(String conversation, int messages) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            JsonNode found = ask(there, "GET", "/conversations/" + conversation + "/messages", null);
            List<JsonNode> all =
                    StreamSupport.stream(found.spliterator(), false).toList().reversed();
            if (contents(all, "AGENT_RESPONSE").size() == messages) {
                return all;
            }
            assertThat(System.nanoTime()).as("answered in time: " + found).isLessThan(end);
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    private static List<String> contents(List<JsonNode> messages, String type) {
        return messages.stream()
                .filter(message -> message.get("type").asText().equals(type))
                .map(message -> message.get("content").asText())
                .toList();
    }

    private JsonNode ask(ChaosNode node, String method, String path, @Nullable Object body)
            throws InterruptedException {
        ChaosClient.Answer answer = tenant.api()
                .at(node)
                .once(method, "/developer/api" + path, body)
                .orElseThrow();
        assertThat(answer.isOk()).as(answer.body()).isTrue();
        return answer.json();
    }

    private void whoIsSentAwayResumesElsewhere() throws Exception {
        String conversation = conversation();
        List<SseClient.Received> all = new ArrayList<>();
        try (SseClient stream = follow(here, conversation)) {
            send(there, conversation);
            stream.await(found -> !found.isEmpty());
            here.shutDown();
            stream.awaitEnd();
            assertThat(stream.endedWell()).as("in good order").isTrue();
            all.addAll(stream.received());
        }
        String last = send(there, conversation);
        try (SseClient stream =
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

    private static int sequence(SseClient.Received event) {
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

    private String send(ChaosNode node, String conversation) throws InterruptedException {
        return send(node, conversation, "Hello");
    }

    private String send(ChaosNode node, String conversation, String text) throws InterruptedException {
        return tenant.api()
                .at(node)
                .once(
                        "POST",
                        "/developer/api/messages",
                        Map.of("conversation_id", conversation, "content_type", "text", "content", text))
                .orElseThrow()
                .json()
                .get("id")
                .asText();
    }

    private SseClient follow(ChaosNode node, String conversation, String... more) {
        List<String> headers =
                new ArrayList<>(List.of("Authorization", tenant.api().header("Authorization")));
        headers.addAll(List.of(more));
        SseClient stream = SseClient.open(
                node.at("/"),
                "/developer/api/conversations/" + conversation + "/events",
                headers.toArray(String[]::new));
        assertThat(stream.status()).isEqualTo(200);
        return stream;
    }
}
