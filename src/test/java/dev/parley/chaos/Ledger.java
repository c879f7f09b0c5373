package dev.parley.chaos;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What clients were told. Whatever stands here must be found in the service afterwards. */
final class Ledger {
    /**
     * A message that a client sent.
     *
     * @param content unlike any other's
     * @param id as acknowledged
     * @param order of the acknowledgement among those of its conversation that were sent one after the other
     */
    record Sent(String conversation, String content, String id, int order) {}

    /** Acknowledged messages. */
    final List<Sent> messages = synchronizedList();

    /** Acknowledged instances by the text that triggered them, each unlike any other's. */
    final Map<String, String> instances = new ConcurrentHashMap<>();

    /** Instances whose cancellation was acknowledged. */
    final Set<String> cancelled = ConcurrentHashMap.newKeySet();

    /** Tickets whose completion was acknowledged. */
    final Set<String> completed = ConcurrentHashMap.newKeySet();

    /** What was wrong with an answer itself, such as a 500. */
    final ConcurrentLinkedQueue<String> wrongAnswers = new ConcurrentLinkedQueue<>();

    /** Requests without an answer, or with 503: they may or may not have happened. */
    final AtomicInteger unanswered = new AtomicInteger();

    private static <T> List<T> synchronizedList() {
        return java.util.Collections.synchronizedList(new java.util.ArrayList<>());
    }

    /** An answer that no fault excuses. */
    void unexpected(String request, Client.Answer answer) {
        wrongAnswers.add(request + " was answered " + answer.status() + " " + answer.body());
    }
}
