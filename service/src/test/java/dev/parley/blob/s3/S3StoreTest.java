package dev.parley.blob.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.TestClock;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.blob.BlobStoreContract;
import dev.parley.blob.SignedUpload;
import dev.parley.blob.UploadGrant;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class S3StoreTest extends BlobStoreContract {
    private static final TestClock CLOCK = new TestClock();
    private static TestS3 server;
    private static S3Store store;

    @BeforeAll
    static void start() throws Exception {
        server = TestS3.start();
        store = new S3Store(server.settings(), server.bucket(), CLOCK);
    }

    @AfterAll
    static void stop() throws Exception {
        store.close();
        server.close();
    }

    @Override
    protected BlobStore store() {
        return store;
    }

    @Override
    protected TestClock clock() {
        return CLOCK;
    }

    @Override
    protected String base() {
        return "http://unused.example";
    }

    @Override
    protected SignedUpload expired(BlobKey key) {
        SignedUpload upload = store.sign(
                new UploadGrant(key, "text/csv", null, 1_000_000, Instant.now().plusMillis(1_500)), base());
        Instant expiry = Instant.now().plus(Duration.ofMillis(2_100));
        while (Instant.now().isBefore(expiry)) {
            java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
        }
        return upload;
    }

    @Test
    void pagesLearnWhereTheirUploadsGo() {
        var endpoint = Optional.of(URI.create("https://files.example:9000"));
        assertThat(origin(new Settings.S3(endpoint, "us-east-1", true, Optional.of("a"), "b")))
                .isEqualTo("https://files.example:9000");
        assertThat(origin(new Settings.S3(endpoint, "us-east-1", false, Optional.of("a"), "b")))
                .isEqualTo("https://papers.files.example:9000");
        assertThat(origin(new Settings.S3(Optional.empty(), "eu-central-1", false, Optional.of("a"), "b")))
                .isEqualTo("https://papers.s3.eu-central-1.amazonaws.com");
    }

    /** As reported by the store, and as contained in the signed URLs. */
    private static String origin(Settings.S3 settings) {
        try (var any = new S3Store(settings, "papers", CLOCK)) {
            String origin = any.uploadOrigin().orElseThrow();
            SignedUpload upload = any.sign(
                    new UploadGrant(
                            key("x.csv"),
                            "text/csv",
                            null,
                            1_000_000,
                            CLOCK.instant().plusSeconds(60)),
                    "http://unused.example");
            assertThat(upload.url()).startsWith(origin + "/");
            return origin;
        }
    }

    @Test
    void aFileIsWrittenEvenIfTheResponseIsLost() throws IOException {
        Path file = Files.writeString(Files.createTempFile("lost", ".csv"), "a,b\n");
        try (var relay = new ResponseDroppingProxy(
                        server.settings().endpoint().orElseThrow().getPort());
                var losing = new S3Store(TestS3.settings(relay.port()), server.bucket(), CLOCK)) {
            assertThat(losing.put(key("lost.csv"), "text/csv", file)).isTrue();
            assertThat(relay.isLost()).isTrue();
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void anUnreachableStoreIsUnavailable() {
        var settings = new Settings.S3(
                Optional.of(URI.create("http://127.0.0.1:1")), "us-east-1", true, Optional.of("a"), "b");
        try (var away = new S3Store(settings, "papers", CLOCK)) {
            assertThatThrownBy(() -> away.info(key("x.csv")))
                    .asInstanceOf(InstanceOfAssertFactories.type(ApiProblem.class))
                    .extracting(ApiProblem::kind)
                    .isEqualTo(ProblemKind.UNAVAILABLE);
        }
    }
}
