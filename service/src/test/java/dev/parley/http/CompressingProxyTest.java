package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Saving, live events and files through nginx, which makes entity tags weak and buffers. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class CompressingProxyTest {
    private static Nginx nginx;

    @Inject
    TestOrganizations organizations;

    @TempDir
    Path directory;

    private TestOrganizations.Tenant tenant;
    private Api direct;
    private Api proxied;

    @BeforeEach
    void startProxy() throws IOException {
        tenant = organizations.create();
        direct = tenant.owner().browser();
        if (nginx == null) {
            nginx = new Nginx(direct.base());
        }
        proxied = direct.through(nginx.url());
    }

    @AfterAll
    static void stopProxy() throws IOException {
        nginx.close();
    }

    /** A kind of document that several people may edit: how it is made, and how its content is changed. */
    private record EditableKind(String path, Map<String, ?> content, String method, Map<String, ?> changed) {}

    private List<EditableKind> kinds() {
        var agent = new LinkedHashMap<String, Object>(Map.of(
                "name", "First",
                "assignment_rules",
                        List.of(Map.of(
                                "rule_type", "Exception",
                                "assignment_type", "User",
                                "assignee_id", tenant.owner().id().text())),
                "tasks",
                        List.of(Map.of(
                                "id", "a",
                                "kind", "AI",
                                "name", "A",
                                "instructions", "Answer.",
                                "input_parameters", List.of(),
                                "expected_output",
                                        List.of(Map.of("name", "x", "type", "STRING", "description", "X"))))));
        var renamed = new LinkedHashMap<>(agent);
        renamed.put("name", "Second");
        Map<String, Object> code = Map.of("name", "First", "language", "javascript", "source", "function main() {}");
        Map<String, Object> newCode = Map.of("name", "Second", "source", "function main() {}");
        return List.of(
                new EditableKind("/workflows", agent, "PUT", renamed),
                new EditableKind("/code-artifacts", code, "PUT", newCode),
                new EditableKind("/teams", Map.of("name", "First"), "PATCH", Map.of("name", "Second")),
                new EditableKind(
                        "/tool-providers",
                        Map.of("name", "docs", "kind", "mcp", "url", "http://127.0.0.1:1/mcp"),
                        "PATCH",
                        Map.of("description", "Second")),
                new EditableKind(
                        "/webhook-endpoints",
                        Map.of("url", "http://127.0.0.1:1/", "event_types", List.of("message.created")),
                        "PATCH",
                        Map.of("description", "Second")));
    }

    @Test
    void everyKindOfDocumentIsSavedWithTheTagThatTheProxyLeft() {
        for (EditableKind kind : kinds()) {
            String id = direct.post(tenant.path() + kind.path)
                    .json(kind.content)
                    .send()
                    .expect(201)
                    .text("/id");
            saveThroughProxy(tenant.path() + kind.path + "/" + id, kind.method, kind.changed);
        }
        saveThroughProxy(tenant.path(), "PATCH", Map.of("name", "Second"));
    }

    private void saveThroughProxy(String path, String method, Map<String, ?> changed) {
        String tag = compressed("GET", path, null).expect(200).header("ETag");
        assertThat(tag).as(path).startsWith("W/");
        assertThat(save(method, path, tag, changed).expect(200).header("ETag"))
                .as(path)
                .startsWith("W/")
                .isNotEqualTo(tag);
        assertThat(save(method, path, tag, changed).status()).as(path).isEqualTo(412);
        String newer = direct.get(path).send().header("ETag");
        assertThat(save(method, path, newer.replace("\"", "") + "-gzip", changed)
                        .status())
                .as("no tag: " + path)
                .isEqualTo(400);
        String ofApache = newer.substring(0, newer.length() - 1) + "-gzip\"";
        assertThat(save(method, path, ofApache, changed).expect(200).header("ETag"))
                .as("a change that changes nothing keeps the tag: " + path)
                .isEqualTo("W/" + newer);
        if (path.contains("/workflows/")) {
            compressed("POST", path + "/publish", "W/" + newer).expect(200);
        }
    }

    private Api.Answer save(String method, String path, String tag, Map<String, ?> body) {
        return proxied.method(method, path)
                .header("Accept-Encoding", "gzip")
                .header("If-Match", tag)
                .json(body)
                .send();
    }

    private Api.Answer compressed(String method, String path, String tag) {
        Api.Request request = proxied.method(method, path).header("Accept-Encoding", "gzip");
        return (tag == null ? request : request.header("If-Match", tag)).send();
    }

    @Test
    void eventsArriveWhenTheyHappen() throws IOException, InterruptedException {
        String key = organizations.key(tenant.id());
        Api client = new Api().through(nginx.url());
        String conversation = client.post("/developer/api/conversations")
                .key(key)
                .json(Map.of())
                .send()
                .expect(201)
                .text("/id");
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest stream = HttpRequest.newBuilder(
                            URI.create(nginx.url() + "/developer/api/conversations/" + conversation + "/events"))
                    .header("Authorization", "Bearer " + key)
                    .header("Accept-Encoding", "gzip")
                    .build();
            HttpResponse<java.io.InputStream> events = http.send(stream, HttpResponse.BodyHandlers.ofInputStream());
            try (var lines = new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
                client.post("/developer/api/messages")
                        .key(key)
                        .json(Map.of("conversation_id", conversation, "content_type", "text", "content", "Hello"))
                        .send()
                        .expect(200);
                assertThat(lines.lines().anyMatch("event: message.created"::equals))
                        .isTrue();
            }
        }
    }

    @Test
    void largeFilesPass() throws IOException, InterruptedException {
        Path file = directory.resolve("large.csv");
        String row = "name,amount,comment".repeat(50) + "\n";
        Files.writeString(file, row.repeat((90 << 20) / row.length()));
        Api.Answer presigned = proxied.post(tenant.path() + "/media/presigned-url")
                .json(Map.of("filename", "large.csv", "content_type", "text/csv"))
                .send()
                .expect(201);
        String upload = nginx.url() + URI.create(presigned.text("/upload_url")).getRawPath();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest.Builder put =
                    HttpRequest.newBuilder(URI.create(upload)).PUT(HttpRequest.BodyPublishers.ofFile(file));
            presigned
                    .json()
                    .at("/headers")
                    .properties()
                    .forEach(header ->
                            put.header(header.getKey(), header.getValue().asText()));
            assertThat(http.send(put.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            String conversation = direct.post(tenant.path() + "/conversations")
                    .json(Map.of())
                    .send()
                    .expect(201)
                    .text("/id");
            String stored = proxied.post(tenant.path() + "/conversations/" + conversation + "/messages")
                    .json(Map.of("content_type", "text/csv", "filename", presigned.text("/filename")))
                    .send()
                    .expect(200)
                    .text("/metadata/file/path");
            Path copy = directory.resolve("copy.csv");
            HttpRequest get = HttpRequest.newBuilder(URI.create(nginx.url() + "/developer/api/media/files/" + stored))
                    .header("Authorization", "Bearer " + organizations.key(tenant.id()))
                    .build();
            http.send(get, HttpResponse.BodyHandlers.ofFile(copy));
            assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
        }
    }
}
