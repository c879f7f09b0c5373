package dev.parley.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** An application with DBOS Transact, in a database of its own in Parley's PostgreSQL. */
final class DbosApplication implements ComparedSystem {
    private static final String MAIN_CLASS = "dev.parley.bench.peer.DbosPeer";
    private static final String DATABASE = "dbos";

    private final ParleyNodes parley;
    private final Process process;
    private final String url;

    private DbosApplication(ParleyNodes parley, Process process, String url) {
        this.parley = parley;
        this.process = process;
        this.url = url;
    }

    static DbosApplication start(ParleyNodes parley, PeerInstallation peers, Path directory) {
        createDatabase(parley);
        try {
            int port = Service.freePort();
            Service postgres = parley.first();
            String jdbcUrl = "jdbc:postgresql://127.0.0.1:" + postgres.databasePort() + "/" + DATABASE;
            Path log = directory.resolve("dbos.log");
            Process process = JavaProcess.start(
                    PeerInstallation.JVM_FLAGS,
                    peers.classPath(),
                    MAIN_CLASS,
                    List.of(Integer.toString(port), jdbcUrl, "parley", postgres.databasePassword()),
                    Map.of(),
                    log);
            var application = new DbosApplication(parley, process, "http://127.0.0.1:" + port);
            PeerInstallation.awaitSuccess(process, log, application.url, "POST", "/1", "Hello");
            return application;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void createDatabase(ParleyNodes parley) {
        try (Connection connection = parley.database().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + DATABASE);
        } catch (SQLException e) {
            throw new BenchException("The database for DBOS could not be created: " + e.getMessage());
        }
    }

    @Override
    public String name() {
        return "DBOS";
    }

    @Override
    public Load load(String job) {
        String path = job.equals(Jobs.ONE_TASK) ? "/1" : "/10";
        return new Load(List.of(url), "POST", path, "Hello", Map.of(), List.of(), ServiceLoads.CALLERS);
    }

    @Override
    public ResourceUse used() {
        ResourceUse postgres = parley.used();
        return new ResourceUse(Usage.process(process.pid()), 0, postgres.database(), postgres.wal());
    }
}
