package dev.parley.media;

import static dev.parley.media.TestFiles.download;
import static dev.parley.media.TestFiles.presign;
import static dev.parley.media.TestFiles.put;
import static dev.parley.media.TestFiles.send;
import static dev.parley.media.TestFiles.upload;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.TestClock;
import dev.parley.apikey.ApiKeys;
import dev.parley.apikey.NewApiKey;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.db.Database;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.team.Teams;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class MediaTest {
    @Inject
    TestClock clock;

    @Inject
    AbandonedUploadJob abandoned;

    @Inject
    BlobStore blobs;

    @Inject
    UploadService uploads;

    @Inject
    Database database;

    @Inject
    TestOrganizations organizations;

    @AfterEach
    void resetTheClock() {
        clock.reset();
    }

    static Stream<Arguments> files() {
        return Stream.of(
                Arguments.of("photo.png", "image/png", TestFiles.PNG, "image", "IMAGE"),
                Arguments.of("photo.jpg", "image/jpg", TestFiles.JPEG, "image", "IMAGE"),
                Arguments.of("photo.gif", "image/gif", TestFiles.GIF, "image", "IMAGE"),
                Arguments.of("clip.mp4", "video/mp4", TestFiles.MP4, "video", "VIDEO"),
                Arguments.of("clip.webm", "video/webm", TestFiles.WEBM, "video", "VIDEO"),
                Arguments.of("voice.webm", "audio/webm;codecs=opus", TestFiles.WEBM, "audio", "AUDIO"),
                Arguments.of("voice.mp3", "audio/mpeg", TestFiles.MP3, "audio", "AUDIO"),
                Arguments.of("voice.wav", "audio/wav", TestFiles.WAV, "audio", "AUDIO"),
                Arguments.of("paper.pdf", "application/pdf", TestFiles.PDF, "pdf", "DOCUMENT"),
                Arguments.of("table.csv", "text/csv", TestFiles.CSV, "spreadsheet", "SPREADSHEET"),
                Arguments.of("table.xlsx", TestFiles.XLSX_TYPE, TestFiles.xlsx(), "spreadsheet", "SPREADSHEET"));
    }

    @ParameterizedTest
    @MethodSource("files")
    void threeStepsSendAFileAndItCanBeDownloaded(
            String name, String type, byte[] bytes, String folder, String messageType) throws Exception {
        Tenant tenant = Tenant.create();
        Api.Answer presigned = upload(tenant, name, type, bytes);
        String stored = presigned.text("/filename");
        assertThat(stored).matches("\\d{8}_\\d{6}_" + name);
        JsonNode message =
                send(tenant, tenant.conversation(), stored, type).expect(200).json();
        assertThat(message.at("/content_type").asText()).isEqualTo(messageType);
        assertThat(message.at("/filename").asText()).isEqualTo(stored);
        JsonNode file = message.at("/metadata/file");
        assertThat(file.at("/path").asText())
                .matches(tenant.organization().text() + "/" + folder + "/[0-9a-f]{32}/" + stored);
        assertThat(file.at("/uri").asText()).isEqualTo(presigned.text("/file_url"));
        assertThat(file.at("/size").asLong()).isEqualTo(bytes.length);
        assertThat(file.at("/sha256").asText()).isEqualTo(sha256(bytes));
        HttpResponse<byte[]> got =
                download("GET", tenant.key(), TestFiles.path(file.at("/path").asText()));
        assertThat(got.statusCode()).isEqualTo(200);
        assertThat(got.body()).isEqualTo(bytes);
        assertThat(got.headers().firstValue("Content-Type").orElseThrow()).startsWith(type.replaceAll(";.*", ""));
        assertThat(got.headers().firstValue("Content-Disposition").orElseThrow())
                .isEqualTo("attachment; filename=\"" + name + "\"; filename*=UTF-8''" + name);
        assertThat(got.headers().firstValue("Content-Security-Policy")).contains("sandbox; default-src 'none'");
        assertThat(got.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
    }

    @Test
    void theConversationShowsTheFileAndTheChatAnswers() {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        String stored = upload(tenant, "scan.png", "image/png", TestFiles.PNG).text("/filename");
        tenant.post(
                        "/messages",
                        Map.of(
                                "conversation_id",
                                conversation,
                                "content_type",
                                "image/png",
                                "filename",
                                stored,
                                "content",
                                "What is this?",
                                "metadata",
                                Map.of("mine", 1)))
                .expect(200);
        Api.Answer list = Tenant.eventually(
                () -> tenant.get("/conversations/" + conversation + "/messages"),
                answer -> answer.json().size() == 2 && answer.text("/1/status").equals("DELIVERED"));
        assertThat(list.text("/1/content")).isEqualTo("What is this?");
        assertThat(list.text("/1/metadata/mine")).isEqualTo("1");
        assertThat(list.text("/1/metadata/file/filename")).isEqualTo(stored);
        assertThat(list.text("/0/content")).contains("What is this?", stored, "image/png");
    }

    @Test
    void theOriginalNameIsTheLatestUploadOfItAndItsType() {
        Tenant tenant = Tenant.create();
        upload(tenant, "report.csv", "text/csv", TestFiles.CSV);
        String second = upload(tenant, "report.csv", "text/csv", TestFiles.CSV).text("/file_url");
        upload(tenant, "report.csv", "image/png", TestFiles.PNG);
        assertThat(send(tenant, tenant.conversation(), "report.csv", "text/csv")
                        .expect(200)
                        .text("/metadata/file/uri"))
                .isEqualTo(second);
    }

    @Test
    void anUnusedUrlDoesNotHideTheLatestUploadOfItsName() {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        for (int round = 0; round < 2; round++) {
            // With an unverified upload, and with one that a message has used.
            String uri = upload(tenant, "report.csv", "text/csv", TestFiles.CSV).text("/file_url");
            presign(tenant, "report.csv", "text/csv").expect(201);
            for (int again = 0; again < 2; again++) {
                assertThat(send(tenant, conversation, "report.csv", "text/csv")
                                .expect(200)
                                .text("/metadata/file/uri"))
                        .isEqualTo(uri);
            }
        }
        presign(tenant, "other.csv", "text/csv").expect(201);
        assertThat(send(tenant, conversation, "other.csv", "text/csv")
                        .expect(400)
                        .text("/detail"))
                .contains("not uploaded yet");
    }

    @Test
    void uploadsOfOneNameInOneSecondAllSurviveAndCanBeNamed() throws Exception {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        Api.Answer[] presigned = {
            presign(tenant, "same.png", "image/png").expect(201),
            presign(tenant, "same.png", "image/png").expect(201)
        };
        byte[][] pictures = {TestFiles.PNG, another(TestFiles.PNG)};
        for (int i = 0; i < 2; i++) {
            assertThat(put(presigned[i], pictures[i])).isEqualTo(200);
        }
        for (int i = 0; i < 2; i++) {
            String stored = presigned[i].text("/filename");
            assertThat(stored).matches("\\d{8}_\\d{6}_same\\.png");
            assertThat(presigned[i].text("/file_url")).endsWith("/" + stored);
            assertThat(send(tenant, conversation, stored, "image/png")
                            .expect(200)
                            .text("/metadata/file/sha256"))
                    .isEqualTo(sha256(pictures[i]));
        }
    }

    @Test
    void manyUploadsOfOneNameAtOnceHaveNamesOfTheirOwn() throws Exception {
        Tenant tenant = Tenant.create();
        List<Future<String>> names = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 60; i++) {
                names.add(threads.submit(() ->
                        presign(tenant, "image.png", "image/png").expect(201).text("/filename")));
            }
        }
        Set<String> different = new HashSet<>();
        for (Future<String> name : names) {
            different.add(name.get());
        }
        assertThat(different).hasSize(60).allMatch(name -> name.matches("\\d{8}_\\d{6}_image\\.png"));
        // Names are separate per organization.
        assertThat(presign(Tenant.create(), "image.png", "image/png")
                        .expect(201)
                        .text("/filename"))
                .endsWith("_image.png");
    }

    @Test
    void aTakenNameMovesToTheNextFreeSecond() {
        Tenant tenant = Tenant.create();
        Instant at = Instant.parse("2030-01-31T23:59:58.700Z");
        Upload old = uploads.insert(requested(tenant, at));
        Upload older = uploads.insert(requested(tenant, at.plusSeconds(1)));
        database.change(handle -> handle.execute(
                "UPDATE upload SET own_name = false, filename = ? WHERE organization_id = ?",
                old.filename(),
                tenant.organization().value()));
        assertThat(older.filename()).isEqualTo("20300131_235959_a.png");
        assertThat(Stream.of(0, 0, 1, 0, 7).map(later -> uploads.insert(requested(tenant, at.plusSeconds(later)))
                        .filename()))
                .containsExactly(
                        "20300131_235959_a.png",
                        "20300201_000000_a.png",
                        "20300201_000001_a.png",
                        "20300201_000002_a.png",
                        "20300201_000005_a.png");
    }

    private static Upload requested(Tenant tenant, Instant at) {
        return Upload.pending(FileScope.all(tenant.organization()), "system", "a.png", "image/png", null, at);
    }

    /** The same image with trailing bytes, which no viewer shows. */
    private static byte[] another(byte[] picture) {
        return Arrays.copyOf(picture, picture.length + 10);
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain", "text/html", "application/zip", "application/x-msdownload", "image/svg+xml",
                "application/json", "video/x-matroska", "text/javascript", "application/octet-stream", "image/foo+xml"
            })
    void unsupportedTypesAreRefused(String type) {
        assertThat(presign(Tenant.create(), "a.bin", type).expect(400).text("/error"))
                .isEqualTo("Unsupported file type");
    }

    @Test
    void badRequestsNameTheirField() {
        Tenant tenant = Tenant.create();
        assertThat(tenant.post("/media/presigned-url", Map.of()).expect(400).body())
                .contains("\"/filename\"", "\"/content_type\"");
        assertThat(presign(tenant, "x", "no type").expect(400).text("/errors/0/path"))
                .isEqualTo("/content_type");
        for (String name : new String[] {"..", "/", "a/", "\u202E", "   "}) {
            assertThat(presign(tenant, name, "image/png").expect(400).text("/errors/0/path"))
                    .isEqualTo("/filename");
        }
        for (Object size : new Object[] {0, -1, "12", 1.5}) {
            tenant.post("/media/presigned-url", Map.of("filename", "a", "content_type", "image/png", "size", size))
                    .expect(400);
        }
        tenant.post("/media/presigned-url", Map.of("filename", "a", "content_type", "image/png", "size", 100_000_001))
                .expect(413);
        new Api()
                .post("/developer/api/media/presigned-url")
                .json(Map.of())
                .send()
                .expect(401);
        String conversation = tenant.conversation();
        assertThat(send(tenant, conversation, "never-uploaded.png", "image/png")
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/filename");
        String waiting = presign(tenant, "later.png", "image/png").text("/filename");
        assertThat(send(tenant, conversation, waiting, "image/png").expect(400).body())
                .contains("was not uploaded yet");
        String png = upload(tenant, "real.png", "image/png", TestFiles.PNG).text("/filename");
        send(tenant, conversation, png, "image/gif").expect(400);
        assertThat(tenant.post("/messages", Map.of("conversation_id", conversation, "content_type", "image/png"))
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/filename");
    }

    @Test
    void theSameIdempotencyKeyGivesTheSameUrl() {
        Tenant tenant = Tenant.create();
        Map<String, Object> body = Map.of("filename", "a.png", "content_type", "image/png", "size", 70);
        var first = request(tenant, body);
        var second = request(tenant, body);
        assertThat(second.body()).isEqualTo(first.expect(201).body());
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        request(tenant, Map.of("filename", "b.png", "content_type", "image/png"))
                .expect(422);
    }

    private static Api.Answer request(Tenant tenant, Map<String, Object> body) {
        return new Api()
                .post("/developer/api/media/presigned-url")
                .key(tenant.key())
                .header("Idempotency-Key", "the-same")
                .json(body)
                .send();
    }

    @Test
    void aDuplicateOfARequestInProgressGetsRetryAfter() {
        Tenant tenant = Tenant.create();
        Supplier<Api.Answer> presign = () -> new Api()
                .post("/developer/api/media/presigned-url")
                .key(tenant.key())
                .header("Idempotency-Key", "k")
                .json(Map.of("filename", "a.csv", "content_type", "text/csv"))
                .send();
        presign.get().expect(201);
        Tenant.bean(Database.class)
                .with(handle -> handle.execute(
                        "UPDATE idempotency SET status = NULL, body = NULL WHERE organization_id = ?",
                        tenant.organization().value()));
        Api.Answer second = presign.get().expect(409);
        assertThat(second.text("/error")).isEqualTo("Request in progress");
        assertThat(second.header("Retry-After")).isEqualTo("1");
    }

    @Test
    void rangesAreAnswered() {
        Tenant tenant = Tenant.create();
        String path = TestFiles.path(
                TestFiles.sent(tenant, "table.csv", "text/csv", TestFiles.CSV).text("/metadata/file/path"));
        String text = new String(TestFiles.CSV, StandardCharsets.UTF_8);
        int size = text.length();
        HttpResponse<byte[]> part = download("GET", tenant.key(), path, "Range", "bytes=5-10");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(new String(part.body(), StandardCharsets.UTF_8)).isEqualTo("amount");
        assertThat(part.headers().firstValue("Content-Range")).contains("bytes 5-10/" + size);
        assertThat(new String(
                        download("GET", tenant.key(), path, "Range", "bytes=-6").body(), StandardCharsets.UTF_8))
                .isEqualTo("12.50\n");
        assertThat(download("GET", tenant.key(), path, "Range", "bytes=5-").body())
                .hasSize(size - 5);
        HttpResponse<byte[]> beyond = download("GET", tenant.key(), path, "Range", "bytes=999-");
        assertThat(beyond.statusCode()).isEqualTo(416);
        assertThat(beyond.headers().firstValue("Content-Range")).contains("bytes */" + size);
        for (String none : new String[] {
            "bytes=-0", "bytes=99999999999999999999-", "bytes=99999999999999999999-99999999999999999999"
        }) {
            assertThat(download("GET", tenant.key(), path, "Range", none).statusCode())
                    .as(none)
                    .isEqualTo(416);
        }
        assertThat(download("GET", tenant.key(), path, "Range", "bytes=-99999999999999999999")
                        .body())
                .hasSize(size);
        for (String odd :
                new String[] {"bytes=0-1,4-5", "bytes=9-5", "lines=1-2", "bytes=-", "bytes=x-y", "bytes 0-1"}) {
            assertThat(download("GET", tenant.key(), path, "Range", odd).statusCode())
                    .as(odd)
                    .isEqualTo(200);
        }
        String etag = part.headers().firstValue("ETag").orElseThrow();
        assertThat(download("GET", tenant.key(), path, "If-None-Match", etag).statusCode())
                .isEqualTo(304);
        assertThat(download("GET", tenant.key(), path, "Range", "bytes=0-1", "If-Range", "\"x\"")
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<byte[]> head = download("HEAD", tenant.key(), path);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Length")).contains(Integer.toString(size));
        assertThat(head.body()).isEmpty();
    }

    @Test
    void onlyTheOrganizationsOwnKeysAndMembersSeeAFile() {
        TestOrganizations.Tenant people = organizations.create();
        String key = organizations.key(people.id());
        Tenant tenant = new Tenant(people.id(), people.owner().id(), dev.parley.id.ApiKeyId.next(), key);
        String path = TestFiles.sent(tenant, "paper.pdf", "application/pdf", TestFiles.PDF)
                .text("/metadata/file/path");
        Tenant stranger = Tenant.create();
        assertThat(download("GET", stranger.key(), TestFiles.path(path)).statusCode())
                .isEqualTo(404);
        String forged = path.replace(people.id().text(), stranger.organization().text());
        assertThat(download("GET", stranger.key(), TestFiles.path(forged)).statusCode())
                .isEqualTo(404);
        send(stranger, stranger.conversation(), path.substring(path.lastIndexOf('/') + 1), "application/pdf")
                .expect(400);
        String own = people.path() + "/media/files/" + path;
        assertThat(people.member().browser().get(own).send().expect(200).body()).startsWith("%PDF-");
        organizations.create().owner().browser().get(own).send().expect(404);
        Api.dashboard().get(own).send().expect(401);
        for (String odd : new String[] {"x", "a/b/c/d", path + "/x", path.replace("/pdf/", "/image/")}) {
            assertThat(download("GET", key, TestFiles.path(odd)).statusCode()).isEqualTo(404);
        }
        assertThat(download("GET", key, "/developer/api/media/files/%00").statusCode())
                .isEqualTo(404);
    }

    @Test
    void aTeamsKeySeesItsOwnFilesAndThoseOfItsConversations() {
        Tenant tenant = Tenant.create();
        var teams = Tenant.bean(Teams.class);
        int team = teams.create(tenant.organization(), "Team").id();
        String key = Tenant.bean(ApiKeys.class)
                .create(
                        tenant.organization(),
                        new NewApiKey("team", Optional.of(team), Optional.empty(), Optional.empty()),
                        "system")
                .key();
        Tenant ofTeam = new Tenant(tenant.organization(), tenant.owner(), tenant.keyId(), key);
        String others =
                TestFiles.sent(tenant, "a.csv", "text/csv", TestFiles.CSV).text("/metadata/file/path");
        assertThat(download("GET", key, TestFiles.path(others)).statusCode()).isEqualTo(404);
        send(ofTeam, ofTeam.conversation(), "a.csv", "text/csv").expect(400);
        String own = TestFiles.sent(ofTeam, "b.csv", "text/csv", TestFiles.CSV).text("/metadata/file/path");
        assertThat(download("GET", key, TestFiles.path(own)).statusCode()).isEqualTo(200);
        send(tenant, ofTeam.conversation(), "a.csv", "text/csv").expect(200);
        assertThat(download("GET", key, TestFiles.path(others)).statusCode()).isEqualTo(200);
    }

    @Test
    void unusedUploadsAreDeletedAfterADay() {
        Tenant tenant = Tenant.create();
        Api.Answer unused = upload(tenant, "unused.csv", "text/csv", TestFiles.CSV);
        Api.Answer used = upload(tenant, "used.csv", "text/csv", TestFiles.CSV);
        send(tenant, tenant.conversation(), used.text("/filename"), "text/csv").expect(200);
        presign(tenant, "never.csv", "text/csv").expect(201);
        clock.advance(Duration.ofHours(23));
        abandoned.clear();
        assertThat(blobs.info(key(unused))).isPresent();
        clock.advance(Duration.ofHours(2));
        abandoned.clear();
        assertThat(blobs.info(key(unused))).isEmpty();
        assertThat(blobs.info(key(used))).isPresent();
        send(tenant, tenant.conversation(), unused.text("/filename"), "text/csv")
                .expect(400);
    }

    @Test
    void aUrlDiesAfterFifteenMinutes() {
        Api.Answer presigned = presign(Tenant.create(), "late.csv", "text/csv").expect(201);
        clock.advance(Duration.ofMinutes(15));
        assertThat(put(presigned, TestFiles.CSV)).isEqualTo(403);
    }

    private static BlobKey key(Api.Answer presigned) {
        return new BlobKey(presigned.text("/file_url").replaceFirst("s3://[^/]+/", ""));
    }
}
