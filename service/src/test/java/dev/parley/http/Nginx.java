package dev.parley.http;

import dev.parley.FreePort;
import dev.parley.Tenant;
import dev.parley.disk.FileTrees;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A real nginx in front of the service with the configuration of {@code deploy/}, which compresses JSON. */
final class Nginx implements AutoCloseable {
    private static final String CONFIGURATION = """
            daemon off; master_process off; pid DIR/pid; error_log DIR/error.log;
            events {}
            http {
              access_log off; client_body_temp_path DIR/body; proxy_temp_path DIR/proxy;
              fastcgi_temp_path DIR/fastcgi; uwsgi_temp_path DIR/uwsgi; scgi_temp_path DIR/scgi;
              include DIR/parley.conf;
            }
            """;

    /** The file that operators copy. */
    private static final Path DEPLOYED = Path.of("../deploy/nginx/parley.conf");

    private final Path directory;
    private final Process process;
    private final int port = FreePort.next();

    Nginx(String service) throws IOException {
        directory = Files.createTempDirectory("nginx").toAbsolutePath();
        Path file = directory.resolve("nginx.conf");
        Files.writeString(file, CONFIGURATION.replace("DIR", directory.toString()));
        Files.writeString(directory.resolve("parley.conf"), plain(Files.readString(DEPLOYED), service));
        process = new ProcessBuilder("nginx", "-c", file.toString(), "-p", directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output.log").toFile())
                .start();
        Tenant.eventually(Duration.ofMinutes(2), this::listens, listens -> listens);
    }

    /**
     * The deployed file without TLS and its redirecting server, on a port of this machine; small responses are compressed
     * too, and the first node of the upstream is one that refuses connections.
     */
    private String plain(String deployed, String service) throws IOException {
        String node = URI.create(service).getAuthority();
        return deployed.replaceFirst("(?s)server \\{\\s+listen 80;.*?\\n}", "")
                .replaceAll("(?m)^ *(ssl_.*|listen \\[.*)$", "")
                .replace("listen 443 ssl http2", "listen 127.0.0.1:" + port)
                .replace("gzip_min_length 1000", "gzip_min_length 0")
                .replace(
                        "server 127.0.0.1:8080",
                        "server 127.0.0.1:" + FreePort.next() + " max_fails=1; server " + node);
    }

    private boolean listens() {
        if (!process.isAlive()) {
            throw new AssertionError("nginx ended: see " + directory);
        }
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().join();
        FileTrees.delete(directory);
    }
}
