package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A Restate server of one node, which syncs its log to the disk as by default. */
record RestateServer(Process process, Path log, String ingress, String admin) {
    static RestateServer start(PeerInstallation peers, Path directory) {
        try {
            int ingressPort = Service.freePort();
            int adminPort = Service.freePort();
            Files.createDirectories(directory);
            Path configuration = directory.resolve("restate.toml");
            Files.writeString(configuration, configuration(ingressPort, adminPort, Service.freePort()));
            Path log = directory.resolve("restate.log");
            var builder = new ProcessBuilder(
                            peers.restateServer(),
                            "--config-file",
                            configuration.toString(),
                            "--base-dir",
                            directory.resolve("restate").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            return new RestateServer(
                    Children.start(builder), log, "http://127.0.0.1:" + ingressPort, "http://127.0.0.1:" + adminPort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With two cores one partition needs two thirds of the CPU of four, and the default is 24 (docs/restate.md). */
    private static String configuration(int ingressPort, int adminPort, int nodePort) {
        return """
                node-name = "bench"
                cluster-name = "bench"
                auto-provision = true
                default-num-partitions = 1
                disable-telemetry = true
                listen-mode = "tcp"
                bind-ip = "127.0.0.1"
                bind-port = %3$d
                advertised-address = "http://127.0.0.1:%3$d/"
                [admin]
                bind-address = "127.0.0.1:%2$d"
                disable-web-ui = true
                [ingress]
                bind-address = "127.0.0.1:%1$d"
                """.formatted(ingressPort, adminPort, nodePort);
    }

    /** Repeats a request to the admin API until it succeeds. */
    void await(String method, String path, String body) {
        PeerInstallation.awaitSuccess(process, log, admin, method, path, body);
    }

    /** A port for what the server calls. */
    static int endpointPort() {
        try {
            return Service.freePort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** CPU seconds so far. */
    double cpu() {
        return Usage.process(process.pid());
    }
}
