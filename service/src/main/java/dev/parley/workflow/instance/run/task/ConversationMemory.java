package dev.parley.workflow.instance.run.task;

import dev.parley.http.json.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.llm.ChatTurn;
import dev.parley.message.MessageReader;
import dev.parley.problem.Text;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.JsonPointer;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.ValueRules;
import dev.parley.workflow.definition.core.value.ValueType;
import dev.parley.workflow.instance.store.InstanceHeader;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.ai.ConversationHistory;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the memory of a conversation: its messages and the outputs of its instances. */
@Singleton
public final class ConversationMemory {
    private static final int INSTANCES = 10;
    private static final int CHARACTERS = 24_000;
    private static final int MAX_VALUE_CHARACTERS = 6_000;

    private final MessageReader messages;
    private final InstanceReader instances;

    public ConversationMemory(MessageReader messages, InstanceReader instances) {
        this.messages = messages;
        this.instances = instances;
    }

    /** The outputs of the conversation's earlier instances, newest first; none without a conversation. */
    List<Map<String, @Nullable Object>> outputs(InstanceHeader header) {
        ConversationId conversation = header.conversation();
        return conversation == null
                ? List.of()
                : instances.earlierOutputs(header.organization(), conversation, header.id(), INSTANCES);
    }

    /** The newest valid value with the input's name; null if there is none. */
    static @Nullable Object value(InputParameter input, List<Map<String, @Nullable Object>> outputs)
            throws TaskFailure {
        for (Map<String, @Nullable Object> one : outputs) {
            Object value = one.get(input.name());
            List<Violation> violations = new ArrayList<>();
            Object suiting = value == null ? null : ValueRules.input(input, value, JsonPointer.ROOT, violations);
            if (suiting != null && violations.isEmpty()) {
                return suiting;
            }
        }
        return checked(input, null);
    }

    /** The memory for a model: the newest value of each name that is not an input of the task. */
    static Map<String, @Nullable Object> named(Task task, List<Map<String, @Nullable Object>> outputs) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        int room = CHARACTERS;
        for (Map<String, @Nullable Object> one : outputs) {
            for (Map.Entry<String, @Nullable Object> output : one.entrySet()) {
                String name = output.getKey();
                Object value = output.getValue();
                if (value == null
                        || named.containsKey(name)
                        || task.inputParameters().stream()
                                .anyMatch(input -> input.name().equals(name))) {
                    continue;
                }
                Object excerpt = value instanceof String text
                        ? Text.truncate(text, MAX_VALUE_CHARACTERS, "\n[The rest is omitted.]")
                        : value;
                int length = name.length() + StrictJson.write(excerpt).length();
                if (length <= room) {
                    room -= length;
                    named.put(name, excerpt);
                }
            }
        }
        return named;
    }

    /** The conversation so far, as an array with an object per message or as text with a line per message. */
    @Nullable
    Object history(InstanceHeader header, InputParameter input) throws TaskFailure {
        ConversationId conversation = header.conversation();
        if (conversation == null) {
            return checked(input, input.type() == ValueType.ARRAY ? List.of() : "");
        }
        if (input.type() != ValueType.ARRAY) {
            return checked(input, ConversationHistory.transcript(messages, header.organization(), conversation));
        }
        List<Map<String, String>> turns =
                ConversationHistory.turns(messages, header.organization(), conversation).stream()
                        .map(turn -> Map.of(
                                "role",
                                turn.speaker() == ChatTurn.Speaker.USER ? "user" : "agent",
                                "content",
                                turn.text()))
                        .toList();
        return checked(input, turns);
    }

    private static @Nullable Object checked(InputParameter input, @Nullable Object value) throws TaskFailure {
        List<Violation> violations = new ArrayList<>();
        Object coerced = ValueRules.input(input, value, JsonPointer.ROOT, violations);
        if (!violations.isEmpty()) {
            throw TaskFailure.permanent(
                    "Invalid Type",
                    "Input '" + input.name() + "': " + violations.getFirst().detail());
        }
        return coerced;
    }
}
