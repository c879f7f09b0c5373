package dev.parley.event.delta;

import dev.parley.event.EventLog.StreamKey;
import dev.parley.event.EventSubscriptions;
import dev.parley.event.EventType;
import dev.parley.event.delta.TextExchange.TextNote;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.node.Ticker;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The texts that models are writing. Those of this node are in memory until they end; readers here get them directly.
 * A node asks the others for the texts of a stream when it gets a reader or is offered one, and holds copies of them
 * while it has readers.
 */
@Singleton
public final class LiveTexts {
    /** The time between two batches to another node. */
    private static final Duration BATCH_INTERVAL = Duration.ofMillis(40);

    /** A copy that does not grow for longer is of a lost node, or its end was lost. */
    private static final long COPY_EXPIRY_NANOS = Duration.ofMinutes(10).toNanos();

    private final TextExchange exchange;
    private final EventSubscriptions subscriptions;
    private final List<TextReaders> readers = new CopyOnWriteArrayList<>();
    private final Map<StreamKey, Set<LiveText>> texts = new ConcurrentHashMap<>();

    /** Streams by the number of their {@link TaskTextReader}s. */
    private final Map<StreamKey, Integer> polled = new ConcurrentHashMap<>();

    /** Texts of this node that have begun since the last batch. */
    private final Queue<LiveText> begun = new ConcurrentLinkedQueue<>();

    private final Ticker ticker = new Ticker("live-texts");

    public LiveTexts(TextExchange exchange, EventSubscriptions subscriptions) {
        this.exchange = exchange;
        this.subscriptions = subscriptions;
    }

    void start(@Observes @Priority(20) StartupEvent event) {
        exchange.onNote(this::receive);
        ticker.every(BATCH_INTERVAL, this::exchangeBatch);
    }

    /** After the work that writes texts has stopped. */
    void stop(@Observes @Priority(500) ShutdownEvent event) {
        ticker.close();
        exchange.send();
    }

    /** Adds readers of this node, which are notified of all texts. */
    public void subscribe(TextReaders some) {
        readers.add(some);
    }

    /**
     * The text of a reply.
     *
     * @param id of the message that the reply will be stored as; assigned when the text begins
     */
    public ReplyText ofMessage(OrganizationId organization, ConversationId conversation, Supplier<MessageId> id) {
        var source = new TextSource(organization, conversation, null);
        return new ReplyText(this, () -> LiveText.ofMessage(id.get().value(), source));
    }

    /**
     * The text of an AI task's attempt.
     *
     * @param item the index of the item, for a task that runs for each of them
     */
    public ReplyText ofTask(
            TextSource source, WorkflowInstanceId instance, String task, @Nullable Integer item, int attempt) {
        String members = LiveText.task(instance, task, item);
        return new ReplyText(this, () -> LiveText.ofTask(UuidV7.next(), source, members, attempt));
    }

    /** Reads the text of a task that does not run for each item, from its current attempt on. */
    public TaskTextReader read(TextSource source, WorkflowInstanceId instance, String task) {
        polled.merge(source.key(), 1, Integer::sum);
        return new TaskTextReader(this, source.key(), LiveText.task(instance, task, null));
    }

    void closed(StreamKey stream) {
        polled.computeIfPresent(stream, (_, count) -> count == 1 ? null : count - 1);
    }

    /** The texts of a stream that are being written. */
    public List<LiveText> of(StreamKey stream) {
        return List.copyOf(texts.getOrDefault(stream, Set.of()));
    }

    /** Asks the other nodes for the texts of a stream, which has a reader here. */
    public void request(StreamKey stream) {
        exchange.request(stream);
    }

    void grown(LiveText text, boolean isFirst) {
        if (isFirst) {
            begin(text);
            begun.add(text);
        }
        readers.forEach(some -> some.onChange(text));
    }

    void ended(LiveText text) {
        remove(text);
        readers.forEach(some -> some.onChange(text));
        if (exchange.isFollowed(text)) {
            exchange.send(); // Before the event of the stored reply.
        }
    }

    private void begin(LiveText text) {
        StreamKey stream = text.source().key();
        for (LiveText other : of(stream)) {
            if (other.isReplacedBy(text)) {
                abandon(other);
            }
        }
        texts.compute(stream, (_, all) -> {
            Set<LiveText> with = all == null ? ConcurrentHashMap.newKeySet(1) : all;
            with.add(text);
            return with;
        });
    }

    private void remove(LiveText text) {
        texts.computeIfPresent(text.source().key(), (_, all) -> {
            all.remove(text);
            return all.isEmpty() ? null : all;
        });
    }

    /** Ends a copy whose node is lost. */
    private void abandon(LiveText copy) {
        copy.reset();
        copy.end(false);
        remove(copy);
        readers.forEach(some -> some.onChange(copy));
    }

    private void exchangeBatch() {
        for (LiveText text = begun.poll(); text != null; text = begun.poll()) {
            if (!text.isEnded() && isWatched(text.source())) {
                exchange.offer(text.source().key());
            }
        }
        exchange.send();
        long now = System.nanoTime();
        for (Set<LiveText> all : texts.values()) {
            all.stream()
                    .filter(text -> text.isRemote() && now - text.changedAt() > COPY_EXPIRY_NANOS)
                    .forEach(this::abandon);
        }
    }

    private boolean isWatched(TextSource source) {
        return subscriptions.isWatched(
                source.organization(), source.conversation(), source.instance(), EventType.MESSAGE_CREATED);
    }

    private boolean isRead(StreamKey stream) {
        return polled.containsKey(stream) || readers.stream().anyMatch(some -> some.hasReaders(stream));
    }

    private void receive(TextNote note) {
        switch (note) {
            case TextNote.TextOffer(String _, StreamKey stream) -> {
                if (isRead(stream)) {
                    exchange.request(stream);
                }
            }
            case TextNote.TextRequest(String from, StreamKey stream) ->
                of(stream).stream()
                        .filter(text -> !text.isRemote() && !text.isEnded())
                        .forEach(text -> exchange.follow(text, from));
            case TextNote.TextChunk chunk -> receive(chunk);
        }
    }

    private void receive(TextNote.TextChunk chunk) {
        StreamKey stream = chunk.source().key();
        if (!isRead(stream)) {
            of(stream).stream().filter(LiveText::isRemote).forEach(this::remove);
            exchange.decline(stream, chunk.from());
            return;
        }
        LiveText copy = of(stream).stream()
                .filter(text -> text.id().equals(chunk.text()))
                .findFirst()
                .orElse(null);
        if (copy == null) {
            if (chunk.isEnd()) {
                return; // Its message follows at once, or it is void.
            }
            LiveText begun = LiveText.copy(chunk.text(), chunk.source(), chunk.members());
            if (of(stream).stream().anyMatch(begun::isReplacedBy)) {
                return; // A late piece of a text that was replaced.
            }
            copy = begun;
            begin(copy);
        }
        if (!copy.accept(chunk.generation(), chunk.offset(), chunk.piece())) {
            exchange.request(stream);
        }
        LiveText grown = copy;
        if (chunk.isEnd()) {
            grown.end(!grown.isEmpty());
            remove(grown);
        }
        readers.forEach(some -> some.onChange(grown));
    }
}
