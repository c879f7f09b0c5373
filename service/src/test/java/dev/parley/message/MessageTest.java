package dev.parley.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class MessageTest {
    private Tenant tenant;

    @BeforeEach
    void aTenant() {
        tenant = Tenant.create();
    }

    @Test
    void aMessageIsStoredAnsweredAndRead() {
        String conversation = tenant.conversation();
        Api.Answer sent = tenant.post(
                        "/messages",
                        Map.of(
                                "conversation_id",
                                conversation,
                                "content_type",
                                "text",
                                "content",
                                "Hello",
                                "metadata",
                                Map.of("order", 7)))
                .expect(200);
        assertThat(sent.text("/status")).isEqualTo("RECEIVED");
        assertThat(sent.text("/type")).isEqualTo("USER_INPUT");
        assertThat(sent.text("/content_type")).isEqualTo("TEXT");
        assertThat(sent.text("/metadata/order")).isEqualTo("7");
        assertThat(sent.text("/created_by"))
                .isEqualTo("api_key:" + tenant.keyId().text());
        assertThat(sent.text("/created_at")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(sent.json().has("filename")).isFalse();
        assertThat(sent.header("RateLimit-Policy")).isEqualTo("\"messages\";q=1000000;w=60");
        assertThat(sent.header("RateLimit")).matches("\"messages\";r=\\d+;t=\\d+");

        JsonNode list = answered(conversation, 2);
        assertThat(list.get(0).get("type").asText()).isEqualTo("AGENT_RESPONSE");
        assertThat(list.get(0).get("status").asText()).isEqualTo("DELIVERED");
        assertThat(list.get(1).get("id").asText()).isEqualTo(sent.text("/id"));
        assertThat(list.get(1).get("status").asText()).isEqualTo("DELIVERED");
    }

    @Test
    void aMessageIsStoredWhileBackgroundWorkHasAllPooledConnections() throws Exception {
        String conversation = tenant.conversation();
        tenant.send(conversation, "The key and the conversation are cached now.")
                .expect(200);
        HikariDataSource pool = Tenant.bean(Database.class).dataSource().unwrap(HikariDataSource.class);
        List<Connection> taken = new ArrayList<>();
        try {
            for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                taken.add(pool.getConnection());
            }
            tenant.send(conversation, "Stored at once.").expect(200);
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }
        answered(conversation, 4);
    }

    @Test
    void messagesOfAConversationAreAnsweredInTheirOrder() {
        String conversation = tenant.conversation();
        for (int i = 0; i < 20; i++) {
            tenant.send(conversation, "number " + i + ".").expect(200);
        }
        JsonNode list = answered(conversation, 40);
        List<String> replies = StreamSupport.stream(list.spliterator(), false)
                .filter(message -> message.get("type").asText().equals("AGENT_RESPONSE"))
                .map(message -> message.get("content").asText())
                .toList()
                .reversed();
        for (int i = 0; i < 20; i++) {
            assertThat(replies.get(i)).contains("number " + i + ".");
        }
    }

    @Test
    void aHundredParallelIdenticalPostsMakeOneMessage() {
        String conversation = tenant.conversation();
        Map<String, String> body = Map.of("conversation_id", conversation, "content_type", "text", "content", "once");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Api.Answer> answers = IntStream.range(0, 100)
                    .mapToObj(_ -> CompletableFuture.supplyAsync(
                            () -> new Api()
                                    .post("/developer/api/messages")
                                    .key(tenant.key())
                                    .header("Idempotency-Key", "the-one")
                                    .json(body)
                                    .send(),
                            threads))
                    .toList() // All are sent before the first is awaited.
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
            Set<String> ids = new HashSet<>();
            answers.forEach(answer -> ids.add(answer.expect(200).text("/id")));
            assertThat(ids).hasSize(1);
            assertThat(answers.stream().filter(answer -> answer.headers()
                            .firstValue("Idempotent-Replayed")
                            .isPresent()))
                    .hasSize(99);
        }
        answered(conversation, 2);
        assertThat(new Api()
                        .post("/developer/api/messages")
                        .key(tenant.key())
                        .header("Idempotency-Key", "the-one")
                        .json(Map.of("conversation_id", conversation, "content_type", "text", "content", "twice"))
                        .send()
                        .expect(422)
                        .text("/error"))
                .isEqualTo("Idempotency key reused");
    }

    @Test
    void anIdempotencyKeyIsFreeAfterADay() {
        String conversation = tenant.conversation();
        String first = once(conversation, "one").expect(200).text("/id");
        assertThat(once(conversation, "one").expect(200).text("/id")).isEqualTo(first);
        once(conversation, "two").expect(422);
        Tenant.bean(Database.class)
                .change(handle -> handle.execute(
                        "UPDATE idempotency SET created_at = now() - interval '24 hours 1 second'"
                                + " WHERE organization_id = ?",
                        tenant.organization()));
        String second = once(conversation, "two").expect(200).text("/id");
        assertThat(second).isNotEqualTo(first);
        assertThat(once(conversation, "two").expect(200).text("/id")).isEqualTo(second);
        answered(conversation, 4);
    }

    private Api.Answer once(String conversation, String content) {
        return new Api()
                .post("/developer/api/messages")
                .key(tenant.key())
                .header("Idempotency-Key", "daily")
                .json(Map.of("conversation_id", conversation, "content_type", "text", "content", content))
                .send();
    }

    @Test
    void aPageOfLongMessagesEndsAtItsSizeAndLosesNone() {
        String conversation = tenant.conversation();
        for (int i = 0; i < 4; i++) {
            tenant.send(conversation, "x".repeat(20_000)).expect(200);
        }
        Tenant.eventually(
                () -> tenant.get("/conversations/" + conversation + "/messages").json(), found -> found.size() == 8);
        var reader = Tenant.bean(MessageReader.class);
        ConversationId id = ConversationId.parse(conversation).orElseThrow();
        List<MessageId> read = new ArrayList<>();
        Optional<MessageId> after = Optional.empty();
        do {
            Page<Message> page = reader.page(tenant.organization(), id, after.orElse(null), 500, 10_000);
            assertThat(page.items().stream()
                            .mapToInt(one -> one.content().length())
                            .sum())
                    .isLessThan(10_000 + 20_001);
            page.items().forEach(one -> read.add(one.id()));
            after = Optional.ofNullable(page.next()).flatMap(MessageId::parse);
        } while (after.isPresent());
        assertThat(read).hasSize(8).doesNotHaveDuplicates();
    }

    @Test
    void anInvalidIdempotencyKeyIsRejected() {
        String conversation = tenant.conversation();
        for (List<String> keys : List.of(List.of(""), List.of(" "), List.of("a b"), List.of("a", "b"))) {
            Api.Request request = new Api()
                    .post("/developer/api/messages")
                    .key(tenant.key())
                    .json(Map.of("conversation_id", conversation, "content_type", "text", "content", "x"));
            keys.forEach(key -> request.header("Idempotency-Key", key));
            Api.Answer answer = request.send().expect(400);
            assertThat(answer.text("/errors/0/detail")).startsWith("'Idempotency-Key'");
            assertThat(answer.text("/errors/0/path")).isEqualTo("/Idempotency-Key");
        }
    }

    @Test
    void theHundredAndFirstMessageOfAMinuteIsRefused() {
        Tenant limited = Tenant.create(100);
        String conversation = limited.conversation();
        limited.post("/messages", Map.of("conversation_id", conversation)).expect(400);
        for (int i = 0; i < 100; i++) {
            Api.Answer answer = limited.send(conversation, "m" + i).expect(200);
            assertThat(answer.header("RateLimit")).startsWith("\"messages\";r=" + (99 - i) + ";");
        }
        Api.Answer refused = limited.send(conversation, "one too many").expect(429);
        assertThat(refused.header("RateLimit")).startsWith("\"messages\";r=0;t=");
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 60);
        assertThat(refused.text("/error")).isEqualTo("Too many requests");
        assertThat(limited.post("/messages", "not json").status()).isEqualTo(429);
    }

    @Test
    void pagesFollowEachOtherToTheOldest() {
        String conversation = tenant.conversation();
        for (int i = 0; i < 5; i++) {
            tenant.send(conversation, "m" + i).expect(200);
        }
        JsonNode all = answered(conversation, 10);
        List<String> paged = new ArrayList<>();
        String path = "/conversations/" + conversation + "/messages?limit=3";
        while (path != null) {
            Api.Answer page = tenant.get(path).expect(200);
            page.json().forEach(message -> paged.add(message.get("id").asText()));
            path = page.headers()
                    .firstValue("Link")
                    .map(link -> link.substring(1, link.indexOf('>')).replace("/developer/api", ""))
                    .orElse(null);
        }
        List<String> whole = new ArrayList<>();
        all.forEach(message -> whole.add(message.get("id").asText()));
        assertThat(paged).isEqualTo(whole);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|/conversation_id",
                "{\"conversation_id\":\"zz\",\"content_type\":\"text\",\"content\":\"x\"}|/conversation_id",
                "{\"conversation_id\":5,\"content_type\":\"text\",\"content\":\"x\"}|/conversation_id",
                "{\"conversation_id\":\"$\",\"content\":\"x\"}|/content_type",
                "{\"conversation_id\":\"$\",\"content_type\":\"text\"}|/content",
                "{\"conversation_id\":\"$\",\"content_type\":\"text\",\"content\":\"\"}|/content",
                "{\"conversation_id\":\"$\",\"content_type\":\"text\",\"content\":3}|/content",
                "{\"conversation_id\":\"$\",\"content_type\":\"image/png\"}|/filename",
                "{\"conversation_id\":\"$\",\"content_type\":\"\",\"content\":\"x\"}|/content_type",
                "{\"conversation_id\":\"$\",\"content_type\":\"text/html\",\"content\":\"x\"}|/content_type",
                "{\"conversation_id\":\"$\",\"content_type\":\"a b\",\"filename\":\"x\"}|/content_type",
                "{\"conversation_id\":\"$\",\"content_type\":\"text\",\"content\":\"x\",\"metadata\":[]}|/metadata",
                "{\"conversation_id\":\"$\",\"content_type\":\"text\",\"content\":\"x\",\"metadata\":{\"ticket_id\":1}}|/metadata/ticket_id",
                "{\"conversation_id\":\"$\",\"content_type\":\"text\",\"content\":\"x\",\"contents\":\"y\"}|/contents",
                "{\"conversation_id\":\"$\",\"content_type\":\"text\",\"content\":\"a\\u0000b\"}|/content",
                "{\"conversation_id\":\"$\",\"content_type\":\"text\",\"content\":\"\\ud800\"}|/content",
            })
    void badInputGetsA400ThatNamesTheField(String body, String path) {
        String conversation = tenant.conversation();
        Api.Answer answer =
                tenant.post("/messages", body.replace("$", conversation)).expect(400);
        List<String> paths = new ArrayList<>();
        answer.json().get("errors").forEach(error -> paths.add(error.get("path").asText()));
        assertThat(paths).contains(path);
    }

    @Test
    void everyFieldOfTheWrongTypeIsReportedAtOnce() {
        Api.Answer answer = tenant.post(
                        "/messages",
                        "{\"metadata\":[],\"content_type\":1,\"text\":\"x\",\"content\":{},\"conversation_id\":2}")
                .expect(400);
        assertThat(answer.json().at("/errors").findValuesAsText("path"))
                .containsExactly("/content", "/content_type", "/conversation_id", "/metadata", "/text");
        assertThat(tenant.post("/messages", "{\"metadata\":{\"file\":1}}")
                        .expect(400)
                        .json()
                        .at("/errors")
                        .findValuesAsText("path"))
                .containsExactly("/content_type", "/conversation_id", "/metadata/file");
    }

    @Test
    void numbersThatAreSmallToSendAndLargeToHoldAreRefusedAndHarmless() {
        String conversation = tenant.conversation();
        String body = "{\"conversation_id\":\"%s\",\"content_type\":\"text\",\"content\":\"x\",\"metadata\":%s}";
        for (String number : List.of("1e99999999999", "1e-2147483649", "1e500", "-1E+2147483648")) {
            assertThat(tenant.post("/messages", body.formatted(conversation, "{\"a\":" + number + "}"))
                            .expect(400)
                            .text("/errors/0/path"))
                    .isEqualTo("/metadata/a");
        }
        String many = "{\"a\":[" + "1e399,".repeat(150_000) + "1]}";
        tenant.post("/messages", body.formatted(conversation, many)).expect(400);
        Api.Answer kept = tenant.post("/messages", body.formatted(conversation, "{\"a\":1e30}"))
                .expect(200);
        assertThat(kept.json().at("/metadata/a").decimalValue()).isEqualByComparingTo("1e30");
    }

    @Test
    void aPageOfLargeMessagesEndsEarlyAndNamesTheNext() {
        String conversation = tenant.conversation();
        for (int i = 0; i < 20; i++) {
            tenant.send(conversation, "offline:fail " + "x".repeat(250_000)).expect(200);
        }
        JsonNode all = answered(conversation, 40);
        assertThat(all.size()).isEqualTo(40);
        int read = 0;
        int pages = 0;
        String path = "/conversations/" + conversation + "/messages?limit=1000";
        while (path != null) {
            Api.Answer page = tenant.get(path).expect(200);
            read += page.json().size();
            pages++;
            path = page.headers()
                    .firstValue("Link")
                    .map(link -> link.substring(1, link.indexOf('>')).replace("/developer/api", ""))
                    .orElse(null);
        }
        assertThat(read).isEqualTo(40);
        assertThat(pages).isGreaterThan(1);
    }

    @Test
    void metadataMayHave4096BytesOfJsonAndNotOneMore() {
        String conversation = tenant.conversation();
        String body =
                "{\"conversation_id\":\"%s\",\"content_type\":\"text\",\"content\":\"x\",\"metadata\":{\"k\": \"%s\"}}";
        int room = 4096 - "{\"k\":\"\"}".length();
        tenant.post("/messages", body.formatted(conversation, "ä".repeat(room / 2)))
                .expect(200);
        tenant.post("/messages", body.formatted(conversation, "ä".repeat(room / 2 + 1)))
                .expect(400);
    }

    @Test
    void contentMayHave256KiBAndABodyOneMiB() {
        String conversation = tenant.conversation();
        tenant.send(conversation, "x".repeat(256 * 1024)).expect(200);
        tenant.send(conversation, "x".repeat(256 * 1024 + 1)).expect(400);
        tenant.send(conversation, "x".repeat(1024 * 1024)).expect(413);
        assertThat(new Api()
                        .post("/developer/api/messages")
                        .key(tenant.key())
                        .body("text/plain", "{}")
                        .send()
                        .status())
                .isEqualTo(415);
    }

    @Test
    void anotherOrganizationsMessageIsNotFound() {
        String conversation = tenant.conversation();
        Tenant other = Tenant.create();
        other.send(conversation, "hello").expect(404);
        other.get("/conversations/" + conversation).expect(404);
        other.get("/conversations/" + conversation + "/messages").expect(404);
        other.get("/conversations/nonsense/messages").expect(404);
        tenant.get("/conversations/" + conversation).expect(200);
    }

    @Test
    void aModelThatFailsReachesTheConversation() {
        String conversation = tenant.conversation();
        tenant.send(conversation, "offline:fail The cat sat on it.").expect(200);
        JsonNode list = answered(conversation, 2);
        assertThat(list.get(0).get("type").asText()).isEqualTo("SYSTEM");
        assertThat(list.get(1).get("status").asText()).isEqualTo("FAILED");
    }

    private JsonNode answered(String conversation, int messages) {
        return Tenant.eventually(
                () -> tenant.get("/conversations/" + conversation + "/messages")
                        .expect(200)
                        .json(),
                list -> list.size() == messages
                        && StreamSupport.stream(list.spliterator(), false)
                                .noneMatch(message -> Set.of("RECEIVED", "PROCESSING")
                                        .contains(message.get("status").asText())));
    }
}
