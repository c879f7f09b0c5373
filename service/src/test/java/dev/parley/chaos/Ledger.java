package dev.parley.chaos;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Everything acknowledged to clients, which must be in the service afterwards. */
final class Ledger {
    /**
     * A message that a client sent.
     *
     * @param content unique
     * @param id as acknowledged
     * @param order of the acknowledgement among sequentially sent messages of the conversation
     */
    record Sent(String conversation, String content, String id, int order) {}

    /** Acknowledged messages. */
    final List<Sent> messages = synchronizedList();

    /** Acknowledged instances by their unique trigger text. */
    final Map<String, String> instances = new ConcurrentHashMap<>();

    /** Instances whose cancellation was acknowledged. */
    final Set<String> cancelled = ConcurrentHashMap.newKeySet();

    /** Instances whose event was acknowledged. */
    final Set<String> resumed = ConcurrentHashMap.newKeySet();

    /** Tickets whose completion was acknowledged. */
    final Set<String> completed = ConcurrentHashMap.newKeySet();

    /** Invalid responses, such as a 500. */
    final ConcurrentLinkedQueue<String> wrongAnswers = new ConcurrentLinkedQueue<>();

    /** Requests without a response, or with 503: they may or may not have taken effect. */
    final AtomicInteger unanswered = new AtomicInteger();

    private static <T> List<T> synchronizedList() {
        return java.util.Collections.synchronizedList(new java.util.ArrayList<>());
    }

    /** Records a response that no fault explains. */
    void unexpected(String request, ChaosClient.Answer answer) {
        wrongAnswers.add(request + " was answered " + answer.status() + " " + answer.body());
    }
}
