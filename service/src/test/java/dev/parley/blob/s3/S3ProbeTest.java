package dev.parley.blob.s3;

import static dev.parley.blob.s3.ScriptedS3.is;
import static dev.parley.blob.s3.ScriptedS3.isCopy;
import static dev.parley.blob.s3.ScriptedS3.isUpload;
import static dev.parley.blob.s3.ScriptedS3.refuse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.parley.TestClock;
import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStoreContract;
import dev.parley.blob.StoreIdentity;
import dev.parley.blob.UploadGrant;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of a store at startup, against a real server and against deviations of others. */
class S3ProbeTest {
    private static final String BUCKET = "files";

    @TempDir
    private Path directory;

    @Test
    void aStoreThatWorksIsAcceptedAndLeftEmpty() throws Exception {
        try (TestS3 server = TestS3.start();
                var store = new S3Store(server.settings(), server.bucket(), new TestClock());
                var list = new S3Objects(server.settings())) {
            store.check();
            assertThat(list.list(server.bucket(), "", 10)).isEmpty();
        }
    }

    @Test
    void aMissingBucketAndAWrongSecretAreNamedByARealServer() throws Exception {
        try (TestS3 server = TestS3.start()) {
            assertRefused(server.settings(), "missing-bucket", "PARLEY_S3_BUCKET names missing-bucket, which does not");
            Settings.S3 right = server.settings();
            var wrong = new Settings.S3(right.endpoint(), right.region(), true, right.accessKey(), "wrong");
            assertRefused(wrong, server.bucket(), "PARLEY_S3_SECRET_KEY does not belong to the access key");
            var unknown = new Settings.S3(right.endpoint(), right.region(), true, Optional.of("unknown"), "wrong");
            assertRefused(unknown, server.bucket(), "PARLEY_S3_ACCESS_KEY is not known to the store");
        }
    }

    @Test
    void addressesThatLeadNowhereAreNamed() {
        var host = new Settings.S3(
                Optional.of(URI.create("http://store.invalid")), "us-east-1", false, Optional.of("a"), "b");
        assertRefused(host, BUCKET, "PARLEY_S3_PATH_STYLE is false, and the host files.store.invalid does not exist");
        var closed = new Settings.S3(
                Optional.of(URI.create("http://127.0.0.1:1")), "us-east-1", true, Optional.of("a"), "b");
        assertRefused(closed, BUCKET, "PARLEY_S3_ENDPOINT leads to http://127.0.0.1:1, which cannot be used: Connect");
    }

