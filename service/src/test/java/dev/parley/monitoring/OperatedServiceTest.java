package dev.parley.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.Tenant;
import dev.parley.TestClock;
import dev.parley.blob.BlobInfo;
import dev.parley.blob.StoreIdentity;
import dev.parley.blob.s3.S3Store;
import dev.parley.blob.s3.TestS3;
import dev.parley.settings.Settings;
import dev.parley.support.SupportBundle;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator sets: a port and a token for metrics, and a bucket. */
@QuarkusTest
@QuarkusTestResource(value = OperatedServiceResource.class, restrictToAnnotatedClass = true)
class OperatedServiceTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String AUTHORIZATION = "Bearer " + OperatedServiceResource.TOKEN;

    /** The server with the bucket; set by the resource. */
    AutoCloseable server;

    @ParameterizedTest
    @ValueSource(
            strings = {"/metrics", "/metrics/", "/metrics;a=b", "//metrics", "/%6detrics", "/metrics/jvm", "/./metrics"
            })
    void theServicesPortHasNoMetrics(String path) {
        new Api().get(path).header("Authorization", AUTHORIZATION).send().expect(404);
    }

    @Test
    void metricsRequireTheToken() throws Exception {
        assertThat(get("/metrics", AUTHORIZATION).statusCode()).isEqualTo(200);
        assertThat(get("/metrics", AUTHORIZATION).body()).contains("\nparley_tickets_open ");
        for (String wrong : new String[] {"", OperatedServiceResource.TOKEN, AUTHORIZATION + "x", "Basic eDp5"}) {
            HttpResponse<String> refused = get("/metrics", wrong);
            assertThat(refused.statusCode()).as(wrong).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertThat(refused.body()).doesNotContain("parley_");
        }
    }

    @Test
    void thePortHasHealthChecksAndNothingElse() throws Exception {
        for (String path : new String[] {"/health", "/health/live", "/health/ready"}) {
            assertThat(get(path, "").statusCode()).as(path).isEqualTo(200);
            new Api().get(path).send().expect(200);
        }
        for (String path : new String[] {"/", "/openapi.json", "/developer/api/usage", "/metrics/", "/health/other"}) {
            assertThat(get(path, AUTHORIZATION).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(raw("GET /health/../developer/api/usage HTTP/1.1")).startsWith("HTTP/1.1 404 ");
        assertThat(raw("DELETE /metrics HTTP/1.1")).startsWith("HTTP/1.1 405 ");
        assertThat(raw("GET /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3"))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void aServiceWithoutItsFileStoreIsNotReadyUntilItIsBack(@TempDir Path directory) throws Exception {
        Settings.Files files = Settings.load().files();
        int port = files.s3().endpoint().orElseThrow().getPort();
        try (var store = new S3Store(files.s3(), files.bucket().orElseThrow(), new TestClock())) {
            BlobInfo info = store.info(StoreIdentity.KEY).orElseThrow();
            Path id = directory.resolve("id");
            try (InputStream text = store.open(StoreIdentity.KEY, info, 0, info.size())) {
                Files.copy(text, id);
            }

            server.close();
            assertThat(notReadyWith("cannot be reached")).contains("\"name\": \"file store\"");

            // On another volume.
            try (TestS3 _ = TestS3.start(port)) {
                notReadyWith("cannot be found");
                assertThat(store.put(StoreIdentity.KEY, "text/plain", id)).isTrue();
                Tenant.eventually(() -> new Api().get("/health/ready").send(), answer -> answer.status() == 200);
            }
        }
    }

    @Test
    void supportBundlesHaveTheMetricsOfThatPort(@TempDir Path home) throws Exception {
        Path file = home.resolve("bundle.zip");
        List<String> lines = SupportBundle.write(file, "1.2.3", Settings.show(), () -> {
            Settings settings = Settings.load();
            return new SupportBundle.BundleSettings(
                    settings.database(), settings.storage(), settings.listener(), settings.monitoring());
        });
        assertThat(lines).noneMatch(line -> line.contains("metrics.txt"));
        try (var zip = new ZipFile(file.toFile())) {
            var metrics = zip.getInputStream(zip.getEntry("metrics.txt")).readAllBytes();
            assertThat(new String(metrics, StandardCharsets.UTF_8)).contains("parley_tickets_open");
        }
    }

    private static String notReadyWith(String cause) {
        String body = Tenant.eventually(
                        () -> new Api().get("/health/ready").send(),
                        answer -> answer.status() == 503 && answer.body().contains(cause))
                .body();
        new Api().get("/health/live").send().expect(200);
        return body;
    }

    private static int port() {
        return Settings.load().monitoring().port().orElseThrow();
    }

    private static HttpResponse<String> get(String path, String authorization) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String raw(String head) throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.getOutputStream()
                    .write((head + "\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
