package dev.parley.message.run;

import dev.parley.id.MessageId;
import dev.parley.message.PendingMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one conversation that this node is storing. A message that commits later may precede one that
 * committed first in the list, so {@link #settled} decides which messages of a read may be processed. Guarded by the
 * lock of its {@link ConversationInbox}.
 */
final class InFlightMessages {
    private final Set<MessageSubmission> inFlight = Collections.newSetFromMap(new IdentityHashMap<>());

    /** All messages in flight at some time since the current read began; null if no read is in progress. */
    private @Nullable List<MessageSubmission> sinceRead;

    boolean isEmpty() {
        return inFlight.isEmpty();
    }

    void add(MessageSubmission submission) {
        inFlight.add(submission);
        if (sinceRead != null) {
            sinceRead.add(submission);
        }
    }

    void remove(MessageSubmission submission) {
        inFlight.remove(submission);
    }

    void beginRead() {
        sinceRead = new ArrayList<>(inFlight);
    }

    /**
     * The messages of a read that no message in flight can precede: those before the first one that was in flight
     * during the read and was not found. A message without an id will get one greater than all that were found.
     */
    List<PendingMessage> settled(List<PendingMessage> found) {
        List<MessageSubmission> during = Objects.requireNonNull(sinceRead);
        sinceRead = null;
        if (found.isEmpty() || during.isEmpty()) {
            return found;
        }
        Set<MessageId> ids = found.stream().map(PendingMessage::id).collect(Collectors.toSet());
        Optional<MessageId> first = ids(during).filter(id -> !ids.contains(id)).min(Comparator.naturalOrder());
        return first.map(bound -> found.stream()
                        .takeWhile(one -> one.id().compareTo(bound) < 0)
                        .toList())
                .orElse(found);
    }

    /** Whether a message in flight precedes the given one. */
    boolean precede(MessageId message) {
        return ids(inFlight).anyMatch(id -> id.compareTo(message) < 0);
    }

    private static Stream<MessageId> ids(Iterable<MessageSubmission> submissions) {
        Stream.Builder<MessageId> ids = Stream.builder();
        for (MessageSubmission submission : submissions) {
            MessageId id = submission.id();
            if (id != null) {
                ids.add(id);
            }
        }
        return ids.build();
    }
}
