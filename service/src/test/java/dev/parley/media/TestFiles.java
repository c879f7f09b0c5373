package dev.parley.media;

import dev.parley.Api;
import dev.parley.Tenant;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small real files, and the three steps by which a client sends them. */
public final class TestFiles {
    public static final byte[] PNG = java.util.Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
    public static final byte[] PDF = bytes("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
    public static final byte[] CSV = bytes("name,amount\nExample,12.50\n");
    public static final byte[] GIF = bytes("GIF89a\1\0\1\0\0\0\0;");
    public static final byte[] MP3 = bytes("ID3\3\0\0\0\0\0\0");
    public static final byte[] MP4 = bytes("\0\0\0\30ftypisom\0\0\2\0isomiso2mp41\0\0\0\10free");
    public static final byte[] WEBM =
            bytes("\32\105\337\243\237B\206\201\1B\367\201\1B\362\201\4B\363\201\10B\202\204webmB\207\201\4");
    public static final byte[] WAV = bytes("RIFF\44\0\0\0WAVEfmt \20\0\0\0\1\0\1\0");
    public static final byte[] JPEG = bytes("\377\330\377\340\0\20JFIF\0\1\1\0\0\1\0\1\0\0\377\331");
    public static final String XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private TestFiles() {}

    public static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A zip archive with these entries. */
    public static byte[] zip(String... names) {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(bytes("<x/>"));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    public static byte[] xlsx() {
        return zip("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/worksheets/sheet1.xml");
    }

    /** Step 1. */
    public static Api.Answer presign(Tenant tenant, String filename, String type) {
        return tenant.post("/media/presigned-url", Map.of("filename", filename, "content_type", type));
    }

    /** Step 2, with the headers from step 1. */
    public static int put(Api.Answer presigned, byte[] bytes) {
        var request = HttpRequest.newBuilder(URI.create(presigned.text("/upload_url")))
                .PUT(HttpRequest.BodyPublishers.ofByteArray(bytes));
        presigned
                .json()
                .at("/headers")
                .properties()
                .forEach(header ->
                        request.header(header.getKey(), header.getValue().asText()));
        return send(request.build()).statusCode();
    }

    /** Steps 1 and 2; returns the response of the first. */
    public static Api.Answer upload(Tenant tenant, String filename, String type, byte[] bytes) {
        Api.Answer presigned = presign(tenant, filename, type).expect(201);
        int status = put(presigned, bytes);
        if (status != 200) {
            throw new AssertionError("the upload answered " + status);
        }
        return presigned;
    }

    /** Step 3. */
    public static Api.Answer send(Tenant tenant, String conversation, String filename, String type) {
        return tenant.post(
                "/messages", Map.of("conversation_id", conversation, "content_type", type, "filename", filename));
    }

    /** All three steps; returns the message. */
    public static Api.Answer sent(Tenant tenant, String filename, String type, byte[] bytes) {
        String stored = upload(tenant, filename, type, bytes).text("/filename");
        return send(tenant, tenant.conversation(), stored, type).expect(200);
    }

    /** A download as bytes. */
    public static HttpResponse<byte[]> download(String method, String key, String path, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(new Api().base().replaceAll("/$", "") + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .header("Authorization", "Bearer " + key);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    /** The URL-encoded path of a file's download. */
    public static String path(String stored) {
        try {
            return "/developer/api/media/files/"
                    + new URI(null, null, stored, null).getRawPath().replace("+", "%2B");
        } catch (java.net.URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static HttpResponse<byte[]> send(HttpRequest request) {
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
