package dev.parley.workflow.definition.core.value;

import dev.parley.workflow.definition.core.document.EnumNames;
import java.util.Map;
import java.util.Optional;

/** The values that the service supplies to a {@code system_generated} input by its name, if no connection does. */
public enum SystemValue {
    /** The message that started the instance. */
    HUMAN_MSG("human_msg", "STRING"),
    /** The files of that message. */
    FILE_URLS("file_urls", "ARRAY of STRING"),
    CONVERSATION_ID("conversation_id", "STRING"),
    /** The conversation so far, message by message or as one text. */
    CONVERSATION_HISTORY("conversation_history", "ARRAY of OBJECT, or STRING"),
    WORKFLOW_INSTANCE_ID("workflow_instance_id", "STRING"),
    ORGANIZATION_ID("organization_id", "STRING"),
    /** The time at which the task starts, RFC 3339 in UTC. */
    CURRENT_TIME("current_time", "STRING");

    private static final Map<String, SystemValue> BY_NAME = EnumNames.of(values(), SystemValue::text);

    private final String text;
    private final String types;

    SystemValue(String text, String types) {
        this.text = text;
        this.types = types;
    }

    /** The input name that selects this value. */
    public String text() {
        return text;
    }

    /** The allowed types of an input with this name, for error messages. */
    public String types() {
        return types;
    }

    /** Whether the input's type, and its items if it is an ARRAY, can hold this value. */
    public boolean fits(InputParameter input) {
        return switch (this) {
            case HUMAN_MSG, CONVERSATION_ID, WORKFLOW_INSTANCE_ID, ORGANIZATION_ID, CURRENT_TIME -> isText(input);
            case FILE_URLS -> isArrayOf(ValueType.STRING, input);
            case CONVERSATION_HISTORY -> isText(input) || isArrayOf(ValueType.OBJECT, input);
        };
    }

    private static boolean isText(InputParameter input) {
        return input.type() == ValueType.STRING;
    }

    private static boolean isArrayOf(ValueType type, InputParameter input) {
        ArrayItems items = input.items();
        return input.type() == ValueType.ARRAY && items != null && items.type() == type;
    }

    public static Optional<SystemValue> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }
}
