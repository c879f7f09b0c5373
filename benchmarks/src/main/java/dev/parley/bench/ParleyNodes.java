package dev.parley.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import javax.sql.DataSource;

/** One or more nodes of Parley on one PostgreSQL, which the first node embeds. */
final class ParleyNodes implements ComparedSystem {
    private static final String SECRET = "the secret of all nodes of a bench";

    private static final String UNUSED_CALLBACK = "http://127.0.0.1:9/";

    private final String name;
    private final List<Service> nodes;
    private final DataSource database;
    private final Set<Long> driver;
    private final DoubleSupplier engineServer;
    private final Map<String, Load> loads = new HashMap<>();

    private ParleyNodes(String name, List<Service> nodes, DoubleSupplier engineServer) {
        this.name = name;
        this.nodes = nodes;
        this.engineServer = engineServer;
        this.database = nodes.getFirst().dataSource(1);
        this.driver = Messages.backends(database);
    }

    static ParleyNodes start(String name, Path directory, int count) {
        Map<String, String> secret = Map.of("PARLEY_SECRET", SECRET);
        List<Service> nodes = new ArrayList<>(List.of(Service.start(directory.resolve("node-1"), secret)));
        while (nodes.size() < count) {
            Map<String, String> settings = new HashMap<>(secret);
            settings.put("PARLEY_DB_URL", nodes.getFirst().jdbcUrl());
            settings.put("PARLEY_FILES", directory.resolve("node-1/files").toString());
            nodes.add(Service.start(directory.resolve("node-" + (nodes.size() + 1)), settings));
        }
        return new ParleyNodes(name, nodes, () -> 0);
    }

    /** A node whose instances run on a Restate server. */
    static ParleyNodes startOnRestate(String name, Path directory, RestateServer server) {
        Service node = Service.start(
                directory.resolve("node-1"),
                Map.of(
                        "PARLEY_SECRET", SECRET,
                        "PARLEY_ENGINE", "restate",
                        "PARLEY_RESTATE_INGRESS_URL", server.ingress(),
                        "PARLEY_RESTATE_ADMIN_URL", server.admin(),
                        "PARLEY_RESTATE_ENDPOINT_PORT", Integer.toString(RestateServer.endpointPort())));
        return new ParleyNodes(name, List.of(node), server::cpu);
    }

    @Override
    public String name() {
        return name;
    }

    /** The node that has the database. */
    Service first() {
        return nodes.getFirst();
    }

    DataSource database() {
        return database;
    }

    List<String> urls() {
        return nodes.stream().map(Service::url).toList();
    }

    /** Creates an organization with the workflows of the triggers. */
    Tenant addTriggers() {
        var api = new Api(first().url());
        Tenant tenant = Tenant.create(api, database, UNUSED_CALLBACK);
        addTrigger(Jobs.ONE_TASK, tenant, api, "one-task.json");
        addTrigger(Jobs.TEN_TASKS, tenant, api, "ten-tasks.json");
        return tenant;
    }

    private void addTrigger(String job, Tenant tenant, Api api, String example) {
        String workflow =
                tenant.workflow(api, example).orElseThrow(() -> new BenchException("The service runs no workflows."));
        addLoad(job, ServiceLoads.trigger(urls(), tenant.key(), workflow));
    }

    void addLoad(String job, Load load) {
        loads.put(job, load);
    }

    @Override
    public Load load(String job) {
        return loads.get(job);
    }

    @Override
    public ResourceUse used() {
        return new ResourceUse(
                nodes.stream().mapToDouble(node -> Usage.process(node.pid())).sum(),
                engineServer.getAsDouble(),
                Usage.database(first(), driver),
                WriteAheadLog.position(database));
    }

    @Override
    public void awaitIdle() {
        Messages.awaitProcessed(database);
    }

    /** The node with the database stops last. */
    void stop() {
        nodes.reversed().forEach(Service::stop);
    }
}
