package dev.parley.event.sse;

import dev.parley.db.Database;
import dev.parley.event.Event;
import dev.parley.event.EventLog.StreamKey;
import dev.parley.event.EventNotifications;
import dev.parley.event.EventStore;
import dev.parley.event.EventSubscriptions;
import dev.parley.event.delta.LiveText;
import dev.parley.event.delta.LiveTexts;
import dev.parley.event.delta.TextReaders;
import dev.parley.http.filter.ProblemResponse;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.metrics.Metric;
import dev.parley.node.Ticker;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.settings.ServiceSize;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Live events, and the texts that models are writing, as server-sent events. A subscriber gets everything committed
 * after its response head, by any node. A subscriber that resumes with {@code Last-Event-ID} misses nothing that is
 * still kept.
 */
@Singleton
public final class SseBroker implements TextReaders {
    /** The OpenAPI description of the query parameter {@code last_event_id}. */
    public static final String RESUME =
            "Same as the header Last-Event-ID, for the first connection of a browser: an event id or a webhook-id.";

    /** The interval of comments on an idle stream. */
    static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** A subscriber that reads nothing for this long is dropped; it can resume. */
    static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private static final Logger LOG = Logger.getLogger(SseBroker.class);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);
    private static final Duration GUARD_INTERVAL = Duration.ofSeconds(1);

    /** Pages of all subscribers that were read and not yet passed to their connections, of about 100 KB each. */
    static final int MAX_PAGES_IN_MEMORY = 32;

    private final EventSubscriptions subscriptions;
    private final EventStore events;
    private final EventNotifications notifications;
    private final LiveTexts texts;
    private final Clock clock;
    private final Map<StreamKey, Set<SseSubscriber>> subscribers = new ConcurrentHashMap<>();
    private final Semaphore reads;
    private final Semaphore pages;
    private final Ticker ticker = new Ticker("sse-broker");
    private volatile boolean stopping;

    /** Checks every second whether the credential of a stream is still valid; streams with the same name share one check. */
    public record StreamGuard(String name, BooleanSupplier isValid) {}

    /**
     * What a subscriber may read, and until when.
     *
     * @param watched the conversation's or the instance's id
     * @param instance only this instance's events; null for all of a conversation
     * @param isLast whether the stream ends after this event
     * @param isOver whether no more events can follow; the stream then ends after the kept ones
     */
    public record SseStream(
            StreamKey key,
            UUID watched,
            @Nullable WorkflowInstanceId instance,
            Predicate<Event> isLast,
            BooleanSupplier isOver,
            StreamGuard guard) {
        /** All events of a conversation. */
        public static SseStream ofConversation(
                OrganizationId organization, ConversationId conversation, StreamGuard guard) {
            return new SseStream(
                    new StreamKey(organization, conversation.value()),
                    conversation.value(),
                    null,
                    _ -> false,
                    () -> false,
                    guard);
        }

        /** The events of an instance; the stream ends when the instance does. */
        public static SseStream ofInstance(
                OrganizationId organization,
                @Nullable ConversationId conversation,
                WorkflowInstanceId instance,
                Predicate<Event> isLast,
                BooleanSupplier isOver,
                StreamGuard guard) {
            UUID stream = conversation == null ? instance.value() : conversation.value();
            return new SseStream(
                    new StreamKey(organization, stream), instance.value(), instance, isLast, isOver, guard);
        }
    }

    public SseBroker(
            EventSubscriptions subscriptions,
            Database database,
            EventNotifications notifications,
            LiveTexts texts,
            Clock clock,
            ServiceSize size) {
        this.texts = texts;
        this.reads = new Semaphore(size.concurrentReads());
        this.pages = new Semaphore(size.byCoresAndHeap(MAX_PAGES_IN_MEMORY));
        this.subscriptions = subscriptions;
        this.events = database.statements(EventStore.class);
        this.notifications = notifications;
        this.clock = clock;
        Metric.SSE_SUBSCRIBERS.gauge(subscribers, SseBroker::count);
    }

    private static int count(Map<StreamKey, Set<SseSubscriber>> subscribers) {
        return subscribers.values().stream().mapToInt(Set::size).sum();
    }

    void start(@Observes @Priority(30) StartupEvent event) {
        notifications.subscribe(this::wake);
        texts.subscribe(this);
        ticker.every(CHECK_INTERVAL, this::checkConnections);
        ticker.every(GUARD_INTERVAL, this::checkGuards);
    }

    /** Closes all streams before shutdown, so that subscribers reconnect to other nodes. */
    void prepareShutdown(@Observes ShutdownDelayInitiatedEvent event) {
        closeAll();
    }

    void stop(@Observes @Priority(10) ShutdownEvent event) {
        ticker.close();
        closeAll();
    }

    private void closeAll() {
        stopping = true;
        subscribers.values().forEach(all -> all.forEach(SseSubscriber::close));
    }

    Instant now() {
        return clock.instant();
    }

    /**
     * Answers the request with a stream, bypassing JAX-RS. The stage completes only with another kind of response: a
     * problem, or a 204 that stops a browser from reconnecting. A HEAD request gets only the response head.
     *
     * @param find checks the request, on a thread that may block
     */
    public CompletionStage<Response> open(
            RoutingContext request, @Nullable String lastEventId, Supplier<SseStream> find) {
        var answer = new CompletableFuture<Response>();
        Context loop = Vertx.currentContext();
        Thread.ofVirtual().name("sse-open").start(() -> {
            try {
                open(request, loop, lastEventId, find.get(), answer);
            } catch (RuntimeException e) {
                answer.complete(ProblemResponse.response(ProblemResponse.of(e)));
            }
        });
        return answer;
    }

    private void open(
            RoutingContext request,
            Context loop,
            @Nullable String lastEventId,
            SseStream stream,
            CompletableFuture<Response> answer) {
        String header = request.request().getHeader("Last-Event-ID");
        String resume = header == null || header.isEmpty() ? lastEventId : header;
        String name = header == null ? "last_event_id" : "Last-Event-ID";
        EventId last = resume == null || resume.isEmpty()
                ? null
                : EventId.parse(resume)
                        .orElseThrow(() -> ApiProblem.invalid(Violation.parameter(
                                ViolationCode.INVALID_FORMAT, name, "'" + name + "' must be the id of an event.")));
        boolean headOnly = HttpMethod.HEAD.equals(request.request().method());
        if (!headOnly && !subscriptions.watch(stream.key.organization(), stream.watched)) {
            throw ApiProblem.unavailable("A change takes long. Try again soon.", Duration.ofSeconds(1));
        }
        long position = last == null ? events.last(stream.key) : events.sequence(stream.key, last);
        // Read after the position, so that an end in between is not missed.
        boolean over = stream.isOver.getAsBoolean();
        if (over && (last == null || after(stream, position).isEmpty())) {
            answer.complete(Response.noContent().build());
            return;
        }
        loop.runOnContext(_ -> {
            if (stopping) {
                answer.complete(ProblemResponse.response(
                        ApiProblem.unavailable("This node shuts down.", Duration.ofSeconds(1))));
                return;
            }
            if (headOnly) {
                SseSubscriber.head(request.response());
                var _ = request.response().end();
                return;
            }
            var subscriber = new SseSubscriber(this, stream, loop, request.response(), position, clock.instant());
            add(subscriber);
            subscriber.begin();
            texts.of(stream.key).forEach(subscriber::onChange);
            texts.request(stream.key);
        });
    }

    /** Waits until there is memory for another page; {@link #releasePage} must follow. */
    void acquirePage() {
        pages.acquireUninterruptibly();
    }

    void releasePage() {
        pages.release();
    }

    /** Events after a position. Limits concurrent reads, so that requests still find connections. */
    List<Event> read(SseStream stream, long position) {
        reads.acquireUninterruptibly();
        try {
            return after(stream, position);
        } finally {
            reads.release();
        }
    }

    private List<Event> after(SseStream stream, long position) {
        String condition = stream.instance == null ? "" : "AND workflow_instance_id = :instance";
        return events.after(stream.key, position, stream.instance, condition);
    }

    private void add(SseSubscriber subscriber) {
        subscribers.compute(subscriber.key(), (_, known) -> {
            Set<SseSubscriber> all = known == null ? ConcurrentHashMap.newKeySet() : known;
            all.add(subscriber);
            return all;
        });
    }

    void remove(SseSubscriber subscriber) {
        subscribers.computeIfPresent(subscriber.key(), (_, all) -> {
            all.remove(subscriber);
            return all.isEmpty() ? null : all;
        });
    }

    @Override
    public boolean hasReaders(StreamKey stream) {
        return subscribers.containsKey(stream);
    }

    @Override
    public void onChange(LiveText text) {
        subscribers.getOrDefault(text.source().key(), Set.of()).forEach(subscriber -> subscriber.onChange(text));
    }

    private void wake(Set<StreamKey> streams) {
        if (streams.isEmpty()) {
            subscribers.keySet().forEach(texts::request);
            subscribers.values().forEach(all -> all.forEach(SseSubscriber::wake));
        }
        for (StreamKey key : streams) {
            subscribers.getOrDefault(key, Set.of()).forEach(SseSubscriber::wake);
        }
    }

    private void checkConnections() {
        try {
            Instant now = clock.instant();
            subscribers.values().forEach(all -> all.forEach(subscriber -> subscriber.check(now)));
        } catch (RuntimeException e) {
            LOG.error("Live streams could not be checked", e);
        }
    }

    /** Ends the streams of revoked keys and ended sessions, and renews the marks of the others. */
    private void checkGuards() {
        Map<String, Boolean> known = new HashMap<>();
        for (SseSubscriber subscriber :
                subscribers.values().stream().flatMap(Set::stream).collect(Collectors.toList())) {
            try {
                SseStream stream = subscriber.stream;
                if (!known.computeIfAbsent(stream.guard.name, _ -> stream.guard.isValid.getAsBoolean())) {
                    subscriber.close();
                } else {
                    subscriptions.renew(stream.key.organization(), stream.watched);
                }
            } catch (RuntimeException e) {
                LOG.debugf("Live streams are checked again soon: %s", e.getMessage());
                return;
            }
        }
    }
}
