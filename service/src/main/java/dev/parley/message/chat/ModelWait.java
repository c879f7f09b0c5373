package dev.parley.message.chat;

import dev.parley.conversation.ConversationRef;
import dev.parley.db.Database;
import dev.parley.id.ConversationId;
import dev.parley.id.MessageId;
import dev.parley.id.OrganizationId;
import dev.parley.message.HandlerCache;
import dev.parley.message.PendingMessage;
import dev.parley.metrics.Metric;
import dev.parley.settings.Settings;
import io.micrometer.core.instrument.Counter;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jdbi.v3.sqlobject.statement.SqlQuery;

/**
 * How long messages wait for an unavailable chat model, with delays that double from 2 to 60 seconds. The message's row
 * says since when it waits, so a restart neither loses the wait nor begins it again; only the delay is in memory.
 */
@Singleton
final class ModelWait {
    private static final Duration FIRST_DELAY = Duration.ofSeconds(2);
    private static final int MAX_DOUBLINGS = 5;

    /** A longer delay than the model's service asks for is not awaited. */
    private static final Duration MAX_DELAY = Duration.ofMinutes(5);

    /** A message that was queued for long is tried for at least as long. */
    private static final Duration MIN_RETRY_TIME = Duration.ofMinutes(2);

    private static final Counter POSTPONED = Metric.MODEL_REPLIES_POSTPONED.counter();
    private static final Counter ABANDONED = Metric.MODEL_REPLIES_ABANDONED.counter();

    private final MessageTimesStore store;
    private final Clock clock;
    private final Duration retryTime;

    ModelWait(Database database, Clock clock, Settings.Models settings) {
        this.store = database.statements(MessageTimesStore.class);
        this.clock = clock;
        this.retryTime = settings.retryTime();
    }

    /**
     * A message that waits.
     *
     * @param since the first failure that this node has seen
     * @param until when the model is called again
     */
    record WaitingReply(MessageId message, int failures, Instant since, Instant until) {}

    /** @param processing whether the message was handled; then it is not updated while it waits */
    record MessageTimes(Instant createdAt, boolean processing, Instant updatedAt) {}

    /** The times of messages. */
    interface MessageTimesStore {
        /** Empty if the conversation was deleted. */
        @SqlQuery("""
                SELECT created_at, status = 'PROCESSING' AS processing, updated_at FROM message
                WHERE organization_id = :organization AND conversation_id = :conversation AND id = :message""")
        Optional<MessageTimes> find(OrganizationId organization, ConversationId conversation, MessageId message);
    }

    /** The wait of a message, if this node knows it. */
    Optional<WaitingReply> of(PendingMessage message, HandlerCache memory) {
        return Optional.ofNullable(memory.get(WaitingReply.class))
                .filter(waiting -> waiting.message.equals(message.id()));
    }

    boolean isOver(WaitingReply waiting) {
        return !clock.instant().isBefore(waiting.until);
    }

    /** Lets a message wait after another failure; false if it has waited long enough. */
    boolean begin(
            PendingMessage message,
            HandlerCache memory,
            Optional<WaitingReply> before,
            Optional<Duration> requestedDelay) {
        Instant now = clock.instant();
        Instant since = before.map(WaitingReply::since).orElse(now);
        if (isLongEnough(message, since, now)) {
            ABANDONED.increment();
            return false;
        }
        int failures = before.map(WaitingReply::failures).orElse(0);
        Duration delay = backoff(failures);
        Duration requested = requestedDelay.orElse(Duration.ZERO);
        Duration longer = requested.compareTo(delay) > 0 ? requested : delay;
        Instant until = now.plus(longer.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : longer);
        memory.keep(new WaitingReply(message.id(), failures + 1, since, until));
        POSTPONED.increment();
        return true;
    }

    private boolean isLongEnough(PendingMessage message, Instant since, Instant now) {
        ConversationRef conversation = message.conversation();
        Optional<MessageTimes> found = store.find(conversation.organization(), conversation.id(), message.id());
        if (found.isEmpty()) {
            return true;
        }
        MessageTimes times = found.get();
        Instant processing = times.processing ? times.updatedAt : since;
        Instant tried = processing.isBefore(since) ? processing : since;
        Duration minimum = MIN_RETRY_TIME.compareTo(retryTime) < 0 ? MIN_RETRY_TIME : retryTime;
        return !now.isBefore(times.createdAt.plus(retryTime)) && !now.isBefore(tried.plus(minimum));
    }

    /** Reduced by up to a quarter at random, so that conversations do not call the model together. */
    private static Duration backoff(int failures) {
        long max = Math.min(
                FIRST_DELAY.toMillis() << Math.min(failures, MAX_DOUBLINGS),
                Duration.ofMinutes(1).toMillis());
        return Duration.ofMillis(max - ThreadLocalRandom.current().nextLong(max / 4 + 1));
    }
}
