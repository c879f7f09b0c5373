package dev.parley.event;

import dev.parley.db.Database;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Which events anybody wants: those of conversations with a callback, of organizations with webhook endpoints, and of
 * what is watched live. It is asked for every message, so it answers from memory: a change that nobody wants to hear
 * of costs no statement.
 *
 * <p><b>Right on every node.</b> Each node reads ten times a second what is new in {@code event_interest}, and trusts
 * what it read for {@link #VALID}; a node that could not read for longer reads before it answers. So who stored a mark
 * and lets {@link #becomesKnown} wait that long may rely on every node to know it, and, since that waits for the
 * transactions that were under way as well, on every later commit to have its events recorded.
 *
 * <p><b>Which transactions.</b> Those that hold the lock of a writer on a table that events tell of ({@link InFlightTransactions}):
 * every transaction writes there first and decides then. Whatever else runs in the database, or in others of the same
 * server, is not waited for.
 */
@Singleton
public final class EventSubscriptions {
    /** How long a node trusts what it knows. */
    static final Duration VALID = Duration.ofMillis(500);

    /** How long who watches counts as watching afterwards, so that a reader can resume. */
    static final Duration WATCHED = Duration.ofHours(24);

    /** A mark is written again when it is so old. */
    private static final Duration RENEWED = Duration.ofHours(1);

    private static final Duration REFRESH = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Instant FOREVER = Instant.parse("9999-01-01T00:00:00Z");
    private static final Set<EventType> ALL = Set.copyOf(EnumSet.allOf(EventType.class));
    private static final Logger LOG = Logger.getLogger(EventSubscriptions.class);

    private final Database database;
    private final ConversationCallbacks callbacks;
    private final Clock clock;
    private final ScheduledExecutorService refresher = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("event-interest").factory());
    private final Map<SubscriptionKey, Mark> marks = new ConcurrentHashMap<>();
    private final Object refreshing = new Object();
    private volatile @Nullable Database own;
    private volatile long knownAt = System.nanoTime() - 2 * VALID.toNanos();

    /** Transactions from this one on may hold news. */
    private String since = "0";

    private record SubscriptionKey(OrganizationId organization, UUID id) {}

    /**
     * What this node knows.
     *
     * @param settled whether it waited here until every node knew
     */
    private record Mark(Set<EventType> types, Instant until, boolean settled) {}

    /** How long an event is kept, by who wants it. */
    enum SubscriptionLevel {
        NO,
        WATCHED,
        DELIVERED
    }

    public EventSubscriptions(Database database, ConversationCallbacks callbacks, Clock clock) {
        this.database = database;
        this.callbacks = callbacks;
        this.clock = clock;
    }

    /** On a connection of its own: what is read late would make every writer read it. */
    void start(@Observes @Priority(20) StartupEvent event) {
        own = database.reserve("events", 1);
        refresh();
        long period = REFRESH.toMillis();
        var _ = refresher.scheduleWithFixedDelay(
                () -> {
                    try {
                        refresh();
                    } catch (RuntimeException e) {
                        LOG.debugf("What events are wanted is read again soon: %s", e.getMessage());
                    }
                },
                period,
                period,
                TimeUnit.MILLISECONDS);
    }

    void stop(@Observes @Priority(1_000_000) ShutdownEvent event) {
        refresher.shutdownNow();
        Database reserved = own;
        own = null;
        if (reserved != null) {
            reserved.close();
        }
    }

    /** Who wants an event of this type about these. */
    SubscriptionLevel wanted(
            OrganizationId organization,
            @Nullable ConversationId conversation,
            @Nullable WorkflowInstanceId instance,
            EventType type) {
        if (conversation != null && callbacks.url(organization, conversation).isPresent()) {
            return SubscriptionLevel.DELIVERED;
        }
        boolean watched = isWatched(organization, conversation, instance, type);
        if (isMarked(organization, organization.value(), type)) {
            return SubscriptionLevel.DELIVERED;
        }
        return watched ? SubscriptionLevel.WATCHED : SubscriptionLevel.NO;
    }

    /** Whether somebody may watch live what an event of this type about these belongs to, on any node. */
    boolean isWatched(
            OrganizationId organization,
            @Nullable ConversationId conversation,
            @Nullable WorkflowInstanceId instance,
            EventType type) {
        if (System.nanoTime() - knownAt > VALID.toNanos()) {
            refreshStale();
        }
        return (conversation != null && isMarked(organization, conversation.value(), type))
                || (instance != null && isMarked(organization, instance.value(), type));
    }

    private boolean isMarked(OrganizationId organization, UUID id, EventType type) {
        if (marks.isEmpty()) {
            return false;
        }
        Mark mark = marks.get(new SubscriptionKey(organization, id));
        return mark != null && mark.types.contains(type) && clock.instant().isBefore(mark.until);
    }

    /**
     * States in the caller's transaction which types of events the organization's webhook endpoints take, all of them
     * together; none ends its interest. After the commit {@link #known} tells when it holds on every node.
     */
    public void ofOrganization(Handle handle, OrganizationId organization, Collection<EventType> types) {
        mark(handle, organization, organization.value(), Set.copyOf(types), FOREVER);
    }

    /**
     * Marks a conversation or an instance as watched for a day, where it is not yet marked for almost as long; false
     * when a transaction takes so long that its events may not be recorded: then it must be tried again.
     */
    boolean watch(OrganizationId organization, UUID id) {
        Instant now = clock.instant();
        var key = new SubscriptionKey(organization, id);
        Mark before = marks.get(key);
        keepUp(organization, id);
        if (before != null && now.isBefore(before.until) && before.settled) {
            return true;
        }
        boolean known = becomesKnown();
        if (known) {
            marks.computeIfPresent(key, (_, mark) -> new Mark(mark.types, mark.until, true));
        }
        return known;
    }

    /** Keeps up the mark of what is still watched. */
    void keepUp(OrganizationId organization, UUID id) {
        Instant now = clock.instant();
        Mark before = marks.get(new SubscriptionKey(organization, id));
        if (before == null || before.until.isBefore(now.plus(WATCHED).minus(RENEWED))) {
            database.change(handle -> mark(handle, organization, id, ALL, now.plus(WATCHED)));
        }
    }

    private static void mark(Handle handle, OrganizationId organization, UUID id, Set<EventType> types, Instant until) {
        handle.createUpdate("""
                        INSERT INTO event_interest AS i (organization_id, id, types, until)
                        VALUES (:organization, :id, :types, :until)
                        ON CONFLICT (organization_id, id) DO UPDATE SET
                            types = EXCLUDED.types, until = EXCLUDED.until, changed = EXCLUDED.changed""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("types", types.stream().map(EventType::text).sorted().collect(Collectors.joining(",")))
                .bind("until", until)
                .execute();
    }

    /** As {@link #becomesKnown}, where nobody could be told to try again. */
    public void known() {
        if (!becomesKnown()) {
            LOG.warn("A transaction takes long; its events may be missing from what begins to listen now");
        }
    }

    /**
     * Waits until every node knows the marks that were committed before, and every transaction that was decided
     * without them has ended: 0.6 s where there are other nodes, a few milliseconds where there are none; false when
     * one of them did not end in time.
     */
    boolean becomesKnown() {
        refresh();
        boolean alone = database.with(handle -> handle.createQuery("SELECT count(*) <= 1 FROM node")
                .mapTo(Boolean.class)
                .one());
        if (!alone) {
            LockSupport.parkNanos(VALID.toNanos() + REFRESH.toNanos());
        }
        return InFlightTransactions.now(database).ends(PATIENCE);
    }

    private void refreshStale() {
        synchronized (refreshing) {
            if (System.nanoTime() - knownAt > VALID.toNanos()) {
                refresh();
            }
        }
    }

    private record SubscriptionRow(
            String seen,
            @Nullable SubscriptionKey key,
            String types,
            @Nullable Instant until) {}

    /** Reads what is new. What was not yet committed at the last look is from a transaction that it saw running. */
    void refresh() {
        synchronized (refreshing) {
            Database with = own;
            long asked = System.nanoTime();
            Instant now = clock.instant();
            List<SubscriptionRow> rows = (with == null ? database : with).with(this::news);
            for (SubscriptionRow row : rows) {
                if (row.key != null && row.until != null) {
                    Mark before = marks.get(row.key);
                    boolean settled = before != null && before.settled && now.isBefore(before.until);
                    marks.put(row.key, new Mark(types(row.types), row.until, settled));
                }
            }
            since = rows.getFirst().seen;
            knownAt = asked;
        }
    }

    private List<SubscriptionRow> news(Handle handle) {
        return handle.createQuery("""
                        SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS seen, i.organization_id, i.id, i.types,
                            i.until
                        FROM (SELECT 1) one
                        LEFT JOIN event_interest i ON i.changed >= CAST(:since AS text)::xid8""")
                .bind("since", since)
                .map(row -> {
                    OrganizationId organization = row.getColumn("organization_id", OrganizationId.class);
                    if (organization == null) {
                        return new SubscriptionRow(row.getColumn("seen", String.class), null, "", null);
                    }
                    return new SubscriptionRow(
                            row.getColumn("seen", String.class),
                            new SubscriptionKey(organization, row.getColumn("id", UUID.class)),
                            row.getColumn("types", String.class),
                            row.getColumn("until", Instant.class));
                })
                .list();
    }

    private static Set<EventType> types(String text) {
        return Arrays.stream(text.split(",", -1))
                .flatMap(name -> EventType.of(name).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Clears away marks that ran out. */
    void forgetOld() {
        Instant now = clock.instant();
        database.change(handle -> handle.execute("DELETE FROM event_interest WHERE until < ?", now));
        forgetExpired();
    }

    private void forgetExpired() {
        Instant now = clock.instant();
        marks.values().removeIf(mark -> mark.until.isBefore(now));
    }
}
