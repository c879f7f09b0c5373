package dev.parley.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.parley.metrics.Metric;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Setting;
import dev.parley.settings.SettingsException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.argument.Arguments;
import org.jdbi.v3.core.argument.NullArgument;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jspecify.annotations.Nullable;

/**
 * Connections to PostgreSQL and transactions. An unavailable database becomes an {@link ApiProblem} of kind UNAVAILABLE
 * (503 with Retry-After) wherever it is detected; the pool reconnects by itself.
 */
public final class Database implements AutoCloseable {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);
    private static final int DEADLOCK_ATTEMPTS = 4;

    /**
     * A node suspended in a transaction must not keep its locks (fencing).
     *
     * <p>Every statement reads by index and joins few rows. A prepared statement planned while its table is small would
     * use a sequential scan, and keep it as the table grows until the next ANALYZE; that made finishing messages 40
     * times slower.
     */
    private static final String OPTIONS = "-c idle_in_transaction_session_timeout=5s -c statement_timeout=60s"
            + " -c lock_timeout=20s -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off";

    /** Needs about a megabyte of disk, and no other right than the service's own work; rolled back. */
    private static final String PROBING_WRITE = "INSERT INTO shared_value (name, value)"
            + " SELECT gen_random_uuid()::text, string_agg(md5(i::text), '') FROM generate_series(1, 32000) i";

    /** The last failure of writes that is not known to have ended. Of the process, because it has one database. */
    private static final AtomicReference<SqlFailure.@Nullable Outage> WRITE_OUTAGE = new AtomicReference<>();

    private static final ScopedValue<List<Runnable>> AFTER_COMMIT = ScopedValue.newInstance();

    /** Of the thread's {@link #transaction} or {@link #snapshot}. */
    private static final ScopedValue<Handle> HANDLE = ScopedValue.newInstance();

    /** Bound in background work: whether a statement must first get one of the {@link #backgroundPermits}. */
    private static final ScopedValue<Boolean> NEEDS_PERMIT = ScopedValue.newInstance();

    private final HikariDataSource dataSource;

    /** Three quarters of the connections, so that requests never wait behind background work for one. */
    private final Semaphore backgroundPermits;

    private final Jdbi jdbi;

    /** The body of a transaction in plain JDBC. */
    @FunctionalInterface
    public interface TransactionWork<T> {
        T run(Connection connection) throws SQLException;
    }

    public Database(String jdbcUrl, String user, String password, int connections) {
        this(config(jdbcUrl, user, password, connections));
        gauge("active", HikariPoolMXBean::getActiveConnections);
        gauge("idle", HikariPoolMXBean::getIdleConnections);
        gauge("waited_for", HikariPoolMXBean::getThreadsAwaitingConnection);
    }

    /** For a command, without metrics. */
    public static Database forCommand(String jdbcUrl, String user, String password, int connections) {
        return new Database(config(jdbcUrl, user, password, connections));
    }

    private static HikariConfig config(String jdbcUrl, String user, String password, int connections) {
        var config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setUsername(user);
        config.setPassword(password);
        config.setPoolName("parley");
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(Math.min(Math.max(4, connections / 3), connections));
        config.setConnectionTimeout(5_000);
        config.setInitializationFailTimeout(10_000);
        config.addDataSourceProperty("ApplicationName", "parley");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("connectTimeout", "5");
        config.addDataSourceProperty("prepareThreshold", "2");
        config.addDataSourceProperty("options", OPTIONS);
        return config;
    }

    private Database(HikariConfig config) {
        try {
            this.dataSource = new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw new SettingsException(
                    Setting.PARLEY_DB_URL, "names a PostgreSQL that cannot be used: " + rootMessage(e) + ".");
        }
        int connections = config.getMaximumPoolSize();
        this.backgroundPermits = new Semaphore(Math.max(1, connections - Math.max(1, connections / 4)), true);
        this.jdbi = Jdbi.create(dataSource);
        jdbi.installPlugin(new RecordMapping());
        jdbi.installPlugin(new SqlObjectPlugin());
        // PostgreSQL infers the type of a null by its place; a null typed as text does not fit a uuid.
        jdbi.getConfig(Arguments.class).setUntypedNullArgument(new NullArgument(Types.NULL));
        // Parameters may contain messages or secrets, which must not be logged.
        jdbi.getConfig(StatementExceptions.class).setMessageRendering(StatementExceptions.MessageRendering.NONE);
    }

    /** A separate small pool for work that must not wait behind requests. The caller closes it. */
    public Database reserve(String name, int connections) {
        HikariConfig config = copyOfConfig(name);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(connections);
        return new Database(config);
    }

    /** A pool for migrations and copies, which read whole tables and may take any time. The caller closes it. */
    public Database unlimited() {
        HikariConfig config = copyOfConfig("unlimited");
        config.setMinimumIdle(0);
        config.setConnectionInitSql(
                "SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0; SET enable_seqscan = on");
        return new Database(config);
    }

    private HikariConfig copyOfConfig(String name) {
        var config = new HikariConfig();
        dataSource.copyStateTo(config);
        config.setPoolName("parley-" + name);
        return config;
    }

    /** Lets the current transaction, which other nodes may wait for at their start, take minutes on a busy machine. */
    public static void allowMinutes(Handle handle) {
        handle.execute("SET LOCAL idle_in_transaction_session_timeout = '5min'");
        handle.execute("SET LOCAL lock_timeout = '5min'");
        handle.execute("SET LOCAL statement_timeout = '5min'");
    }

    private void gauge(String state, ToDoubleFunction<HikariPoolMXBean> value) {
        Metric.DATABASE_CONNECTIONS.gauge(dataSource, pool -> value.applyAsDouble(pool.getHikariPoolMXBean()), state);
    }

    /** The maximum number of connections. */
    int size() {
        return dataSource.getMaximumPoolSize();
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /**
     * Runs work whose statements wait for one of the connections that background work may use at once, however long that
     * takes. Other statements fail after five seconds without a connection.
     */
    public static <T, X extends Throwable> T inBackground(ScopedValue.CallableOp<T, X> work) throws X {
        return ScopedValue.where(NEEDS_PERMIT, true).call(work);
    }

    /** Runs statements that each commit separately. */
    public <T> T with(Function<Handle, T> work) {
        return guarded(() -> jdbi.withHandle(work::apply));
    }

    /**
     * The statements of an interface, whose methods are annotated with {@code SqlQuery} or {@code SqlUpdate}. Each call is
     * part of the thread's transaction; without one it commits separately.
     */
    public <T> T statements(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (_, method, arguments) -> HANDLE.isBound()
                        ? call(method, HANDLE.get().attach(type), arguments)
                        : guarded(() -> jdbi.withExtension(type, target -> call(method, target, arguments)))));
    }

    private static Object call(Method method, Object target, Object[] arguments) {
        try {
            method.setAccessible(true); // The interface may be private to its package.
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs statements in one transaction; repeats it after a deadlock. Within one, they are part of that. */
    public <T> T transaction(Function<Handle, T> work) {
        return HANDLE.isBound()
                ? work.apply(HANDLE.get())
                : committing(() -> jdbi.inTransaction(handle -> inHandle(handle, work)));
    }

    /** {@link #transaction} of {@link #statements} only. */
    public <T> T transaction(Supplier<T> work) {
        return transaction(_ -> work.get());
    }

    /** Runs queries that all see the data of one moment. */
    public <T> T snapshot(Function<Handle, T> work) {
        return guarded(
                () -> jdbi.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, handle -> inHandle(handle, work)));
    }

    private static <T> T inHandle(Handle handle, Function<Handle, T> work) {
        return ScopedValue.where(HANDLE, handle).call(() -> work.apply(handle));
    }

    /** {@link #transaction} without a result. */
    public void change(Consumer<Handle> work) {
        this.<Boolean>transaction(handle -> {
            work.accept(handle);
            return true;
        });
    }

    /** Runs plain JDBC, each statement committing separately: for hot paths. */
    public <T> T jdbc(TransactionWork<T> work) {
        return guarded(() -> {
            try (Connection connection = dataSource.getConnection()) {
                return work.run(connection);
            }
        });
    }

    /** Runs plain JDBC in one transaction; repeats it after a deadlock. */
    public <T> T jdbcTransaction(TransactionWork<T> work) {
        return committing(() -> {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    T result = work.run(connection);
                    connection.commit();
                    return result;
                } catch (SQLException | RuntimeException e) {
                    rollback(connection, e);
                    throw e;
                }
                // The pool resets a returned connection; resetting it here would hide the original failure of a broken
                // one.
            }
        });
    }

    /**
     * Runs an action after the commit of the current thread's transaction, and not after a rollback. The action must not
     * block or fail.
     */
    public static void afterCommit(Runnable action) {
        AFTER_COMMIT.get().add(action);
    }

    @Override
    public void close() {
        dataSource.close();
    }

    private static void rollback(Connection connection, Exception reason) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    /** A call that may fail with a database error. */
    private interface GuardedCall<T> {
        T run() throws SQLException;
    }

    private <T> T committing(GuardedCall<T> transaction) {
        List<Runnable> actions = new ArrayList<>();
        T result = guarded(() -> {
            actions.clear();
            return ScopedValue.where(AFTER_COMMIT, actions).call(transaction::run);
        });
        actions.forEach(Runnable::run);
        return result;
    }

    private <T> T guarded(GuardedCall<T> call) {
        if (HANDLE.isBound()) {
            return callOnce(call); // A failure ends the whole transaction, which is repeated or translated.
        }
        if (!NEEDS_PERMIT.orElse(false)) {
            return retrying(call);
        }
        backgroundPermits.acquireUninterruptibly();
        try {
            return ScopedValue.where(NEEDS_PERMIT, false).call(() -> retrying(call));
        } finally {
            backgroundPermits.release();
        }
    }

    private static <T> T callOnce(GuardedCall<T> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T retrying(GuardedCall<T> call) {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.run();
            } catch (ApiProblem e) {
                throw e;
            } catch (SQLException | RuntimeException e) {
                if (SqlFailure.isRetryable(e) && attempt < DEADLOCK_ATTEMPTS) {
                    continue;
                }
                throw translate(e);
            }
        }
    }

    /** Translates a failure for callers: UNAVAILABLE if the database is unavailable, else the failure itself. */
    public static RuntimeException translate(Exception e) {
        Optional<SqlFailure.Outage> outage = SqlFailure.outage(e);
        if (outage.isPresent()) {
            if (outage.get().isOfWrites()) {
                WRITE_OUTAGE.set(outage.get());
            }
            return ApiProblem.unavailable(outage.get().sentence() + " right now; nothing was stored.", RETRY_AFTER);
        }
        return e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
    }

    /**
     * Why the database cannot be used at present: a query fails, or an earlier write failed, for example because the
     * disk is full, and still would.
     */
    public Optional<SqlFailure.Outage> outage() {
        try {
            return jdbi.withHandle(handle -> {
                handle.execute("SELECT true");
                if (WRITE_OUTAGE.get() != null) {
                    handle.useTransaction(transaction -> {
                        transaction.execute(PROBING_WRITE);
                        transaction.rollback();
                    });
                    WRITE_OUTAGE.set(null);
                }
                return Optional.empty();
            });
        } catch (RuntimeException e) {
            SqlFailure.Outage earlier = WRITE_OUTAGE.get();
            // A server with a full disk may not be able to run at all.
            return SqlFailure.outage(e)
                    .map(found -> found == SqlFailure.Outage.UNREACHABLE && earlier != null ? earlier : found)
                    .or(() -> Optional.of(earlier == null ? SqlFailure.Outage.UNREACHABLE : earlier));
        }
    }

    private static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage()).strip().replace('\n', ' ');
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }
}
