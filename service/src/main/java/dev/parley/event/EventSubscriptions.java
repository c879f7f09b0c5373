package dev.parley.event;

import dev.parley.db.Database;
import dev.parley.event.SubscriptionStore.ChangedSubscription;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.Ticker;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Knows from memory which events have subscribers: those of conversations with a callback, of organizations with webhook
 * endpoints, and of watched streams. Each node polls {@code event_subscription} ten times a second and trusts its copy
 * for {@link #VALID}; after that it reads before it decides. Once {@link #awaitVisibleOnAllNodes} returns, every later
 * commit on every node records the events of a committed subscription (docs/decisions/0060).
 */
@Singleton
public final class EventSubscriptions {
    /** How long a node trusts its copy. */
    static final Duration VALID = Duration.ofMillis(500);

    /** How long a stream counts as watched after its last subscriber, so that a client can resume. */
    static final Duration WATCHED = Duration.ofHours(24);

    /** Subscriptions of live streams older than this are renewed. */
    private static final Duration RENEWAL_AGE = Duration.ofHours(1);

    private static final Duration REFRESH_INTERVAL = Duration.ofMillis(100);
    private static final Duration TRANSACTION_WAIT_LIMIT = Duration.ofSeconds(5);
    private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final Instant FOREVER = Instant.parse("9999-01-01T00:00:00Z");
    private static final Set<EventType> ALL = Set.copyOf(EnumSet.allOf(EventType.class));
    private static final Logger LOG = Logger.getLogger(EventSubscriptions.class);

    private final Database database;
    private final SubscriptionStore store;
    private final ConversationCallbacks callbacks;
    private final Clock clock;
    private final Ticker refresher = new Ticker("event-subscriptions");
    private final Map<SubscriptionKey, Subscription> subscriptions = new ConcurrentHashMap<>();
    private final Object refreshing = new Object();
    private volatile @Nullable Database reservedDatabase;
    private volatile long refreshedAt = System.nanoTime() - 2 * VALID.toNanos();

    /** Transactions with this id or a later one may have changed subscriptions. */
    private String since = "0";

    private record SubscriptionKey(OrganizationId organization, UUID id) {}

    /**
     * A subscription as this node knows it.
     *
     * @param settled whether this node has waited until every node knew it
     */
    private record Subscription(Set<EventType> types, Instant until, boolean settled) {}

    /** Who subscribes to an event, which decides how long it is kept. */
    enum SubscriptionLevel {
        NO,
        WATCHED,
        DELIVERED
    }

    public EventSubscriptions(Database database, ConversationCallbacks callbacks, Clock clock) {
        this.database = database;
        this.store = database.statements(SubscriptionStore.class);
        this.callbacks = callbacks;
        this.clock = clock;
    }

    /** Reserves a connection: a late refresh would make every writer read the table. */
    void start(@Observes @Priority(20) StartupEvent event) {
        reservedDatabase = database.reserve("events", 1);
        refresh();
        refresher.every(REFRESH_INTERVAL, this::refresh);
    }

    void stop(@Observes @Priority(1_000_000) ShutdownEvent event) {
        refresher.close();
        Database reserved = reservedDatabase;
        reservedDatabase = null;
        if (reserved != null) {
            reserved.close();
        }
    }

    /** The subscription level of an event of this type. */
    SubscriptionLevel level(
            OrganizationId organization,
            @Nullable ConversationId conversation,
            @Nullable WorkflowInstanceId instance,
            EventType type) {
        if (conversation != null && callbacks.url(organization, conversation).isPresent()) {
            return SubscriptionLevel.DELIVERED;
        }
        boolean watched = isWatched(organization, conversation, instance, type);
        if (isSubscribed(organization, organization.value(), type)) {
            return SubscriptionLevel.DELIVERED;
        }
        return watched ? SubscriptionLevel.WATCHED : SubscriptionLevel.NO;
    }

    /** Whether the event's conversation or instance may have live subscribers on any node. */
    public boolean isWatched(
            OrganizationId organization,
            @Nullable ConversationId conversation,
            @Nullable WorkflowInstanceId instance,
            EventType type) {
        if (System.nanoTime() - refreshedAt > VALID.toNanos()) {
            refreshStale();
        }
        return (conversation != null && isSubscribed(organization, conversation.value(), type))
                || (instance != null && isSubscribed(organization, instance.value(), type));
    }

    private boolean isSubscribed(OrganizationId organization, UUID id, EventType type) {
        if (subscriptions.isEmpty()) {
            return false;
        }
        Subscription subscription = subscriptions.get(new SubscriptionKey(organization, id));
        return subscription != null
                && subscription.types.contains(type)
                && clock.instant().isBefore(subscription.until);
    }

    /**
     * Sets, in the caller's transaction, the event types that the organization's webhook endpoints subscribe to; an
     * empty collection ends the subscription. After the commit, {@link #awaitVisible} waits until it takes effect on every
     * node.
     */
    public void subscribeOrganization(OrganizationId organization, Set<EventType> types) {
        store.upsert(organization, organization.value(), text(types), FOREVER);
    }

    /**
     * Subscribes to a conversation or an instance for a day, unless that was done within the last hour. Returns false if
     * a long transaction may still miss the subscription; the caller must then try again.
     */
    public boolean watch(OrganizationId organization, UUID id) {
        Instant now = clock.instant();
        var key = new SubscriptionKey(organization, id);
        Subscription before = subscriptions.get(key);
        renew(organization, id);
        if (before != null && now.isBefore(before.until) && before.settled) {
            return true;
        }
        boolean visible = awaitVisibleOnAllNodes();
        if (visible) {
            subscriptions.computeIfPresent(key, (_, known) -> new Subscription(known.types, known.until, true));
        }
        return visible;
    }

    /** Renews the subscription of a stream that is still watched. */
    public void renew(OrganizationId organization, UUID id) {
        Instant now = clock.instant();
        Subscription before = subscriptions.get(new SubscriptionKey(organization, id));
        if (before == null || before.until.isBefore(now.plus(WATCHED).minus(RENEWAL_AGE))) {
            store.upsert(organization, id, text(ALL), now.plus(WATCHED));
        }
    }

    /** Like {@link #awaitVisibleOnAllNodes}, for callers that cannot try again. */
    public void awaitVisible() {
        if (!awaitVisibleOnAllNodes()) {
            LOG.warn("A transaction takes long; its events may be missing for new subscribers");
        }
    }

    /**
     * Waits until every node knows the subscriptions committed before, and every transaction that was decided without them has
     * ended. Takes 0.6 s with several nodes and a few milliseconds on a single node; returns false if a transaction did
     * not end in time.
     */
    boolean awaitVisibleOnAllNodes() {
        refresh();
        if (!store.isOnlyNode()) {
            LockSupport.parkNanos(VALID.toNanos() + REFRESH_INTERVAL.toNanos());
        }
        Set<String> writers = new HashSet<>(store.writers());
        long deadline = System.nanoTime() + TRANSACTION_WAIT_LIMIT.toNanos();
        while (!writers.isEmpty()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(POLL_INTERVAL_NANOS);
            writers.retainAll(store.writers());
        }
        return true;
    }

    private void refreshStale() {
        synchronized (refreshing) {
            if (System.nanoTime() - refreshedAt > VALID.toNanos()) {
                refresh();
            }
        }
    }

    /** Reads changed subscriptions. One not committed at the last refresh belongs to a transaction that was running then. */
    void refresh() {
        synchronized (refreshing) {
            Database with = reservedDatabase;
            long asked = System.nanoTime();
            Instant now = clock.instant();
            // On a connection of its own, also within a caller's transaction.
            List<ChangedSubscription> changed = (with == null ? database : with)
                    .with(handle -> handle.attach(SubscriptionStore.class).changedSince(since));
            for (ChangedSubscription row : changed) {
                if (row.organization() != null && row.id() != null && row.types() != null && row.until() != null) {
                    var key = new SubscriptionKey(row.organization(), row.id());
                    Subscription before = subscriptions.get(key);
                    boolean settled = before != null && before.settled && now.isBefore(before.until);
                    subscriptions.put(key, new Subscription(types(row.types()), row.until(), settled));
                }
            }
            since = changed.getFirst().seen();
            refreshedAt = asked;
        }
    }

    private static String text(Set<EventType> types) {
        return types.stream().map(EventType::text).sorted().collect(Collectors.joining(","));
    }

    private static Set<EventType> types(String text) {
        return Arrays.stream(text.split(",", -1))
                .flatMap(name -> EventType.of(name).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Deletes expired subscriptions. */
    void deleteExpired() {
        Instant now = clock.instant();
        store.deleteExpired(now);
        subscriptions.values().removeIf(subscription -> subscription.until.isBefore(now));
    }
}
