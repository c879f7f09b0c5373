package dev.parley.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.media.TestFiles;
import io.netty.util.internal.PlatformDependent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that pipeline requests and do not read cost little memory and do not affect others. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class SlowReadersTest {
    private static final int CLIENTS = 100;
    private static final int PIPELINED = 20;
    private static final Duration SOON = Duration.ofSeconds(5);

    @ParameterizedTest
    @ValueSource(strings = {"/openapi/dashboard.json", "/openapi/dashboard.yaml", "/metrics"})
    void whatNeedsNoKey(String path) throws IOException {
        assertOtherRequestsAreServed("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    @Test
    void aLongListOfMessages() throws IOException {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        for (int i = 0; i < 10; i++) {
            tenant.send(conversation, "x".repeat(200_000)).expect(200);
        }
        assertOtherRequestsAreServed("GET /developer/api/conversations/" + conversation
                + "/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + tenant.key() + "\r\n\r\n");
    }

    @Test
    void aDownload() throws IOException {
        Tenant tenant = Tenant.create();
        byte[] music = new byte[4 << 20];
        System.arraycopy(new byte[] {'I', 'D', '3'}, 0, music, 0, 3);
        String path = TestFiles.path(
                TestFiles.sent(tenant, "music.mp3", "audio/mpeg", music).text("/metadata/file/path"));
        assertOtherRequestsAreServed(
                "GET " + path + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + tenant.key() + "\r\n\r\n");
    }

    private static void assertOtherRequestsAreServed(String request) throws IOException {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        long before = directMemory();
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(send(request.repeat(PIPELINED)));
            }
            for (int i = 0; i < 20; i++) {
                long begin = System.nanoTime();
                new Api().get("/health/ready").send().expect(200);
                tenant.send(conversation, "Hello").expect(200);
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
            }
            // One response for each client alone would be 50 MB.
            assertThat(directMemory() - before).isLessThan(30 << 20);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static Socket send(String requests) throws IOException {
        URI service = URI.create(new Api().base());
        var socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(service.getHost(), service.getPort()));
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static long directMemory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .filter(pool -> pool.getName().equals("direct"))
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum()
                + PlatformDependent.usedDirectMemory();
    }
}
