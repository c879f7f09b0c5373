package dev.parley.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.TestClock;
import dev.parley.id.OrganizationId;
import dev.parley.id.UploadId;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guarantees of every store: the same tests run against S3 and against the embedded one. */
public abstract class BlobStoreContract {
    public static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    public static final byte[] TEXT = "first,second\n1,2\n".getBytes(StandardCharsets.UTF_8);

    protected abstract BlobStore store();

    protected abstract TestClock clock();

    /** The base of the service's upload URLs. */
    protected abstract String base();

    @AfterEach
    void resetTheClock() {
        clock().reset();
    }

    public static BlobKey key(String name) {
        return new BlobKey(OrganizationId.next() + "/spreadsheet/" + UploadId.next() + "/" + name);
    }

    protected SignedUpload sign(BlobKey key, @Nullable Long size) {
        return store().sign(
                        new UploadGrant(
                                key,
                                "text/csv",
                                size,
                                1_000_000,
                                clock().instant().plusSeconds(900)),
                        base());
    }

    public static HttpResponse<String> put(SignedUpload upload, byte[] bytes) {
        var request =
                HttpRequest.newBuilder(URI.create(upload.url())).PUT(HttpRequest.BodyPublishers.ofByteArray(bytes));
        upload.headers().forEach(request::header);
        return send(request.build());
    }

