package dev.parley.http;

import dev.parley.FreePort;
import dev.parley.Tenant;
import dev.parley.disk.FileTrees;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A real nginx in front of the service that compresses JSON, as many installations have it. */
final class Nginx implements AutoCloseable {
    private static final String CONFIGURATION = """
            daemon off; master_process off; pid DIR/pid; error_log DIR/error.log;
            events {}
            http {
              access_log off; client_body_temp_path DIR/body; proxy_temp_path DIR/proxy;
              fastcgi_temp_path DIR/fastcgi; uwsgi_temp_path DIR/uwsgi; scgi_temp_path DIR/scgi;
              gzip on; gzip_types application/json text/csv; gzip_min_length 0; gzip_proxied any;
              server {
                listen 127.0.0.1:PORT;
                client_max_body_size 100m;
                location / {
                  proxy_pass SERVICE; proxy_http_version 1.1; proxy_set_header Connection "";
                  proxy_set_header Host $http_host; proxy_read_timeout 130s;
                }
              }
            }
            """;

    private final Path directory;
    private final Process process;
    private final int port = FreePort.next();

    Nginx(String service) throws IOException {
        directory = Files.createTempDirectory("nginx").toAbsolutePath();
        Path file = directory.resolve("nginx.conf");
        Files.writeString(
                file,
                CONFIGURATION
                        .replace("DIR", directory.toString())
                        .replace("PORT", Integer.toString(port))
                        .replace("SERVICE", service.replaceAll("/$", "")));
        process = new ProcessBuilder("nginx", "-c", file.toString(), "-p", directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output.log").toFile())
                .start();
        Tenant.eventually(Duration.ofMinutes(2), this::listens, listens -> listens);
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
