package dev.parley.workflow.journal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.llm.ChatTurn;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a conversation's start that may change while a task waits. Later attempts use it as it was, so that the
 * journaled calls still fit.
 *
 * @param fingerprint a hash of the part that does not change: a journal of another start is not continued;
 *     empty until it is stored
 * @param idempotencyKey the key of the run that started the conversation; its calls' keys derive from it
 * @param history the messages of the instance's conversation
 * @param fetched inputs that were read from a store, by name
 * @param earlierOutputs outputs of the conversation's earlier instances, by name
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ConversationStart(
        String fingerprint,
        String idempotencyKey,
        List<HistoryTurn> history,
        Map<String, @Nullable Object> fetched,
        Map<String, @Nullable Object> earlierOutputs) {
    public ConversationStart {
        history = List.copyOf(history);
        fetched = Collections.unmodifiableMap(new LinkedHashMap<>(fetched));
        earlierOutputs = Collections.unmodifiableMap(new LinkedHashMap<>(earlierOutputs));
    }

    ConversationStart withFingerprint(String hash) {
        return new ConversationStart(hash, idempotencyKey, history, fetched, earlierOutputs);
    }

    /** A message of the history, which has no calls and no files. */
    public record HistoryTurn(ChatTurn.Speaker speaker, String text) {
        public static HistoryTurn of(ChatTurn turn) {
            return new HistoryTurn(turn.speaker(), turn.text());
        }

        public ChatTurn turn() {
            return new ChatTurn(speaker, text);
        }
    }
}
