package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A Restate server of one node with a worker. It stores everything itself and syncs it to the disk, as by default. */
final class RestateSystem implements ComparedSystem {
    private static final String MAIN_CLASS = "dev.parley.bench.peer.RestatePeer";

    private final Process server;
    private final Process worker;
    private final String ingress;

    private RestateSystem(Process server, Process worker, String ingress) {
        this.server = server;
        this.worker = worker;
        this.ingress = ingress;
    }

    static RestateSystem start(PeerInstallation peers, Path directory) {
        try {
            int workerPort = Service.freePort();
            int ingressPort = Service.freePort();
            int adminPort = Service.freePort();
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
            Process server = Children.start(builder);
            Path workerLog = directory.resolve("restate-worker.log");
            Process worker = JavaProcess.start(
                    PeerInstallation.JVM_FLAGS,
                    peers.classPath(),
                    MAIN_CLASS,
                    List.of(Integer.toString(workerPort)),
                    Map.of(),
                    workerLog);
            String admin = "http://127.0.0.1:" + adminPort;
            String deployment = "{\"uri\":\"http://127.0.0.1:" + workerPort + "\"}";
            PeerInstallation.awaitSuccess(server, log, admin, "POST", "/deployments", deployment);
            return new RestateSystem(server, worker, "http://127.0.0.1:" + ingressPort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Four partitions cost less than the default of 24 on a small machine. */
    private static String configuration(int ingressPort, int adminPort, int nodePort) {
        return """
                node-name = "bench"
                cluster-name = "bench"
                auto-provision = true
                default-num-partitions = 4
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

    @Override
    public String name() {
        return "Restate";
    }

    /** The caller chooses the id of a workflow. */
    @Override
    public Load load(String job) {
        String path = job.equals(Jobs.ONE_TASK) ? "/OneTask/@n/run" : "/TenTasks/@n/run";
        return new Load(List.of(ingress), "POST", path, "Hello", Map.of(), List.of(), ServiceLoads.CALLERS);
    }

    @Override
    public ResourceUse used() {
        return new ResourceUse(Usage.process(worker.pid()), Usage.process(server.pid()), 0, 0);
    }
}
