package dev.parley.db;

import dev.parley.TestSize;
import dev.parley.db.embedded.EmbeddedPostgres;
import dev.parley.settings.Setting;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The PostgreSQL of the tests: one for the whole run, under {@code target/}, with a fresh database for each caller.
 * Found by system properties, because Quarkus loads test classes more than once.
 */
public final class TestPostgres {
    private static final String URL = "parley.test.postgres.url";
    private static final String PASSWORD = "parley.test.postgres.password";
    private static final String TEMPLATE = "parley.test.postgres.template";

    /** Parallel test runs, as in {@code ./parley test}, each need their own directory. */
    private static final String DIRECTORY = "parley.test.postgres.directory";

    private static final AtomicInteger COUNT = new AtomicInteger();

    private TestPostgres() {}

    /** The settings of a new, empty database. */
    public static Map<String, String> freshDatabase() {
        start();
        return create("template1");
    }

    @SuppressWarnings("LockOnNonEnclosingClassLiteral") // The enclosing class may be loaded twice; System is not.
    private static void start() {
        synchronized (System.class) {
            if (System.getProperty(URL) == null) {
                Path directory = Path.of(System.getProperty(DIRECTORY, "target/test-postgres"));
                EmbeddedPostgres postgres =
                        EmbeddedPostgres.start(directory.toAbsolutePath(), TestSize.SMALLEST.postgres());
                System.setProperty(PASSWORD, postgres.password());
                System.setProperty(URL, postgres.jdbcUrl());
                // No test simulates a power failure; chaos tests cover kills, with their own cluster.
                administrate("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()");
            }
        }
    }

    private static Map<String, String> create(String template) {
        String name = "test_" + ProcessHandle.current().pid() + "_" + System.nanoTime() + "_" + COUNT.incrementAndGet();
        // A session time zone other than UTC reveals code that depends on it.
        administrate(
                "CREATE DATABASE " + name + " TEMPLATE " + template + " STRATEGY FILE_COPY",
                "ALTER DATABASE " + name + " SET timezone = 'America/St_Johns'");
        String url = System.getProperty(URL);
        return Map.of(
                Setting.PARLEY_DB_URL.name(),
                url.substring(0, url.lastIndexOf('/') + 1) + name,
                Setting.PARLEY_DB_USER.name(),
                "parley",
                Setting.PARLEY_DB_PASSWORD.name(),
                System.getProperty(PASSWORD));
    }

    /** The same, connected. */
    static Database empty() {
        return connect(freshDatabase());
    }

    /** An empty database with the schema, for tests of stores. */
    public static Database migrated() {
        return connect(create(template()));
    }

    /** A database that was migrated once, because copying it is ten times faster. */
    @SuppressWarnings("LockOnNonEnclosingClassLiteral")
    private static String template() {
        synchronized (System.class) {
            if (System.getProperty(TEMPLATE) == null) {
                Map<String, String> settings = freshDatabase();
                try (Database database = connect(settings)) {
                    Migrations.run(database, "the test database");
                }
                System.setProperty(TEMPLATE, nameOf(settings.get(Setting.PARLEY_DB_URL.name())));
            }
            return System.getProperty(TEMPLATE);
        }
    }

    private static Database connect(Map<String, String> settings) {
        return new Database(
                settings.get(Setting.PARLEY_DB_URL.name()),
                settings.get(Setting.PARLEY_DB_USER.name()),
                settings.get(Setting.PARLEY_DB_PASSWORD.name()),
                8);
    }

    /** Makes the running service's database unavailable: ends its connections and rejects new ones. */
    public static void refuseConnections() {
        String name = serviceDatabase();
        administrate(
                "ALTER DATABASE " + name + " ALLOW_CONNECTIONS false",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
    }

    /** Makes it available again. */
    public static void acceptConnections() {
        administrate("ALTER DATABASE " + serviceDatabase() + " ALLOW_CONNECTIONS true");
    }

    /** Makes the running service's database reject writes, like a replica or a server that protects a full disk. */
    public static void refuseWrites() {
        setReadOnly("SET default_transaction_read_only = on");
    }

    /** Makes it accept them again. */
    public static void acceptWrites() {
        setReadOnly("RESET default_transaction_read_only");
    }

    private static void setReadOnly(String change) {
        String name = serviceDatabase();
        administrate(
                "ALTER DATABASE " + name + " " + change,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
    }

    private static String serviceDatabase() {
        return nameOf(System.getProperty(Setting.PARLEY_DB_URL.name()));
    }

    private static String nameOf(String url) {
        return url.substring(url.lastIndexOf('/') + 1);
    }

    private static void administrate(String... statements) {
        registerDriver();
        try (var connection =
                        DriverManager.getConnection(System.getProperty(URL), "parley", System.getProperty(PASSWORD));
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** DriverManager looks for drivers once, possibly in a class loader of Quarkus. */
    private static void registerDriver() {
        try {
            Class.forName("org.postgresql.Driver");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
