package dev.parley.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The document is compressed, and not sent again to a client that has it. Its pages are tested in a browser. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ApiDocumentationTest {
    private final HttpClient client = HttpClient.newHttpClient();

    @ParameterizedTest
    @CsvSource({
        "/openapi.json, application/json;charset=UTF-8",
        "/openapi.yaml, application/yaml;charset=UTF-8",
        "/openapi, application/yaml;charset=UTF-8",
        "/openapi?format=JSON, application/json;charset=UTF-8",
        "/openapi/dashboard.json, application/json;charset=UTF-8",
        "/openapi/dashboard, application/yaml;charset=UTF-8"
    })
    void eachIsServedPlainOrCompressedOrNotAtAll(String path, String type) throws Exception {
        HttpResponse<byte[]> plain = get(path, "Accept", "*/*");
        HttpResponse<byte[]> packed = get(path, "Accept-Encoding", "br, gzip;q=0.8");

        assertThat(plain.statusCode()).isEqualTo(200);
        assertThat(plain.headers().firstValue("Content-Type")).contains(type);
        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(packed.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(unpacked(packed.body())).isEqualTo(plain.body());
        for (HttpResponse<byte[]> one : List.of(plain, packed)) {
            assertThat(one.headers().firstValue("Vary")).contains("Accept-Encoding");
            assertThat(one.headers().firstValue("Cache-Control")).contains("no-cache");
            assertThat(one.headers().firstValue("X-Request-Id")).isPresent();
            String tag = one.headers().firstValue("ETag").orElseThrow();
            HttpResponse<byte[]> again = get(path, "If-None-Match", "\"x\", " + tag);
            assertThat(again.statusCode()).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            assertThat(again.headers().firstValue("ETag")).contains(tag);
            assertThat(again.headers().firstValue("Vary")).contains("Accept-Encoding");
        }
        assertThat(get(path, "If-None-Match", "\"x\"").statusCode()).isEqualTo(200);
    }

    @Test
    void theDocumentIsJsonOnRequest() throws Exception {
        assertThat(get("/openapi", "Accept", "application/json").body())
                .isEqualTo(get("/openapi.json", "Accept", "*/*").body());
        assertThat(new String(get("/openapi", "Accept", "*/*").body(), StandardCharsets.UTF_8))
                .contains("openapi: 3.1");
    }

    @Test
    void headHasTheLengthButNoBody() {
        Api.Answer head =
                new Api().method("HEAD", "/openapi/dashboard.json").send().expect(200);

        assertThat(head.body()).isEmpty();
        assertThat(Integer.parseInt(head.header("Content-Length"))).isGreaterThan(100_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/openapi.json", "/openapi", "/openapi/dashboard.json"})
    void theyAreReadOnly(String path) {
        assertThat(new Api().put(path).json("{}").send().expect(405).header("Allow"))
                .isEqualTo("GET, HEAD, OPTIONS");
        assertThat(new Api().method("OPTIONS", path).send().expect(200).header("Allow"))
                .isEqualTo("GET, HEAD, OPTIONS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/docs/nothing.js",
                "/docs/../application.properties",
                "/docs/%2e%2e/x.js",
                "/openapi.txt",
                "/openapi/other.json"
            })
    void nothingElseIsThere(String path) {
        new Api().get(path).send().expect(404);
    }

    private HttpResponse<byte[]> get(String path, String header, String value) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(new Api().base().replaceAll("/$", "") + path))
                        .header(header, value)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static byte[] unpacked(byte[] packed) throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
    }
}
