package dev.parley.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The PostgreSQL of a cluster's nodes, and the faults that can be injected into it. */
abstract class ChaosDatabase {
    private final Path directory;

    /** @param directory of an embedded PostgreSQL */
    ChaosDatabase(Path directory) {
        this.directory = directory;
    }

    /** The settings with which nodes use it. */
    abstract Map<String, String> settings();

    /** The name of the nodes' database. */
    abstract String name();

    /** Kills the server process at an arbitrary moment. Its supervisor restarts it. */
    void killServer() throws IOException {
        server().ifPresent(ProcessHandle::destroyForcibly);
    }

    /** The server process; empty while it is being restarted. */
    Optional<ProcessHandle> server() throws IOException {
        try {
            return ProcessHandle.of(Long.parseLong(serverFile().getFirst()));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /** Kills a backend process, which makes PostgreSQL close all connections. */
    void killBackend() throws IOException {
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("""
                        SELECT pid FROM pg_stat_activity
                        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
                        ORDER BY random() LIMIT 1
                        """)) {
            if (rows.next()) {
                ProcessHandle.of(rows.getLong(1)).ifPresent(ProcessHandle::destroyForcibly);
            }
        } catch (SQLException | NoSuchFileException _) {
            // It is being restarted at the moment.
        }
    }

    /** A connection for the reconciliation, which bypasses the service. */
    Connection connect() throws SQLException, IOException {
        String url = "jdbc:postgresql://127.0.0.1:" + serverFile().get(3) + "/" + name();
        String password = Files.readString(directory.resolve("password")).strip();
        return DriverManager.getConnection(url, "parley", password);
    }

    /** The server's postmaster.pid: the process id is the first line, the port the fourth. */
    private List<String> serverFile() throws IOException {
        return Files.readAllLines(directory.resolve("cluster/postmaster.pid")).stream()
                .map(String::strip)
                .toList();
    }

    /** Ends the server, and waits for it. */
    abstract void close();
}