    private static void assertRefused(Settings.S3 settings, String bucket, String message) {
        try (var store = new S3Store(settings, bucket, new TestClock())) {
            assertThatThrownBy(store::check)
                    .isInstanceOf(SettingsException.class)
                    .hasMessageStartingWith(message)
                    .hasMessageNotContaining("Exception")
                    .hasMessageEndingWith(".");
        }
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                deviation(
                        "PARLEY_S3_BUCKET names files, which does not exist", e -> refuse(e, 404, "NoSuchBucket", "")),
                deviation(
                        "PARLEY_S3_ACCESS_KEY belongs to an account that is not allowed to write",
                        e -> is(e, "PUT") && refuse(e, 403, "AccessDenied", "Access Denied")),
                deviation(
                        "PARLEY_S3_ACCESS_KEY belongs to an account that is not allowed to read",
                        e -> is(e, "GET") && refuse(e, 403, "AccessDenied", "Access Denied")),
                deviation(
                        "PARLEY_S3_ACCESS_KEY belongs to an account that is not allowed to see that",
                        e -> path(e).endsWith("/missing") && refuse(e, 403, "", "")),
                deviation(
                        "PARLEY_S3_ACCESS_KEY belongs to an account that is not allowed to copy",
                        e -> isCopy(e) && refuse(e, 403, "AccessDenied", "Access Denied")),
                deviation(
                        "PARLEY_S3_ACCESS_KEY belongs to an account that is not allowed to delete",
                        e -> is(e, "DELETE") && refuse(e, 403, "AccessDenied", "Access Denied")),
                deviation(
                        "PARLEY_S3_ACCESS_KEY belongs to an account that is not allowed to write by",
                        e -> isUpload(e) && refuse(e, 403, "AccessDenied", "Access Denied")),
                deviation(
                        "PARLEY_S3_REGION is us-east-1, but the bucket files is in eu-west-1",
                        e -> header(e, "x-amz-bucket-region", "eu-west-1") && refuse(e, 301, "PermanentRedirect", "")),
                deviation(
                        "PARLEY_S3_REGION is us-east-1, but the bucket files is in eu-west-3",
                        e -> refuse(
                                e,
                                400,
                                "AuthorizationHeaderMalformed",
                                "The region 'us-east-1' is wrong; expecting 'eu-west-3'")),
                deviation(
                        "PARLEY_S3_ENDPOINT leads to http://127.0.0.1:",
                        e -> header(e, "Location", "https://store.example/files?x=y") && refuse(e, 301, "", "")),
                deviation(
                        "PARLEY_S3_ENDPOINT leads to http://127.0.0.1:",
                        e -> header(e, "Location", "https://eu.store.example/")
                                && refuse(e, 307, "TemporaryRedirect", "")),
                deviation(
                        "The clock of this machine differs",
                        e -> isUpload(e) && refuse(e, 403, "RequestTimeTooSkewed", "The difference is too large.")),
                deviation(
                        "The clock of this machine differs",
                        e -> isUpload(e) && refuse(e, 403, "AccessDenied", "Request has expired")),
                deviation(
                        "PARLEY_S3_BUCKET names a bucket on a full store",
                        e -> is(e, "PUT")
                                && refuse(
                                        e,
                                        507,
                                        "XMinioStorageFull",
                                        "Storage backend has reached its minimum free drive")),
                deviation(
                        "PARLEY_S3_ENDPOINT leads to a store that does not support what Parley needs, to copy",
                        e -> isCopy(e) && refuse(e, 501, "NotImplemented", "")),
                deviation(
                        "PARLEY_S3_ENDPOINT leads to a store, or a proxy, that does not report",
                        e -> is(e, "HEAD") && header(e, "ETag", "") && sent(e, "")),
                deviation(
                        "PARLEY_S3_ENDPOINT leads to a store that does not return",
                        e -> is(e, "GET") && sent(e, "<html>Sign in to the console</html>")),
                deviation(
                        "PARLEY_S3_ENDPOINT leads to a store that failed to write (s3:PutObject) with status 503",
                        e -> refuse(e, 503, "SlowDown", "Reduce your request rate.")));
    }

    private static Arguments deviation(String message, ScriptedS3.Deviation deviation) {
        return Arguments.of(message, deviation);
    }

    private static String path(HttpExchange exchange) {
        return exchange.getRequestURI().getPath();
    }

    private static boolean header(HttpExchange exchange, String name, String value) {
        exchange.getResponseHeaders().set(name, value);
        return true;
    }

    private static boolean sent(HttpExchange exchange, String body) throws IOException {
        ScriptedS3.send(exchange, 200, body.getBytes(StandardCharsets.UTF_8));
        return true;
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatDoesNotWorkIsExplained(String message, ScriptedS3.Deviation deviation) {
        try (var server = new ScriptedS3(deviation)) {
            assertRefused(TestS3.settings(server.port()), BUCKET, message);
        }
    }

    static Stream<Arguments> adaptations() {
        return Stream.of(
                deviation("no checksums or chunks", S3ProbeTest::refusesChecksums),
                deviation(
                        "If-None-Match is not implemented",
                        e -> e.getRequestHeaders().containsKey("If-None-Match")
                                && refuse(e, 501, "NotImplemented", "A header implies functionality")),
                deviation(
                        "If-None-Match is invalid",
                        e -> e.getRequestHeaders().containsKey("If-None-Match")
                                && refuse(e, 400, "InvalidArgument", "Unsupported header 'if-none-match'")),
                deviation(
                        "If-Match is never true",
                        e -> e.getRequestHeaders().containsKey("If-Match") && refuse(e, 412, "PreconditionFailed", "")),
                deviation("ranges are ignored", e -> {
                    e.setAttribute(ScriptedS3.IGNORES_RANGES, true);
                    return false;
                }),
                deviation("ranges are sent with 200", e -> {
                    e.setAttribute(ScriptedS3.SENDS_RANGES_WITH_200, true);
                    return false;
                }));
    }

    private static boolean refusesChecksums(HttpExchange exchange) throws IOException {
        boolean isExtended = exchange.getRequestHeaders().keySet().stream()
                        .map(name -> name.toLowerCase(java.util.Locale.ROOT))
                        .anyMatch(name -> name.startsWith("x-amz-checksum")
                                || name.startsWith("x-amz-sdk-checksum")
                                || name.equals("x-amz-trailer")
                                || name.equals("x-amz-decoded-content-length"))
                || String.valueOf(exchange.getRequestHeaders().getFirst("x-amz-content-sha256"))
                        .startsWith("STREAMING");
        return isExtended && refuse(exchange, 501, "NotImplemented", "Header 'x-amz-checksum-crc32' not implemented");
    }

    @ParameterizedTest
    @MethodSource("adaptations")
    void storesThatDeviateAreUsed(String name, ScriptedS3.Deviation deviation) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "0123456789");
        try (var server = new ScriptedS3(deviation);
                var store = new S3Store(TestS3.settings(server.port()), BUCKET, new TestClock())) {
            assertThatCode(store::check).as(name).doesNotThrowAnyException();
            assertThat(server.objects()).isEmpty();
            var key = new BlobKey("a/b.txt");
            assertThat(store.put(key, "text/plain", file)).isTrue();
            assertThat(store.put(key, "text/plain", file)).isFalse();
            BlobInfo info = store.info(key).orElseThrow();
            try (var part = store.open(key, info, 3, 4)) {
                assertThat(part.readAllBytes()).asString().isEqualTo("3456");
            }
            assertThatThrownBy(() ->
                            store.open(key, new BlobInfo(10, "\"other\""), 0, 4).close())
                    .isInstanceOf(java.nio.file.NoSuchFileException.class);
            var upload = new UploadGrant(
                    new BlobKey("a/c.txt"), "text/plain", 3L, 3, Instant.now().plusSeconds(60));
            assertThat(BlobStoreContract.put(store.sign(upload, ""), "abc".getBytes(StandardCharsets.UTF_8))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @MethodSource("adaptations")
    void onStandbyTheStoreIsReadOnly(String name, ScriptedS3.Deviation deviation) throws Exception {
        Set<String> methods = ConcurrentHashMap.newKeySet();
        try (var server = new ScriptedS3(e -> {
                    methods.add(e.getRequestMethod());
                    return deviation.answer(e);
                });
                var store = new S3Store(TestS3.settings(server.port()), BUCKET, new TestClock())) {
            assertThatCode(store::checkReading).as(name).doesNotThrowAnyException();
            server.objects().put("/" + BUCKET + "/" + StoreIdentity.KEY.text(), new byte[] {'a', 'b', 'c'});
            assertThatCode(store::checkReading).as(name).doesNotThrowAnyException();
            BlobInfo info = store.info(StoreIdentity.KEY).orElseThrow();
            try (var all = store.open(StoreIdentity.KEY, info, 0, 3)) {
                assertThat(all.readAllBytes()).asString().isEqualTo("abc");
            }
            assertThat(server.objects()).hasSize(1);
            assertThat(methods).containsOnly("GET", "HEAD");
        }
    }

    @Test
    void onStandbyAStoreThatCannotBeReadIsExplained() {
        try (var server = new ScriptedS3(e -> refuse(e, 403, "AccessDenied", "Access Denied"));
                var store = new S3Store(TestS3.settings(server.port()), BUCKET, new TestClock())) {
            assertThatThrownBy(store::checkReading)
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("is not allowed to see that");
        }
    }

    @ParameterizedTest
    @CsvSource({"507,StorageFull", "507,''", "403,QuotaExceeded", "403,StorageCapExceeded"})
    void aFullStoreIsNamed(int status, String code) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "0123456789");
        try (var server = new ScriptedS3(e -> is(e, "PUT") && refuse(e, status, code, ""));
                var store = new S3Store(TestS3.settings(server.port()), BUCKET, new TestClock())) {
            assertThatThrownBy(() -> store.put(new BlobKey("a/b.txt"), "text/plain", file))
                    .hasMessage("The file storage is full right now; nothing was stored.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<NextContinuationToken></NextContinuationToken>"})
    void aListingWithoutATokenForTheRestIsComplete(String token) {
        try (var server = new ScriptedS3(e -> listTwoPages(e, token));
                var list = new S3Objects(TestS3.settings(server.port()))) {
            assertThat(list.list(BUCKET, "", 10).stream()
                            .map(S3Objects.S3Object::key)
                            .toList())
                    .isEqualTo(List.of("a", "b"));
        }
    }

    @Test
    void aListingThatRepeatsItselfIsRefused() {
        try (var server = new ScriptedS3(e -> sent(e, """
                        <ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>a</Key><Size>1</Size></Contents>\
                        </ListBucketResult>"""));
                var list = new S3Objects(TestS3.settings(server.port()))) {
            assertThatThrownBy(() -> list.list(BUCKET, "", 10)).isInstanceOf(ApiProblem.class);
        }
    }

    private static boolean listTwoPages(HttpExchange exchange, String token) throws IOException {
        boolean isRest = exchange.getRequestURI().getQuery().contains("start-after=a");
        return sent(exchange, """
                <ListBucketResult><IsTruncated>%s</IsTruncated>%s<Contents><Key>%s</Key><Size>1</Size><ETag>"e"</ETag>\
                </Contents></ListBucketResult>""".formatted(!isRest, token, isRest ? "b" : "a"));
    }
}
