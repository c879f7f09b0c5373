package dev.parley.media;

import static dev.parley.media.TestFiles.bytes;
import static dev.parley.media.TestFiles.download;
import static dev.parley.media.TestFiles.presign;
import static dev.parley.media.TestFiles.put;
import static dev.parley.media.TestFiles.send;
import static dev.parley.media.TestFiles.sent;
import static dev.parley.media.TestFiles.upload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Malicious files, names and paths: each is rejected or made harmless. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class HostileMediaTest {
    private static final String SVG = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    private static final String HTML = "<!DOCTYPE html><html><script>alert(1)</script></html>";

    static Stream<Arguments> wrongBytes() {
        return Stream.of(
                Arguments.of("an SVG as PNG", "image/png", bytes(SVG)),
                Arguments.of("HTML as PNG", "image/png", bytes(HTML)),
                Arguments.of("HTML as JPEG", "image/jpeg", bytes(HTML)),
                Arguments.of("HTML as PDF", "application/pdf", bytes(HTML)),
                Arguments.of("HTML in front of a PDF", "application/pdf", bytes(HTML + "%PDF-1.4\n%%EOF")),
                Arguments.of("HTML as CSV", "text/csv", bytes(HTML)),
                Arguments.of("an SVG as CSV", "text/csv", bytes(SVG)),
                Arguments.of("binary as CSV", "text/csv", bytes("a,b\n\0\1\2")),
                Arguments.of("PNG as GIF", "image/gif", TestFiles.PNG),
                Arguments.of("PNG as MP3", "audio/mpeg", TestFiles.PNG),
                Arguments.of("a program as MP4", "video/mp4", bytes("MZ\220\0\3\0\0\0\4\0\0\0\377\377\0\0")),
                Arguments.of("ELF as PNG", "image/png", bytes("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0")),
                Arguments.of("a script as PNG", "image/png", bytes("#!/bin/sh\nrm -rf /\n")),
                Arguments.of("a plain zip as XLSX", TestFiles.XLSX_TYPE, TestFiles.zip("a.txt", "b.exe")),
                Arguments.of(
                        "a DOCX as XLSX",
                        TestFiles.XLSX_TYPE,
                        TestFiles.zip("[Content_Types].xml", "word/document.xml")),
                Arguments.of(
                        "an XLSX with macros",
                        TestFiles.XLSX_TYPE,
                        TestFiles.zip("[Content_Types].xml", "xl/workbook.xml", "xl/vbaProject.bin")),
                Arguments.of("MKV as WEBM", "video/webm", bytes("\32\105\337\243\243B\206\201\1B\202\210matroska")),
                Arguments.of("nothing", "image/png", new byte[0]));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongBytes")
    void bytesOfAnotherTypeAreRefused(String what, String type, byte[] bytes) {
        Tenant tenant = Tenant.create();
        String stored = upload(tenant, "innocent.png", type, bytes).text("/filename");
        String conversation = tenant.conversation();
        Api.Answer answer = send(tenant, conversation, stored, type).expect(400);
        assertThat(answer.text("/errors/0/path")).isEqualTo("/filename");
        assertThat(tenant.get("/conversations/" + conversation + "/messages").body())
                .isEqualTo("[]");
    }

    /** A polyglot file has the declared type and another one; no client gets the other one. */
    @Test
    void polyglotsAreHarmlessWhenTheyAreDownloaded() {
        Tenant tenant = Tenant.create();
        byte[] gif = bytes("GIF89a/*\1\0\0\0\0*/=1;alert(1)");
        byte[] pdf = bytes("%PDF-1.4\n<html><script>alert(1)</script></html>\n%%EOF");
        for (var file : Map.of("image/gif", gif, "application/pdf", pdf).entrySet()) {
            String path = sent(tenant, "x.gif", file.getKey(), file.getValue()).text("/metadata/file/path");
            HttpResponse<byte[]> got = download("GET", tenant.key(), TestFiles.path(path));
            assertThat(got.headers().firstValue("Content-Type")).contains(file.getKey());
            assertThat(got.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
            assertThat(got.headers().firstValue("Content-Disposition").orElseThrow())
                    .startsWith("attachment;");
            assertThat(got.headers().firstValue("Content-Security-Policy")).contains("sandbox; default-src 'none'");
        }
    }

    static Stream<Arguments> names() {
        return Stream.of(
                Arguments.of("../../etc/passwd.png", "passwd.png"),
                Arguments.of("..\\..\\windows\\evil.png", "evil.png"),
                Arguments.of("/absolute/path.png", "path.png"),
                Arguments.of("line\r\nSet-Cookie: a=b.png", "lineSet-Cookie: a=b.png"),
                Arguments.of("photo\u202Egnp.exe.png", "photognp.exe.png"),
                Arguments.of("\uFEFF\u2066hidden\u2069.png", "hidden.png"),
                Arguments.of("漢字 😀.png", "漢字 😀.png"),
                Arguments.of("quote\";x=\"y.png", "quote\";x=\"y.png"),
                Arguments.of("per%2e%2e%2fcent+plus.png", "per%2e%2e%2fcent+plus.png"),
                Arguments.of("semi;colon?query#hash&.png", "semi;colon?query#hash&.png"),
                Arguments.of(".htaccess", ".htaccess"),
                Arguments.of("x".repeat(500) + ".png", "x".repeat(176) + ".png"),
                Arguments.of("😀".repeat(200) + ".png", "😀".repeat(44) + ".png"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void namesAreMadeSafeAndWork(String name, String safe) {
        Tenant tenant = Tenant.create();
        Api.Answer presigned = upload(tenant, name, "image/png", TestFiles.PNG);
        assertThat(presigned.text("/filename")).matches("(?s)\\d{8}_\\d{6}_.*").endsWith(safe);
        assertThat(presigned.text("/filename").substring(16)).isEqualTo(safe);
        assertThat(presigned.text("/filename").getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(196);
        String path = send(tenant, tenant.conversation(), name, "image/png")
                .expect(200)
                .text("/metadata/file/path");
        assertThat(send(tenant, tenant.conversation(), presigned.text("/filename"), "image/png")
                        .expect(200)
                        .text("/metadata/file/path"))
                .isEqualTo(path);
        HttpResponse<byte[]> got = download("GET", tenant.key(), TestFiles.path(path));
        assertThat(got.statusCode()).isEqualTo(200);
        assertThat(got.body()).isEqualTo(TestFiles.PNG);
        assertThat(got.headers().firstValue("Content-Disposition").orElseThrow())
                .matches("attachment; filename=\"[ !#-\\[\\]-~]*\"; filename\\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]*");
    }

    @Test
    void aNulInANameIsRefused() {
        assertThat(presign(Tenant.create(), "a\0.png", "image/png").expect(400).text("/errors/0/path"))
                .isEqualTo("/filename");
    }

    @Test
    void anOverlongNameIsRefused() {
        presign(Tenant.create(), "x".repeat(1_025), "image/png").expect(400);
    }

    @Test
    void aSecondPutAfterTheCheckChangesNothing() {
        Tenant tenant = Tenant.create();
        Api.Answer presigned = upload(tenant, "a.png", "image/png", TestFiles.PNG);
        String path = send(tenant, tenant.conversation(), presigned.text("/filename"), "image/png")
                .expect(200)
                .text("/metadata/file/path");
        assertThat(put(presigned, bytes(HTML))).isEqualTo(409);
        assertThat(download("GET", tenant.key(), TestFiles.path(path)).body()).isEqualTo(TestFiles.PNG);
    }

    @ParameterizedTest
    @CsvSource({"evil.example/x", "evil.example@good", "a b", "'<script>'"})
    void aForgedHostIsNotRepeated(String host) throws Exception {
        Tenant tenant = Tenant.create();
        var base = java.net.URI.create(new Api().base());
        String body = "{\"filename\":\"a.png\",\"content_type\":\"image/png\"}";
        try (var socket = new java.net.Socket(base.getHost(), base.getPort())) {
            socket.getOutputStream()
                    .write(("POST /developer/api/media/presigned-url HTTP/1.1\r\nHost: " + host
                                    + "\r\nAuthorization: Bearer " + tenant.key()
                                    + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                                    + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 ").doesNotContain(host);
        }
    }

    @Test
    void theTypesOfTheDeclarationAndTheMessageMustAgree() {
        Tenant tenant = Tenant.create();
        String stored = upload(tenant, "a.gif", "image/gif", TestFiles.GIF).text("/filename");
        send(tenant, tenant.conversation(), stored, "image/png").expect(400);
        send(tenant, tenant.conversation(), stored, "text/html").expect(400);
        send(tenant, tenant.conversation(), stored, "nonsense").expect(400);
    }
}
