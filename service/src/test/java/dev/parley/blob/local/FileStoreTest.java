package dev.parley.blob.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.TestClock;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.blob.BlobStoreContract;
import dev.parley.blob.HeadBuffer;
import dev.parley.blob.SignedUpload;
import dev.parley.blob.UploadGrant;
import dev.parley.db.MasterKey;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.Settings;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** The embedded store, whose upload URLs are served by the service itself. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class FileStoreTest extends BlobStoreContract {
    @Inject
    BlobStore store;

    @Inject
    TestClock clock;

    @Inject
    MasterKey masterKey;

    @Override
    protected BlobStore store() {
        return store;
    }

    @Override
    protected TestClock clock() {
        return clock;
    }

    @Override
    protected String base() {
        return new Api().base().replaceAll("/$", "");
    }

    @Override
    protected SignedUpload expired(BlobKey key) {
        SignedUpload upload = sign(key, null);
        clock.advance(Duration.ofMinutes(15));
        return upload;
    }

    @Override
    protected void nothingLeft() {
        Tenant.eventually(FileStoreTest::partial, List::isEmpty);
    }

    private static List<Path> partial() {
        try (Stream<Path> files =
                Files.list(Settings.load().storage().directory().resolve("files/partial"))) {
            return files.toList();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void otherMethodsAndAddressesAreRefused() {
        String url = sign(key("method.csv"), null).url();
        assertThat(send(HttpRequest.newBuilder(URI.create(url)).GET().build()).statusCode())
                .isEqualTo(405);
        for (String path : List.of("", "/", "/x", "/../api/conversations", "/a.b", "/" + "a".repeat(5_000))) {
            var request = HttpRequest.newBuilder(URI.create(base() + "/developer/uploads" + path))
                    .PUT(HttpRequest.BodyPublishers.ofString("x"))
                    .build();
            assertThat(send(request).statusCode()).as(path).isIn(401, 403, 405);
        }
    }

    @Test
    void aHundredMegabytesGoThroughInLittleMemory() throws Exception {
        BlobKey key = key("large.csv");
        long size = 100_000_000;
        SignedUpload upload = store.sign(
                new UploadGrant(key, "text/csv", size, size, clock.instant().plusSeconds(900)), base());
        System.gc();
        long before = used();
        var request = HttpRequest.newBuilder(URI.create(upload.url()))
                .header("Content-Type", "text/csv")
                .PUT(HttpRequest.BodyPublishers.fromPublisher(
                        HttpRequest.BodyPublishers.ofInputStream(() -> new HeadBuffer(
                                new java.io.InputStream() {
                                    @Override
                                    public int read() {
                                        return 'x';
                                    }

                                    @Override
                                    public int read(byte[] buffer, int offset, int length) {
                                        java.util.Arrays.fill(buffer, offset, offset + length, (byte) 'x');
                                        return length;
                                    }
                                },
                                size)),
                        size));
        CompletableFuture<Integer> answer =
                CompletableFuture.supplyAsync(() -> send(request.build()).statusCode());
        long max = 0;
        while (!answer.isDone()) {
            max = Math.max(max, used() - before);
            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
        }
        assertThat(answer.join()).isEqualTo(200);
        assertThat(store.info(key).orElseThrow().size()).isEqualTo(size);
        System.gc();
        assertThat(used() - before).as("what stays; at most there were %d", max).isLessThan(20_000_000);
        store.delete(key);
    }

    @Test
    void aDirectoryThatCannotBeUsedIsUnavailable() throws Exception {
        Path partial = Settings.load().storage().directory().resolve("files/partial");
        Path aside = partial.resolveSibling("aside");
        BlobKey key = key("failing.csv");
        SignedUpload upload = sign(key, null);
        put(sign(key("first.csv"), null), TEXT);
        Files.move(partial, aside);
        Files.writeString(partial, "not a directory");
        try {
            var answer = put(upload, TEXT);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).contains("5");
            assertThat(answer.body()).doesNotContain("/", "Exception");
        } finally {
            Files.delete(partial);
            Files.move(aside, partial);
        }
        assertThat(put(upload, TEXT).statusCode()).isEqualTo(200);
    }

    @Test
    void aFullDiskIsUnavailableAndKeepsNothing() throws Exception {
        try (FileSystem disk = Jimfs.newFileSystem(Configuration.unix().toBuilder()
                .setMaxSize(1 << 20)
                .setBlockSize(4096)
                .build())) {
            var full = new FileStore(disk.getPath("/files"), masterKey.hasher("test"));
            BlobKey key = key("big.csv");
            var grant = new UploadGrant(
                    key, "text/csv", null, 100_000_000, clock.instant().plusSeconds(900));
            assertThatThrownBy(() -> full.receive(grant, new ByteArrayInputStream(new byte[4 << 20]), 4 << 20))
                    .asInstanceOf(InstanceOfAssertFactories.type(ApiProblem.class))
                    .extracting(ApiProblem::kind)
                    .isEqualTo(ProblemKind.UNAVAILABLE);
            assertThat(full.info(key)).isEmpty();
            full.receive(grant, new ByteArrayInputStream(new byte[500_000]), 500_000);
            assertThat(full.info(key).orElseThrow().size()).isEqualTo(500_000);
        }
    }

    @Test
    void aFileSystemWithoutHardLinksWritesOnceToo() throws Exception {
        try (FileSystem disk = Jimfs.newFileSystem(Configuration.unix().toBuilder()
                .setSupportedFeatures(Feature.FILE_CHANNEL)
                .build())) {
            var share = new FileStore(disk.getPath("/files"), masterKey.hasher("test"));
            BlobKey key = key("once.csv");
            var grant = new UploadGrant(
                    key, "text/csv", null, 1_000, clock.instant().plusSeconds(900));
            share.receive(grant, new ByteArrayInputStream(TEXT), TEXT.length);
            assertThatThrownBy(() -> share.receive(grant, new ByteArrayInputStream(new byte[5]), 5))
                    .asInstanceOf(InstanceOfAssertFactories.type(ApiProblem.class))
                    .extracting(ApiProblem::kind)
                    .isEqualTo(ProblemKind.ALREADY_DONE);
            assertThat(share.info(key).orElseThrow().size()).isEqualTo(TEXT.length);
            try (Stream<Path> left = Files.list(disk.getPath("/files/partial"))) {
                assertThat(left).isEmpty();
            }
        }
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
