package dev.parley.egress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.egress.EgressException.EgressFailureKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EgressClientTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress PUBLIC = InetAddress.ofLiteral("93.184.216.34");

    private final EgressClient client = new EgressClient(new EgressRules(EgressAllow.parse("127.0.0.0/8")));

    @AfterEach
    void close() {
        client.close();
    }

    private static EgressFailureKind kindOf(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        EgressException failed = catchThrowableOfType(EgressException.class, call);
        assertThat(failed).as("an EgressException").isNotNull();
        assertThat(failed.detail()).endsWith(".").doesNotContain("Exception");
        return failed.kind();
    }

    @Test
    void aResponseOfAnyStatusIsReturned() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                ScriptedServer.answering(503, "text/plain", "später", "Retry-After: 7", "X-Two: a", "X-Two: b"))) {
            EgressResponse answer = client.execute(
                    EgressRequest.postJson(server.url("/hook?a=b%20c"), "{}").withHeader("X-One", "1"));
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).isEqualTo("später");
            assertThat(answer.header("Retry-After")).hasValue("7");
            assertThat(answer.head().headers()).containsEntry("x-two", List.of("a", "b"));
            ScriptedServer.Received request = server.received().getFirst();
            assertThat(request.line()).isEqualTo("POST /hook?a=b%20c HTTP/1.1");
            assertThat(request.header("Host")).isEqualTo("127.0.0.1:" + server.port());
            assertThat(request.header("Content-Type")).isEqualTo("application/json");
            assertThat(request.header("X-One")).isEqualTo("1");
            assertThat(request.header("User-Agent")).isEqualTo("Parley");
            assertThat(request.header("Upgrade")).isEmpty();
            assertThat(request.header("Accept-Encoding")).isEmpty();
            assertThat(request.body()).isEqualTo("{}");
        }
    }

    @Test
    void aConnectionIsKeptForTheNextRequest() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.answering(200, "text/plain", "x"))) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.execute(EgressRequest.get(server.url("/"))).text())
                        .isEqualTo("x");
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aKeptConnectionThatTheServerClosedMeanwhileIsReplaced() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
            ScriptedServer.write(out, 200, "text/plain", "x");
            throw new IOException("close without a word");
        })) {
            client.execute(EgressRequest.get(server.url("/")));
            CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS))
                    .get();
            assertThat(client.execute(EgressRequest.get(server.url("/"))).text())
                    .isEqualTo("x");
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:%d/", "http://localhost:%d/"})
    void loopbackIsRefusedUnlessTheOperatorAllowsIt(String url) throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.answering(200, "text/plain", "x"));
                EgressClient strict = new EgressClient(new EgressRules(EgressAllow.none()))) {
            EgressRequest request = EgressRequest.get(String.format(url, server.port()));
            assertThat(kindOf(() -> strict.execute(request))).isEqualTo(EgressFailureKind.REFUSED_ADDRESS);
            assertThat(server.connections()).isZero();
        }
    }

    @Test
    void aNameWithOneForbiddenAddressIsRefusedBeforeAnyConnection() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.answering(200, "text/plain", "x"));
                EgressClient strict =
                        new EgressClient(new EgressRules(EgressAllow.none(), host -> List.of(PUBLIC, LOOPBACK)))) {
            EgressRequest request = EgressRequest.get("http://mixed.example:" + server.port() + "/");
            assertThat(kindOf(() -> strict.execute(request))).isEqualTo(EgressFailureKind.REFUSED_ADDRESS);
            assertThat(server.connections()).isZero();
        }
    }

    @Test
    void connectsToTheCheckedAddressDespiteDnsRebinding() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        EgressRules rebinding = new EgressRules(
                EgressAllow.parse("127.0.0.1"),
                host -> List.of(asked.getAndIncrement() == 0 ? LOOPBACK : InetAddress.ofLiteral("127.0.0.2")));
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.answering(200, "text/plain", "checked"));
                EgressClient guarded = new EgressClient(rebinding)) {
            EgressRequest request = EgressRequest.get("http://rebind.example:" + server.port() + "/");
            assertThat(guarded.execute(request).text()).isEqualTo("checked");
            assertThat(asked).hasValue(1);
            assertThat(server.received().getFirst().header("Host")).isEqualTo("rebind.example:" + server.port());
        }
        try (EgressClient guarded = new EgressClient(rebinding)) {
            assertThat(kindOf(() -> guarded.execute(EgressRequest.get("http://rebind.example/"))))
                    .isEqualTo(EgressFailureKind.REFUSED_ADDRESS);
        }
    }

    @Test
    void aNameThatDoesNotResolveIsATransientFault() throws Exception {
        try (EgressClient lost = new EgressClient(new EgressRules(EgressAllow.none(), host -> {
            throw new UnknownHostException(host);
        }))) {
            assertThatThrownBy(() -> lost.execute(EgressRequest.get("http://gone.example/")))
                    .isInstanceOfSatisfying(EgressException.class, e -> {
                        assertThat(e.kind()).isEqualTo(EgressFailureKind.UNRESOLVED);
                        assertThat(e.isTransient()).isTrue();
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void aRedirectIsReturnedAndNotFollowed(int status) throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                (request, out) -> ScriptedServer.write(out, status, "text/plain", "", "Location: /elsewhere"))) {
            assertThat(client.execute(EgressRequest.get(server.url("/"))).status())
                    .isEqualTo(status);
            assertThat(server.received()).hasSize(1);
        }
    }

    @Test
    void cookiesAreForgotten() throws Exception {
        try (ScriptedServer server =
                new ScriptedServer(ScriptedServer.answering(200, "text/plain", "x", "Set-Cookie: a=b; Path=/"))) {
            client.execute(EgressRequest.get(server.url("/")));
            client.execute(EgressRequest.get(server.url("/")));
            assertThat(server.received().getLast().header("Cookie")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"body", "headers", "nothing"})
    void aServerThatDripsIsCutAtTheDeadline(String what) throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
            try {
                drip(what, out);
            } catch (IOException cut) {
                gone.countDown();
                throw cut;
            }
        })) {
            EgressRequest request = EgressRequest.get(server.url("/")).withDeadline(Duration.ofMillis(400));
            long start = System.nanoTime();
            assertThat(kindOf(() -> client.execute(request))).isEqualTo(EgressFailureKind.TIMEOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1500));
            if (!what.equals("nothing")) {
                assertThat(gone.await(5, TimeUnit.SECONDS))
                        .as("the connection is closed")
                        .isTrue();
            }
        }
    }

    private static void drip(String what, java.io.OutputStream out) throws IOException, InterruptedException {
        out.write("HTTP/1.1 200 OK\r\n".getBytes(UTF_8));
        if (what.equals("body")) {
            out.write("Content-Length: 100000\r\n\r\n".getBytes(UTF_8));
        }
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < 200; i++) {
            if (!what.equals("nothing")) {
                out.write('x');
                out.flush();
            }
            if (never.await(50, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    @Test
    void anInterruptedCallerReturnsAtOnce() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
            asked.countDown();
            new CountDownLatch(1).await(20, TimeUnit.SECONDS);
        })) {
            CompletableFuture<Object> outcome = new CompletableFuture<>();
            Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    outcome.complete(client.execute(EgressRequest.get(server.url("/"))));
                } catch (Exception failed) {
                    outcome.complete(failed);
                }
            });
            assertThat(asked.await(5, TimeUnit.SECONDS)).isTrue();
            caller.interrupt();
            assertThat(outcome.get(2, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 2000000\r\n\r\n", "Connection: close\r\n\r\n"})
    void aResponseThatIsTooLargeIsTruncated(String headers) throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
            out.write(("HTTP/1.1 200 OK\r\n" + headers).getBytes(UTF_8));
            for (int i = 0; i < 2000; i++) {
                out.write(new byte[1000]);
            }
            throw new IOException("end");
        })) {
            assertThat(kindOf(() -> client.execute(EgressRequest.get(server.url("/")))))
                    .isEqualTo(EgressFailureKind.TOO_LARGE);
        }
    }

    @Test
    void endlessHeadersAreCut() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n".getBytes(UTF_8));
            for (int i = 0; i < 100_000; i++) {
                out.write(("X-" + i + ": y\r\n").getBytes(UTF_8));
            }
        })) {
            assertThat(kindOf(() -> client.execute(EgressRequest.get(server.url("/")))))
                    .isEqualTo(EgressFailureKind.TOO_LARGE);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Le",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhalf\r\n",
                "SSH-2.0-OpenSSH\r\n",
                "HTTP/1.1 abc OK\r\n\r\n"
            })
    void aConnectionThatIsDroppedOrTalksNonsenseIsATransientFault(String bytes) throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
            out.write(bytes.getBytes(UTF_8));
            out.flush();
            throw new IOException("cut");
        })) {
            assertThat(kindOf(() -> client.execute(EgressRequest.get(server.url("/")))))
                    .isEqualTo(EgressFailureKind.CONNECTION);
        }
    }

    @Test
    void aClosedPortIsATransientFault() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        assertThat(kindOf(() -> client.execute(EgressRequest.get("http://127.0.0.1:" + port + "/"))))
                .isEqualTo(EgressFailureKind.CONNECTION);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-A|a\\r\\nX-B: b",
                "X-A|a\\0b",
                "X A|b",
                "''|b",
                "Host|evil.example",
                "content-length|3",
                "Transfer-Encoding|chunked",
                "Connection|close"
            })
    void aHeaderThatCouldChangeTheMessageIsRefused(String name, String value) {
        EgressRequest request = EgressRequest.get("http://127.0.0.1:1/").withHeader(name, value.translateEscapes());
        assertThat(kindOf(() -> client.execute(request))).isEqualTo(EgressFailureKind.INVALID_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET /evil HTTP/1.1\r\n", "CONNECT", "G T"})
    void anInvalidMethodIsRejected(String method) {
        EgressRequest request = EgressRequest.get("http://127.0.0.1:1/").withMethod(method);
        assertThat(kindOf(() -> client.execute(request))).isEqualTo(EgressFailureKind.INVALID_REQUEST);
    }

    @Test
    void aReaderMayStopEarlyAndGetsItsOwnFailureBack() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nfirst".getBytes(UTF_8));
            new CountDownLatch(1).await(20, TimeUnit.SECONDS);
        })) {
            EgressRequest request = EgressRequest.get(server.url("/"));
            String start =
                    client.stream(request, (head, body) -> head.status() + new String(body.readNBytes(5), UTF_8));
            assertThat(start).isEqualTo("200first");
            assertThatThrownBy(() -> client.stream(request, (head, body) -> {
                        throw new IOException("disk full");
                    }))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("disk full");
        }
    }

    @Test
    void aHeadersValueIsNotPrinted() {
        assertThat(EgressRequest.get("http://a.example/")
                        .withHeader("Authorization", "Bearer secret")
                        .toString())
                .doesNotContain("secret");
    }

    @Test
    void manyRequestsAtOnceAllGetTheirAnswers() throws Exception {
        try (ScriptedServer server =
                new ScriptedServer((request, out) -> ScriptedServer.write(out, 200, "text/plain", request.body()))) {
            try (var threads = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
                var answers = java.util.stream.IntStream.range(0, 300)
                        .mapToObj(i ->
                                threads.submit(() -> client.execute(EgressRequest.postJson(server.url("/"), "n" + i))
                                        .text()))
                        .toList();
                for (int i = 0; i < answers.size(); i++) {
                    assertThat(answers.get(i).get(20, TimeUnit.SECONDS)).isEqualTo("n" + i);
                }
            }
        }
    }

    @Test
    void ipv6LiteralsWork() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.ofLiteral("::1"));
                ScriptedServer server = new ScriptedServer(socket, ScriptedServer.answering(200, "text/plain", "six"));
                EgressClient six = new EgressClient(new EgressRules(EgressAllow.parse("::1")))) {
            assertThat(six.execute(EgressRequest.get("http://[::1]:" + server.port() + "/"))
                            .text())
                    .isEqualTo("six");
            assertThat(server.received().getFirst().header("Host")).isEqualTo("[::1]:" + server.port());
        } catch (java.net.BindException noIpv6) {
            org.junit.jupiter.api.Assumptions.abort("This machine has no IPv6 loopback: " + Map.of("cause", noIpv6));
        }
    }

    @Test
    void aStreamMayLastLongerThanItsSilence() throws Exception {
        var pause = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer((request, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(UTF_8));
                    for (int i = 0; i < 10; i++) {
                        out.write("1\r\nx\r\n".getBytes(UTF_8));
                        out.flush();
                        pause.await(200, TimeUnit.MILLISECONDS);
                    }
                    if (request.line().contains("silent")) {
                        pause.await(20, TimeUnit.SECONDS);
                    }
                    out.write("0\r\n\r\n".getBytes(UTF_8));
                    out.flush();
                });
                EgressClient streams = EgressClient.forStreams(new EgressRules(EgressAllow.parse("127.0.0.1")))) {
            EgressRequest request = EgressRequest.get(server.url("/")).withMaxSilence(Duration.ofMillis(1500));
            assertThat(streams.execute(request).text()).isEqualTo("x".repeat(10));
            EgressRequest silent = EgressRequest.get(server.url("/silent")).withMaxSilence(Duration.ofMillis(1500));
            assertThat(kindOf(() -> streams.execute(silent))).isEqualTo(EgressFailureKind.TIMEOUT);
            assertThat(kindOf(() -> streams.execute(request.withDeadline(Duration.ofMillis(500)))))
                    .isEqualTo(EgressFailureKind.TIMEOUT);
        }
    }

    @Test
    void eventsHaveASizeLimit() throws Exception {
        String stream = ": x\n\nid: 1\rdata: one\rdata\r\rretry: 5\r\ndata:two\r\n\r\nid: 2\ndata: cut";
        var events = new ServerSentEvents(new java.io.ByteArrayInputStream(stream.getBytes(UTF_8)), 20);
        List<String> read = new java.util.ArrayList<>();
        for (var event = events.next(); event.isPresent(); event = events.next()) {
            read.add(event.get().toString().replace("\n", "/"));
        }
        assertThat(read)
                .containsExactly(
                        "ServerSentEvent[data=, id=null, retryMillis=null]",
                        "ServerSentEvent[data=one//, id=1, retryMillis=null]",
                        "ServerSentEvent[data=two/, id=null, retryMillis=5]",
                        "ServerSentEvent[data=cut/, id=null, retryMillis=null]");
        for (String much : List.of("data: " + "x".repeat(20), "data: x\n".repeat(10))) {
            var limited = new ServerSentEvents(new java.io.ByteArrayInputStream(much.getBytes(UTF_8)), 20);
            assertThat(kindOf(limited::next)).isEqualTo(EgressFailureKind.TOO_LARGE);
        }
    }
}
