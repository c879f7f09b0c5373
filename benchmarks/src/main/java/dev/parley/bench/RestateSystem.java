package dev.parley.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A Restate server of one node with a worker. It stores everything itself and syncs it to the disk, as by default. */
final class RestateSystem implements ComparedSystem {
    private static final String MAIN_CLASS = "dev.parley.bench.peer.RestatePeer";

    private final RestateServer server;
    private final Process worker;

    private RestateSystem(RestateServer server, Process worker) {
        this.server = server;
        this.worker = worker;
    }

    static RestateSystem start(PeerInstallation peers, Path directory) {
        RestateServer server = RestateServer.start(peers, directory);
        int workerPort = RestateServer.endpointPort();
        Process worker = JavaProcess.start(
                PeerInstallation.JVM_FLAGS,
                peers.classPath(),
                MAIN_CLASS,
                List.of(Integer.toString(workerPort)),
                Map.of(),
                directory.resolve("restate-worker.log"));
        server.await("POST", "/deployments", "{\"uri\":\"http://127.0.0.1:" + workerPort + "\"}");
        return new RestateSystem(server, worker);
    }

    @Override
    public String name() {
        return "Restate";
    }

    /** The caller chooses the id of a workflow. */
    @Override
    public Load load(String job) {
        String path = job.equals(Jobs.ONE_TASK) ? "/OneTask/@n/run" : "/TenTasks/@n/run";
        return new Load(List.of(server.ingress()), "POST", path, "Hello", Map.of(), List.of(), ServiceLoads.CALLERS);
    }

    @Override
    public ResourceUse used() {
        return new ResourceUse(Usage.process(worker.pid()), server.cpu(), 0, 0);
    }
}
