package dev.parley.chaos;

import dev.parley.FreePort;
import dev.parley.engine.restate.RestateIdentity;
import dev.parley.engine.restate.RestateInstallation;
import dev.parley.engine.restate.RestateProcess;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Three Restate servers that store each entry of the log twice, with a balancer before them and one before the
 * endpoints of the nodes.
 */
final class RestateCluster implements AutoCloseable {
    private static final int REPLICATION = 2;

    private final RestateIdentity identity = RestateIdentity.create();
    private final List<RestateProcess> servers;
    private final LoadBalancer ingress = new LoadBalancer(HttpVersion.HTTP_1_1);
    private final LoadBalancer admin = new LoadBalancer(HttpVersion.HTTP_1_1);
    private final LoadBalancer endpoints = new LoadBalancer(HttpVersion.HTTP_2);

    private RestateCluster(List<RestateProcess> servers) {
        this.servers = servers;
    }

    /** Starts the servers. */
    static RestateCluster start(Path directory) throws IOException, InterruptedException {
        Path binary = RestateInstallation.binary();
        List<RestateProcess> servers = Stream.of("restate-1", "restate-2", "restate-3")
                .map(name -> new RestateProcess(binary, directory.resolve(name), name))
                .toList();
        var cluster = new RestateCluster(servers);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().unstarted(() -> servers.forEach(RestateProcess::kill)));
        Path key = cluster.identity.write(directory.resolve("identity.pem"));
        for (RestateProcess server : servers) {
            server.configure(servers, REPLICATION, key);
            server.start();
            cluster.ingress.add(server.name(), server.ingress().getPort(), server.health());
            cluster.admin.add(
                    server.name(), server.admin().getPort(), server.admin().resolve("/health"));
        }
        servers.forEach(RestateProcess::awaitReady);
        return cluster;
    }

    /** The settings of a node, whose endpoint gets a port of its own. */
    Map<String, String> settings() {
        return Map.of(
                "PARLEY_ENGINE", "restate",
                "PARLEY_RESTATE_INGRESS_URL", ingress.at("").toString(),
                "PARLEY_RESTATE_ADMIN_URL", admin.at("").toString(),
                "PARLEY_RESTATE_ENDPOINT_PORT", Integer.toString(FreePort.next()),
                "PARLEY_RESTATE_ENDPOINT_URL", endpoints.at("").toString(),
                "PARLEY_RESTATE_IDENTITY_KEY", identity.publicKey());
    }

    /** Passes calls of Restate to a node while it is ready. */
    void passTo(ChaosNode node) {
        endpoints.add(
                node.name(), Integer.parseInt(node.setting("PARLEY_RESTATE_ENDPOINT_PORT")), node.at("/health/ready"));
    }

    List<RestateProcess> servers() {
        return servers;
    }

    @Override
    public void close() {
        servers.forEach(RestateProcess::kill);
        List.of(ingress, admin, endpoints).forEach(LoadBalancer::close);
    }
}
