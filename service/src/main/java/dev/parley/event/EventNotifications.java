package dev.parley.event;

import dev.parley.db.Database;
import dev.parley.event.EventLog.StreamKey;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens on its own connection for PostgreSQL notifications, from this node or another: about watched streams, whose
 * subscribers it wakes, and for each {@link NotificationListener}. After a lost connection it wakes all subscribers,
 * because notifications may have been missed.
 */
@Singleton
public final class EventNotifications {
    private static final Logger LOG = Logger.getLogger(EventNotifications.class);
    private static final int LISTEN_MILLIS = 1_000;
    private static final Duration RETRY_DELAY = Duration.ofMillis(500);

    private final Database database;
    private final Iterable<NotificationListener> listeners;
    private final List<Consumer<Set<StreamKey>>> subscribers = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;
    private @Nullable Thread thread;

    public EventNotifications(Database database, @Any Instance<NotificationListener> listeners) {
        this.database = database;
        this.listeners = listeners;
    }

    void start(@Observes @Priority(20) StartupEvent event) {
        thread = Thread.ofPlatform().daemon().name("event-notifications").start(this::run);
    }

    void stop(@Observes @Priority(1_000_000) ShutdownEvent event) {
        stopped = true;
        Thread running = thread;
        if (running != null) {
            LockSupport.unpark(running); // An interrupt would disturb the closing of its connection.
        }
    }

    /** Calls the subscriber with the streams that have grown, or with an empty set if any stream may have. */
    public void subscribe(Consumer<Set<StreamKey>> subscriber) {
        subscribers.add(subscriber);
    }

    private void run() {
        while (!stopped) {
            try (Database own = database.reserve("event-notifications", 1);
                    Connection connection = own.dataSource().getConnection()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("LISTEN " + EventLog.CHANNEL);
                    for (NotificationListener listener : listeners) {
                        statement.execute("LISTEN " + listener.channel());
                    }
                }
                notifySubscribers(Set.of());
                listen(connection);
            } catch (SQLException | RuntimeException e) {
                if (!stopped) {
                    LOG.debugf("Listening for events again: %s", e.getMessage());
                    LockSupport.parkNanos(RETRY_DELAY.toNanos());
                }
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        while (!stopped) {
            PGNotification[] notifications = postgres.getNotifications(LISTEN_MILLIS);
            if (notifications != null && notifications.length > 0) {
                Set<StreamKey> streams = new HashSet<>();
                for (PGNotification notification : notifications) {
                    if (notification.getName().equals(EventLog.CHANNEL)) {
                        read(notification.getParameter(), streams);
                    } else {
                        notifyListener(notification);
                    }
                }
                if (!streams.isEmpty()) {
                    notifySubscribers(streams);
                }
            }
        }
    }

    private void notifyListener(PGNotification notification) {
        for (NotificationListener listener : listeners) {
            if (listener.channel().equals(notification.getName())) {
                listener.onNotification(notification.getParameter());
            }
        }
    }

    private static void read(String payload, Set<StreamKey> into) {
        for (String text : payload.split(",", -1)) {
            if (text.length() == 64) {
                UUID organization = UuidV7.parse(text.substring(0, 32)).orElseThrow();
                UUID stream = UuidV7.parse(text.substring(32)).orElseThrow();
                into.add(new StreamKey(new OrganizationId(organization), stream));
            }
        }
    }

    private void notifySubscribers(Set<StreamKey> streams) {
        try {
            subscribers.forEach(subscriber -> subscriber.accept(streams));
        } catch (RuntimeException e) {
            LOG.error("Event subscribers could not be notified", e);
        }
    }
}
