package dev.parley.workflow.journal;

import dev.parley.llm.ChatReply;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.attempt.core.ModelUsage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a task during one attempt. The executor asks for the next journaled result before each call, and
 * appends the result of each call that it makes itself. Not thread-safe.
 */
public final class TaskJournal {
    private static final Duration RETRY_DELAY = Duration.ofMillis(200);

    /** Where a journal is stored. */
    public interface JournalStorage {
        /** The entries in order. */
        List<JournalEntry> load();

        /**
         * Appends an entry.
         *
         * @throws InterruptedException if the attempt has been stopped
         */
        AppendResult append(JournalEntry entry) throws InterruptedException;
    }

    /**
     * An attempt of a task.
     *
     * @param run the number of the run; an automatic retry belongs to the same run
     * @param idempotencyKey the key of the run
     * @param isFirst whether nothing can be journaled yet
     * @param fingerprint a hash of what the attempt starts with
     */
    public record JournaledAttempt(
            JournalKey key,
            int attempt,
            int run,
            String idempotencyKey,
            boolean isFirst,
            Supplier<String> fingerprint) {}

    /** Another execution of the task made the same call. The attempt must end, and a later one continues. */
    public static final class JournalConflictException extends RuntimeException {
        private static final long serialVersionUID = 1;

        JournalConflictException() {
            super("Another execution of the task has journaled this call.");
        }
    }

    private final JournaledAttempt attempt;
    private final JournalStorage storage;
    private final Deque<JournalEntry> left = new ArrayDeque<>();
    private @Nullable List<JournalEntry> loaded;
    private @Nullable ConversationStart start;
    private boolean isStartStored;
    private int position;
    private ModelUsage total = ModelUsage.NONE;

    public TaskJournal(JournaledAttempt attempt, JournalStorage storage) {
        this.attempt = attempt;
        this.storage = storage;
    }

    /** The usage of the journaled calls of this attempt, made by an execution that was lost. */
    public ModelUsage usage() {
        return loaded().stream()
                .filter(entry -> entry.attempt() == attempt.attempt())
                .map(entry -> entry.call().usage())
                .reduce(ModelUsage.NONE, ModelUsage::plus);
    }

    /** The usage of all calls in the journal. */
    public ModelUsage total() {
        return total;
    }

    private List<JournalEntry> loaded() {
        List<JournalEntry> entries = loaded;
        if (entries == null) {
            entries = attempt.isFirst() ? List.of() : storage.load();
            loaded = entries;
        }
        return entries;
    }

    /** Returns the start of the journaled conversation, or starts a new one if there is none or it does not fit. */
    public ConversationStart begin(Supplier<ConversationStart> fresh) {
        List<JournalEntry> entries = loaded();
        position = entries.size();
        left.clear();
        start = null;
        total = entries.stream().map(entry -> entry.call().usage()).reduce(ModelUsage.NONE, ModelUsage::plus);
        for (JournalEntry entry : entries) {
            if (entry.call() instanceof JournaledCall.ModelReply reply && reply.start() != null) {
                start = reply.start();
                left.clear();
            }
            left.add(entry);
        }
        ConversationStart known = start;
        if (known != null && known.fingerprint().equals(attempt.fingerprint().get())) {
            isStartStored = true;
            return known;
        }
        left.clear();
        ConversationStart begun = fresh.get();
        start = begun;
        return begun;
    }

    /** A start with this attempt's key. It gets its fingerprint when it is stored, which most tasks never do. */
    public ConversationStart startWith(
            List<ConversationStart.HistoryTurn> history,
            Map<String, @Nullable Object> fetched,
            Map<String, @Nullable Object> earlierOutputs) {
        return new ConversationStart("", attempt.idempotencyKey(), history, fetched, earlierOutputs);
    }

    /** The next journaled reply; empty if the model has to be called. */
    public Optional<JournaledCall.ModelReply> nextReply() {
        JournalEntry next = left.peek();
        return next != null && next.call() instanceof JournaledCall.ModelReply reply ? taken(reply) : Optional.empty();
    }

    /** The next journaled result, if it is that of this call; empty if the tool has to be called. */
    public Optional<JournaledCall.ToolResult> nextResult(String callId) {
        JournalEntry next = left.peek();
        return next != null
                        && next.call() instanceof JournaledCall.ToolResult result
                        && result.callId().equals(callId)
                ? taken(result)
                : Optional.empty();
    }

    private <T extends JournaledCall> Optional<T> taken(T call) {
        left.remove();
        return Optional.of(call);
    }

    /** Whether a reply was made in an earlier run, which a policy or a person has replaced. */
    public boolean isOfEarlierRun(JournaledCall.ModelReply reply) {
        return reply.run() < attempt.run();
    }

    /** The position of the next call that is not journaled. */
    public int position() {
        return position;
    }

    /** The idempotency key of the next call. It is the same for each execution that makes the call. */
    public String idempotencyKey() {
        ConversationStart begun = start;
        return (begun == null ? attempt.idempotencyKey() : begun.idempotencyKey()) + "-" + position;
    }

    public void append(ChatReply reply) throws InterruptedException {
        ConversationStart begun = start;
        ConversationStart stored = isStartStored || begun == null
                ? null
                : begun.withFingerprint(attempt.fingerprint().get());
        append(new JournaledCall.ModelReply(attempt.run(), stored, reply, reply.costMicros()));
        isStartStored = true;
    }

    public void append(JournaledCall.ToolResult result) throws InterruptedException {
        append((JournaledCall) result);
    }

    /** During an outage, waits for the database rather than lose a result. The attempt's time limit interrupts it. */
    private void append(JournaledCall call) throws InterruptedException {
        var entry = new JournalEntry(attempt.key(), position, attempt.attempt(), call);
        boolean uncertain = false;
        while (true) {
            try {
                AppendResult result = storage.append(entry);
                if (result == AppendResult.CONFLICT && !(uncertain && isStored(entry))) {
                    throw new JournalConflictException();
                }
                position++;
                total = total.plus(call.usage());
                return;
            } catch (ApiProblem e) {
                if (e.kind() != ProblemKind.UNAVAILABLE) {
                    throw e;
                }
                uncertain = true;
                Thread.sleep(RETRY_DELAY);
            }
        }
    }

    /** Whether an append whose outcome was lost has been stored. */
    private boolean isStored(JournalEntry entry) {
        return storage.load().stream()
                .anyMatch(one -> one.position() == entry.position() && one.attempt() == entry.attempt());
    }
}