    public static HttpResponse<String> send(HttpRequest request) {
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    byte[] read(BlobKey key) throws IOException {
        BlobInfo info = store().info(key).orElseThrow();
        try (InputStream bytes = store().open(key, info, 0, info.size())) {
            return bytes.readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "20300131_120000_plain.csv",
                "with space & (1)+%41;=,'.csv",
                "übergröße_Ω_漢字_😀.csv",
                "\"quoted\" <b>#?.csv",
                ".hidden"
            })
    void whatIsPutCanBeReadUnderItsName(String name) throws IOException {
        BlobKey key = key(name);
        assertThat(put(sign(key, (long) TEXT.length), TEXT).statusCode()).isEqualTo(200);
        assertThat(read(key)).isEqualTo(TEXT);
        assertThat(store().info(key).orElseThrow().size()).isEqualTo(TEXT.length);
    }

    @Test
    void aPartCanBeRead() throws IOException {
        BlobKey key = key("part.csv");
        put(sign(key, null), TEXT);
        BlobInfo info = store().info(key).orElseThrow();
        try (InputStream bytes = store().open(key, info, 6, 6)) {
            assertThat(bytes.readAllBytes()).isEqualTo("second".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aUrlWritesOnce() throws IOException {
        BlobKey key = key("once.csv");
        SignedUpload upload = sign(key, null);
        assertThat(put(upload, TEXT).statusCode()).isEqualTo(200);
        assertThat(put(upload, "others\n".getBytes(StandardCharsets.UTF_8)).statusCode())
                .isIn(409, 412);
        assertThat(read(key)).isEqualTo(TEXT);
    }

    @Test
    void ofManyAtOnceOneWrites() throws IOException {
        BlobKey key = key("race.csv");
        SignedUpload upload = sign(key, null);
        List<CompletableFuture<Integer>> answers = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> put(upload, ("writer " + i).getBytes(StandardCharsets.UTF_8))
                                .statusCode()))
                .toList();
        assertThat(answers.stream().map(CompletableFuture::join).filter(status -> status == 200))
                .hasSize(1);
        assertThat(new String(read(key), StandardCharsets.UTF_8)).startsWith("writer ");
    }

    @Test
    void anotherTypeOrSizeIsRefused() {
        BlobKey key = key("bound.csv");
        SignedUpload upload = sign(key, (long) TEXT.length);
        var html = HttpRequest.newBuilder(URI.create(upload.url())).PUT(HttpRequest.BodyPublishers.ofByteArray(TEXT));
        upload.headers().forEach(html::header);
        html.setHeader("Content-Type", "text/html");
        assertThat(send(html.build()).statusCode()).isBetween(400, 499);
        assertThat(put(upload, "longer than was declared".getBytes(StandardCharsets.UTF_8))
                        .statusCode())
                .isBetween(400, 499);
        assertThat(put(upload, new byte[1]).statusCode()).isBetween(400, 499);
        assertThat(store().info(key)).isEmpty();
    }

    @Test
    void aTamperedUrlIsRefused() {
        BlobKey key = key("tampered.csv");
        String url = sign(key, null).url();
        for (String other : List.of(
                url.substring(0, url.length() - 1) + (url.endsWith("A") ? "B" : "A"),
                url.substring(0, url.length() - 6),
                url.replaceFirst("(.{40})(.)(.*)$", "$1" + "x" + "$3"))) {
            var request = HttpRequest.newBuilder(URI.create(other))
                    .PUT(HttpRequest.BodyPublishers.ofByteArray(TEXT))
                    .header("Content-Type", "text/csv")
                    .header("If-None-Match", "*");
            assertThat(send(request.build()).statusCode()).as(other).isBetween(400, 499);
        }
        assertThat(store().info(key)).isEmpty();
    }

    @Test
    void anExpiredUrlIsRefused() {
        BlobKey key = key("late.csv");
        // S3 uses its own clock, so the URL is signed in the past.
        SignedUpload upload = expired(key);
        assertThat(put(upload, TEXT).statusCode()).isEqualTo(403);
        assertThat(store().info(key)).isEmpty();
    }

    protected abstract SignedUpload expired(BlobKey key);

    @Test
    void aPutThatBreaksOffLeavesNothing() throws Exception {
        BlobKey key = key("broken.csv");
        SignedUpload upload = sign(key, 500_000L);
        URI url = URI.create(upload.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            var head = new StringBuilder("PUT " + url.getRawPath()
                    + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery()) + " HTTP/1.1\r\nHost: "
                    + url.getAuthority() + "\r\nContent-Length: 500000\r\n");
            upload.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
            socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write(new byte[200_000]);
            socket.getOutputStream().flush();
        }
        nothingLeft();
        assertThat(store().info(key)).isEmpty();
        assertThat(put(upload, new byte[500_000]).statusCode()).isEqualTo(200);
    }

    /** Waits until an aborted write has been detected. */
    protected void nothingLeft() throws Exception {}

    @Test
    void ourOwnFilesAreWrittenOnceToo() throws IOException {
        BlobKey key = key("own.csv");
        Path file = Files.createTempFile("own", ".csv");
        Files.write(file, TEXT);
        assertThat(store().put(key, "text/csv", file)).isTrue();
        Files.writeString(file, "others\n");
        assertThat(store().put(key, "text/csv", file)).isFalse();
        assertThat(read(key)).isEqualTo(TEXT);
        BlobKey copy = key("copy.csv");
        assertThat(store().copy(key, copy)).isTrue();
        assertThat(store().copy(key, copy)).isFalse();
        assertThat(read(copy)).isEqualTo(TEXT);
        Files.delete(file);
    }

    @Test
    void aDeletedFileIsNotFound() throws IOException {
        BlobKey key = key("gone.csv");
        put(sign(key, null), TEXT);
        BlobInfo info = store().info(key).orElseThrow();
        store().delete(key);
        store().delete(key);
        assertThat(store().info(key)).isEmpty();
        assertThatThrownBy(() -> store().open(key, info, 0, info.size()).close())
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> store().copy(key, key("copy.csv"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aFileThatWasReplacedIsNotRead() throws IOException {
        BlobKey key = key("replaced.csv");
        put(sign(key, null), TEXT);
        BlobInfo info = store().info(key).orElseThrow();
        var other = new BlobInfo(info.size(), "\"another version\"");
        assertThatThrownBy(() -> store().open(key, other, 0, info.size()).close())
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aSweepKeepsCompleteFiles() throws IOException {
        BlobKey key = key("kept.csv");
        put(sign(key, null), TEXT);
        store().sweep(Instant.now().plusSeconds(10));
        assertThat(read(key)).isEqualTo(TEXT);
    }
}
