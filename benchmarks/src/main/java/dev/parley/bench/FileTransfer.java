package dev.parley.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;

/**
 * How fast a file of 90 MB goes into the embedded store and out again, in megabytes a second, beside a plain copy of it
 * on the same disk.
 *
 * @param copy a copy and its fsync
 * @param upload the PUT, which ends with its fsync
 * @param check the POST /messages that reads and hashes the whole file
 * @param download the GET, written to a file
 * @param path under which the file can be downloaded
 */
record FileTransfer(double copy, double upload, double check, double download, String path) {
    private static final int BYTES = 90_000_000;
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    static FileTransfer measure(Api api, String url, Tenant tenant, Path directory) {
        try {
            Path file = directory.resolve("upload.mp3");
            if (!Files.exists(file)) {
                byte[] bytes = new byte[BYTES];
                new Random(1).nextBytes(bytes);
                bytes[0] = 'I';
                bytes[1] = 'D';
                bytes[2] = '3';
                Files.write(file, bytes);
            }
            double copy = timed(() -> copy(file, directory.resolve("copy.mp3")));
            JsonNode presigned = api.call(
                    "POST",
                    "/developer/api/media/presigned-url",
                    Map.of("filename", "upload.mp3", "content_type", "audio/mpeg", "size", BYTES));
            double upload = timed(() -> upload(presigned, file));
            JsonNode[] message = new JsonNode[1];
            double check = timed(() -> message[0] = api.call(
                    "POST",
                    "/developer/api/messages",
                    Map.of(
                            "conversation_id",
                            tenant.conversations().getFirst(),
                            "content_type",
                            "audio/mpeg",
                            "filename",
                            presigned.get("filename").asText())));
            String path = message[0].at("/metadata/file/path").asText();
            double download = timed(() -> download(
                    url + "/developer/api/media/files/" + path, tenant.key(), directory.resolve("download.mp3")));
            return new FileTransfer(copy, upload, check, download, path);
        } catch (IOException e) {
            throw new BenchException("Files: " + e);
        }
    }

    /** Something that takes its time. */
    private interface Work {
        void run() throws IOException;
    }

    private static double timed(Work work) throws IOException {
        long begin = System.nanoTime();
        work.run();
        return BYTES / 1e6 / ((System.nanoTime() - begin) / 1e9);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(to, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static void upload(JsonNode presigned, Path file) throws IOException {
        var request = HttpRequest.newBuilder(
                        URI.create(presigned.get("upload_url").asText()))
                .header("Content-Type", "audio/mpeg")
                .PUT(HttpRequest.BodyPublishers.ofFile(file));
        expect(send(request.build(), HttpResponse.BodyHandlers.discarding()));
    }

    private static void download(String url, String key, Path to) throws IOException {
        var request = HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + key);
        expect(send(request.build(), HttpResponse.BodyHandlers.ofFile(to)));
        if (Files.size(to) != BYTES) {
            throw new BenchException("The download is not whole.");
        }
    }

    private static void expect(HttpResponse<?> response) {
        if (response.statusCode() != 200) {
            throw new BenchException(response.request().method() + " of a file answered " + response.statusCode());
        }
    }

    private static <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException {
        try {
            return CLIENT.send(request, handler);
        } catch (InterruptedException e) {
            throw new BenchException("interrupted");
        }
    }
}
