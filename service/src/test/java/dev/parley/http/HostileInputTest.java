package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed bytes that no client library sends: each gets a 4xx, and the service continues. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class HostileInputTest {
    @ParameterizedTest
    @CsvSource({"TRACE,*", "PROPFIND,localhost:80", "GET,developer/api", "FOO,/nothing", "DELETE,/dashboard/api/me"})
    void invalidMethodsAndTargetsGetTheErrorBodyWithARequestId(String method, String target) throws IOException {
        String answer = send(method + " " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        assertThat(answer).matches("(?s)HTTP/1\\.1 4\\d\\d .*").contains("X-Request-Id: ", "{\"error\":\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /developer/api/conversations/%zz HTTP/1.1\r\nHost: a\r\n",
                "GET /dashboard/api/organizations/%c3%28%a HTTP/1.1\r\nHost: a\r\n",
                "GET /%zz HTTP/1.1\r\nHost: a\r\n",
                "GET / HTP\r\n",
                "GET /\r\n",
                "\u0016\u0003\u0001 client hello\r\n",
                "GET /developer/api/conversations HTTP/1.1\r\nHost: a\r\nJunk\r\n",
                "GET /developer/api/conversations HTTP/1.1\r\nHost: a\r\nA\u0000B: c\r\n",
                "GET /developer/api/conversations HTTP/1.1\r\nHost: a\r\nSp ace: c\r\n",
                "GET /developer/api/conversations HTTP/1.1\r\nHost: a\r\nHost: b\r\n",
                "GET /developer/api/conversations HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n",
                "GET /developer/api/conversations HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n",
                "POST /developer/api/messages HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n",
                "POST /developer/api/messages HTTP/1.1\r\nHost: a\r\nContent-Length: many\r\n",
                "POST /developer/api/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
                "POST /developer/api/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n",
                "POST /developer/api/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 2, 2\r\n",
                "POST /developer/api/messages HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n"
            })
    void malformedHttpIsA400WithTheErrorBody(String head) throws IOException {
        expectError(send(head + "Connection: close\r\n\r\n"), 400, "Invalid request");
    }

    @Test
    void anOverlongRequestLineOrHeaderIsReported() throws IOException {
        String end = " HTTP/1.1\r\nHost: a\r\n";
        expectError(send("GET /" + "a".repeat(20_000) + end + "\r\n"), 414, "URI too long");
        expectError(
                send("GET /developer/api/conversations" + end + "A: " + "a".repeat(40_000) + "\r\n\r\n"),
                431,
                "Request header fields too large");
    }

    @Test
    void aBrokenAddressInAHeadRequestIsAnsweredWithoutABody() throws IOException {
        assertThat(send("HEAD /%zz HTTP/1.1\r\nHost: a\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .endsWith("\r\n\r\n");
    }

    @Test
    void aCompressedBodyIsA415() throws IOException {
        Tenant tenant = Tenant.create();
        String answer = send("POST /developer/api/conversations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
                + tenant.key() + "\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
                + "Content-Length: 2\r\nConnection: close\r\n\r\n{}");

        assertThat(answer).startsWith("HTTP/1.1 415 ").contains("Unsupported media type");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
                "Transfer-Encoding: gzip, chunked\r\n",
                "Transfer-Encoding: identity\r\n",
                "Transfer-Encoding: identity\r\nContent-Length: 5\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n",
                "Transfer-Encoding:\u000bchunked\r\n",
                "Transfer-Encoding : chunked\r\nContent-Length: 5\r\n"
            })
    void aBodyOfAmbiguousLengthIsRefusedAndTheConnectionClosed(String length) throws IOException {
        String answers = send("POST /developer/api/messages HTTP/1.1\r\nHost: a\r\n" + length
                + "\r\n0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");

        expectError(answers, 400, "Invalid request");
    }

    @Test
    void aTransferCodingInHttp10IsRefused() throws IOException {
        expectError(
                send("POST /developer/api/messages HTTP/1.0\r\nTransfer-Encoding: chunked\r\n"
                        + "Content-Length: 4\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n"),
                400,
                "Invalid request");
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() throws IOException {
        Tenant tenant = Tenant.create();
        String head = "Host: a\r\nAuthorization: Bearer " + tenant.key() + "\r\n";
        var requests = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            requests.append("POST /developer/api/conversations HTTP/1.1\r\n" + head + "X-Request-Id: post-" + i
                    + "\r\nContent-Type: application/json\r\nContent-Length: 20000\r\n\r\n{}"
                    + " ".repeat(19_998));
            requests.append("GET /openapi.json HTTP/1.1\r\n" + head + "X-Request-Id: get-" + i + "\r\n\r\n");
        }
        requests.append("GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

        String answers = send(requests.toString());

        int at = 0;
        for (int i = 0; i < 40; i++) {
            int created = answers.indexOf("X-Request-Id: post-" + i + "\r\n", at);
            at = answers.indexOf("X-Request-Id: get-" + i + "\r\n", created);
            assertThat(created).isPositive();
            assertThat(at).isGreaterThan(created);
        }
        assertThat(answers.strip()).endsWith("}");
        assertThat(answers.split("\"openapi\" : \"3.1", -1)).hasSize(41);
    }

    @Test
    void aBrokenChunkIsA400() throws IOException {
        Tenant tenant = Tenant.create();
        expectError(
                send("POST /developer/api/conversations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + tenant.key()
                        + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"),
                400,
                "Invalid request");
    }

    @Test
    void malformedInputAfterAValidRequestIsAnsweredInOrder() throws IOException {
        String answers = send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\nGET / HTP\r\n\r\n");

        assertThat(answers).startsWith("HTTP/1.1 200 ");
        expectError(answers.substring(answers.indexOf("HTTP/1.1 400")), 400, "Invalid request");
    }

    @Test
    void anUpgradeToAnotherProtocolIsNotMade() throws IOException {
        String answer = send("GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\nGET / HTP\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ");
        assertThat(send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).contains(" 400 Bad Request", "Invalid request");
    }

    private static void expectError(String answer, int status, String title) {
        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        String head = answer.substring(0, answer.indexOf("\r\n\r\n")).toLowerCase(java.util.Locale.ROOT);
        String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
        assertThat(head)
                .contains("content-type: application/json", "x-request-id: ", "content-length: " + body.length());
        assertThat(body)
                .startsWith("{\"error\":\"" + title + "\",\"detail\":\"")
                .endsWith("}");
    }

    @Test
    void aConnectionStaysUsableAfterARefusedBody() throws IOException {
        Tenant tenant = Tenant.create();
        String head = " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + tenant.key() + "\r\n";
        String post = "POST /developer/api/conversations" + head + "Content-Type: application/json\r\nContent-Length: ";

        String answers = send(post + "1\r\n\r\n{" + post + "1500000\r\n\r\n" + " ".repeat(1_500_000)
                + "GET /developer/api/conversations" + head + "Connection: close\r\n\r\n");

        assertThat(answers).contains("HTTP/1.1 400 ", "HTTP/1.1 413 ", "HTTP/1.1 200 ");
    }

    @Test
    void aChunkedBodyOverTheLimitIsA413() throws IOException {
        Tenant tenant = Tenant.create();
        String chunk = "10000\r\n" + " ".repeat(65_536) + "\r\n";

        String answer =
                send("POST /developer/api/conversations HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization:"
                        + " Bearer " + tenant.key()
                        + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + chunk.repeat(32) + "0\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 413 ").contains("X-Request-Id: ", "Payload too large");
    }

    /** Sends the bytes and reads until the service closes the connection. */
    private static String send(String request) throws IOException {
        URI service = URI.create(new Api().base());
        try (Socket socket = new Socket(service.getHost(), service.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
