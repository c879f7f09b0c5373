package dev.parley.event;

import dev.parley.event.EventLog.StreamKey;
import dev.parley.http.ProblemResponse;
import dev.parley.id.ConversationId;
import dev.parley.id.EventId;
import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Metrics;
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
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Live events as server-sent events. A subscriber gets everything committed after its response head, by any node. A
 * subscriber that resumes with {@code Last-Event-ID} misses nothing that is still kept.
 */
@Singleton
public final class SseBroker {
    /** The OpenAPI description of the query parameter {@code last_event_id}. */
    public static final String RESUME =
            "Same as the header Last-Event-ID, for the first connection of a browser: an event id or a webhook-id.";

    /** The interval of comments on an idle stream. */
    static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** A subscriber that reads nothing for this long is dropped; it can resume. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Logger LOG = Logger.getLogger(SseBroker.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration ASK = Duration.ofSeconds(1);
    private static final int MAX_CONCURRENT_READS = 4;

    /** Pages of all subscribers that were read and not yet passed to their connections, of about 100 KB each. */
    static final int MAX_PAGES_IN_MEMORY = 32;

    private final EventSubscriptions interest;
    private final EventReader events;
    private final EventNotifications signals;
    private final Clock clock;
    private final Map<StreamKey, Set<SseSubscriber>> readers = new ConcurrentHashMap<>();
    private final Semaphore reads = new Semaphore(MAX_CONCURRENT_READS);
    private final Semaphore pages = new Semaphore(MAX_PAGES_IN_MEMORY);
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("sse-broker").factory());
    private volatile boolean stopping;

    /** Checks the credential of a stream now and then; streams with the same name share one check. */
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

    public SseBroker(EventSubscriptions interest, EventReader events, EventNotifications signals, Clock clock) {
        this.interest = interest;
        this.events = events;
        this.signals = signals;
        this.clock = clock;
        Gauge.builder("parley.live.readers", readers, SseBroker::count)
                .description("Subscribers of live events on this node")
                .register(Metrics.globalRegistry);
    }

    private static int count(Map<StreamKey, Set<SseSubscriber>> readers) {
        return readers.values().stream().mapToInt(Set::size).sum();
    }

    void start(@Observes @Priority(30) StartupEvent event) {
        signals.subscribe(this::grown);
        var _ = looks.scheduleWithFixedDelay(this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
        var _ = looks.scheduleWithFixedDelay(this::ask, ASK.toMillis(), ASK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes all streams before shutdown, so that subscribers reconnect to other nodes. */
    void shutsDown(@Observes ShutdownDelayInitiatedEvent event) {
        endAll();
    }

    void stop(@Observes @Priority(10) ShutdownEvent event) {
        looks.shutdownNow();
        endAll();
    }

    private void endAll() {
        stopping = true;
        readers.values().forEach(all -> all.forEach(SseSubscriber::close));
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
            SseStream subject,
            CompletableFuture<Response> answer) {
        String header = request.request().getHeader("Last-Event-ID");
        String resume = header == null || header.isEmpty() ? lastEventId : header;
        String name = header == null ? "last_event_id" : "Last-Event-ID";
        EventId last = resume == null || resume.isEmpty()
                ? null
                : EventId.parse(resume)
                        .orElseThrow(() -> ApiProblem.invalid(
                                Violation.parameter(name, "'" + name + "' must be the id of an event.")));
        boolean headOnly = HttpMethod.HEAD.equals(request.request().method());
        if (!headOnly && !interest.watch(subject.key.organization(), subject.watched)) {
            throw ApiProblem.unavailable("A change takes long. Try again soon.", Duration.ofSeconds(1));
        }
        long position = last == null ? events.last(subject.key) : events.sequence(subject.key, last);
        // Read after the position, so that an end in between is not missed.
        boolean over = subject.isOver.getAsBoolean();
        if (over
                && (last == null
                        || events.after(subject.key, subject.instance, position).isEmpty())) {
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
            var reader = new SseSubscriber(this, subject, loop, request.response(), position, clock.instant());
            readers.computeIfAbsent(subject.key, _ -> ConcurrentHashMap.newKeySet())
                    .add(reader);
            reader.begin();
        });
    }

    /** Waits until there is memory for another page; {@link #releasePage} must follow. */
    void acquirePage() {
        pages.acquireUninterruptibly();
    }

    void releasePage() {
        pages.release();
    }

    /** Events after a position. Limits concurrent readers, so that requests still find connections. */
    java.util.List<Event> read(SseStream subject, long position) {
        reads.acquireUninterruptibly();
        try {
            return events.after(subject.key, subject.instance, position);
        } finally {
            reads.release();
        }
    }

    void left(SseSubscriber reader) {
        readers.computeIfPresent(reader.key(), (_, all) -> {
            all.remove(reader);
            return all.isEmpty() ? null : all;
        });
    }

    private void grown(Set<StreamKey> streams) {
        if (streams.isEmpty()) {
            readers.values().forEach(all -> all.forEach(SseSubscriber::wake));
        }
        for (StreamKey key : streams) {
            readers.getOrDefault(key, Set.of()).forEach(SseSubscriber::wake);
        }
    }

    private void look() {
        try {
            Instant now = clock.instant();
            readers.values().forEach(all -> all.forEach(reader -> reader.look(now)));
        } catch (RuntimeException e) {
            LOG.error("Live streams could not be checked", e);
        }
    }

    /** Ends the streams of revoked keys and ended sessions, and renews the marks of the others. */
    private void ask() {
        Map<String, Boolean> known = new HashMap<>();
        for (SseSubscriber reader :
                readers.values().stream().flatMap(Set::stream).collect(Collectors.toList())) {
            try {
                SseStream subject = reader.subject;
                if (!known.computeIfAbsent(subject.guard.name, _ -> subject.guard.isValid.getAsBoolean())) {
                    reader.close();
                } else {
                    interest.renew(subject.key.organization(), subject.watched);
                }
            } catch (RuntimeException e) {
                LOG.debugf("Live streams are checked again soon: %s", e.getMessage());
                return;
            }
        }
    }
}
